import { type CSSResult, css } from 'lit';

/** Styles shared by all elements: boxes, focus, buttons, chips. */
export const sharedStyles: CSSResult = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
    border-radius: var(--radius-small);
  }
  button,
  select,
  input,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    cursor: pointer;
  }
  /* Resizing works with a pointer only. */
  textarea {
    resize: none;
  }
  select {
    min-height: 1.875rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }
  code,
  pre,
  .mono {
    font-family: var(--mono);
  }
  .button {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
  }
  .button,
  ::file-selector-button {
    min-height: 1.875rem;
    padding: 0.125rem 0.75rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--text);
  }
  .button:hover {
    background: var(--sunken);
  }
  button[aria-pressed='true'] {
    border-color: var(--accent);
    background: var(--accent-soft);
    color: var(--accent);
    font-weight: 600;
  }
  .button.primary {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--accent-text);
    font-weight: 600;
  }
  .button:disabled {
    cursor: default;
    opacity: 0.6;
  }
  .quiet {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-width: 1.5rem;
    min-height: 1.5rem;
    padding: 0 0.375rem;
    border: 0;
    border-radius: var(--radius-small);
    background: none;
    color: var(--muted);
    font-size: var(--small-size);
  }
  .quiet:hover {
    background: var(--sunken);
    color: var(--text);
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 0.3rem;
    min-height: 1.5rem;
    padding: 0 0.45rem;
    border-radius: var(--radius-small);
    background: var(--sunken);
    color: var(--muted);
    font: 500 var(--small-size) / 1.4 var(--mono);
    text-decoration: none;
    white-space: nowrap;
  }
  a.chip:hover {
    text-decoration: underline;
  }
  .chip.good {
    background: var(--good-soft);
    color: var(--good);
  }
  .chip.warn {
    background: var(--warn-soft);
    color: var(--warn);
  }
  .chip.bad {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .chip.info {
    background: var(--info-soft);
    color: var(--info);
  }
  .hidden-text {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  ::file-selector-button {
    margin-inline-end: 0.5rem;
    font: inherit;
  }
  @media (pointer: coarse) {
    .button,
    .quiet,
    select,
    summary,
    input:not([type='checkbox'], [type='radio']),
    label:has(input) {
      /* Overrides the smaller mouse sizes of single elements. */
      min-height: 2.75rem !important;
    }
    .button,
    .quiet {
      min-width: 2.75rem;
    }
    ::file-selector-button {
      min-height: 2.5rem;
    }
  }
  @media (forced-colors: active) {
    /* Forced colours remove backgrounds and shadows. */
    :is([aria-selected], [aria-current], [aria-pressed]):not([aria-selected='false'], [aria-pressed='false']) {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
    .chip,
    .button {
      border: 1px solid;
    }
  }
`;
