import { type CSSResult, css } from 'lit';

export const commandLineStyles: CSSResult = css`
  :host {
    display: block;
    position: relative;
  }
  .box {
    display: flex;
    align-items: flex-start;
    gap: 0.5rem;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }
  .box:focus-within {
    border-color: var(--accent);
    outline: 2px solid var(--accent);
    outline-offset: -1px;
  }
  .prompt,
  textarea {
    font: 500 var(--text-size) / 1.6 var(--mono);
  }
  .prompt {
    flex: none;
    max-width: 40%;
    overflow: hidden;
    color: var(--accent);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  textarea {
    flex: 1;
    min-width: 0;
    field-sizing: content;
    max-height: 40vh;
    padding: 0;
    border: 0;
    outline: 0;
    background: none;
    caret-color: var(--accent);
  }
  /* The box around it shows the focus. */
  textarea:focus-visible {
    outline: 0;
  }
  @media (pointer: coarse) {
    /* Below 16 px a phone zooms in on the field. */
    .prompt,
    textarea {
      font-size: 1rem;
    }
  }
  .list {
    position: absolute;
    inset-inline: 0;
    inset-block-end: calc(100% + 0.375rem);
    z-index: 2;
    max-height: min(18rem, 45vh);
    margin: 0;
    padding: 0.25rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
    overflow-y: auto;
    list-style: none;
  }
  .list li {
    display: flex;
    gap: 1rem;
    align-items: baseline;
    min-height: 1.75rem;
    padding: 0.125rem 0.5rem;
    border-radius: var(--radius-small);
    cursor: pointer;
  }
  .list li[aria-selected='true'] {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
  }
  .list .text {
    font-family: var(--mono);
    font-size: 0.8125rem;
  }
  .list .about {
    min-width: 0;
    overflow: hidden;
    color: var(--muted);
    font-size: var(--small-size);
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .bar {
    position: absolute;
    inset-inline: 0;
    inset-block-end: calc(100% + 0.375rem);
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    box-shadow: var(--shadow);
  }
  .keys {
    display: none;
    gap: 0.25rem;
    margin-block-end: 0.375rem;
    overflow-x: auto;
  }
  .keys .button {
    flex: none;
  }
  kbd {
    font: inherit;
  }
  @media (pointer: coarse) {
    .keys {
      display: flex;
    }
  }
`;
