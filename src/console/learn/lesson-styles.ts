import { type CSSResult, css } from 'lit';

export const lessonStyles: CSSResult = css`
  :host {
    display: grid;
    grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr);
    background: var(--surface);
  }
  tp-exam {
    grid-row: 1 / -1;
    min-height: 0;
  }
  .steps button {
    width: 100%;
    padding: 0;
    border: 0;
    background: none;
    text-align: start;
  }
  .top {
    padding: 0.625rem 1rem 0.5rem;
    border-block-end: 1px solid var(--line);
  }
  .crumbs {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.75rem;
    align-items: center;
    justify-content: space-between;
  }
  h2 {
    margin: 0;
    font-size: 1.125rem;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .ways {
    display: flex;
    gap: 0.375rem;
    align-items: center;
    color: var(--muted);
    font-size: var(--small-size);
  }
  .ways select {
    min-height: 1.75rem;
    background: var(--raised);
    font-size: var(--small-size);
  }
  .steps {
    display: flex;
    gap: 0.25rem;
    margin: 0.5rem 0 0;
    padding: 0;
    list-style: none;
  }
  .steps li {
    flex: 1;
    min-width: 0;
  }
  .steps :is(a, button) {
    display: block;
    min-height: 1.5rem;
    padding-block: 0.0625rem;
    border-block-start: 3px solid var(--line-strong);
    color: var(--muted);
    font-size: var(--small-size);
    text-decoration: none;
    text-overflow: ellipsis;
    white-space: nowrap;
    overflow: hidden;
  }
  .steps .done a {
    border-color: var(--good);
  }
  .steps [aria-current] {
    border-color: var(--accent);
    color: var(--text);
    font-weight: 600;
  }
  .text {
    padding: 1rem;
    overflow-y: auto;
    overscroll-behavior: contain;
  }
  .text:focus-visible {
    outline-offset: -2px;
  }
  .parts {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    max-width: 42rem;
    margin-inline: auto;
  }
  h3 {
    margin: 0;
    font-size: 1rem;
    font-weight: 650;
  }
  .file {
    margin: 0;
  }
  .file figcaption {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    justify-content: space-between;
    margin-block-end: 0.25rem;
    color: var(--muted);
    font-size: var(--small-size);
  }
  .checks {
    margin: 0;
    padding: 0.75rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
  }
  .checks h4 {
    margin: 0 0 0.375rem;
    font-size: 0.8125rem;
    font-weight: 650;
  }
  .checks ul {
    display: grid;
    gap: 0.375rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .check {
    display: grid;
    grid-template-columns: 1.25rem minmax(0, 1fr);
    gap: 0.375rem;
  }
  .check .mark {
    color: var(--faint);
    font-weight: 700;
    text-align: center;
  }
  .check.passed {
    color: var(--muted);
  }
  .check.passed .mark {
    color: var(--good);
  }
  .seen {
    display: block;
    color: var(--warn);
    font: var(--small-size) / 1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .hint {
    padding: 0.5rem 0.75rem;
    border-inline-start: 3px solid var(--info);
    background: var(--info-soft);
    border-radius: var(--radius-small);
  }
  .good {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-small);
    background: var(--good-soft);
    color: var(--good);
    font-weight: 600;
  }
  a.button {
    text-decoration: none;
  }
  footer {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    align-items: center;
    padding: 0.5rem 1rem;
    border-block-start: 1px solid var(--line);
    background: var(--raised);
  }
  footer .space {
    flex: 1;
  }
  .panes {
    display: none;
  }
  @media (max-width: 64rem) {
    .panes {
      display: flex;
      gap: 0.25rem;
      margin-block-start: 0.375rem;
    }
    .panes .button {
      flex: 1;
      justify-content: center;
    }
    :host([pane='console']) {
      grid-template: auto / minmax(0, 1fr);
    }
    :host([pane='console']) .text,
    :host([pane='console']) footer,
    :host([pane='console']) .crumbs,
    :host([pane='console']) .steps {
      display: none;
    }
    .steps :is(a, button) span {
      display: none;
    }
    .text {
      padding: 0.75rem;
    }
    footer {
      padding: 0.375rem 0.5rem;
    }
    footer .button {
      padding-inline: 0.5rem;
    }
  }
  /* On a phone the title and the settings scroll with the text. */
  @media (max-width: 48rem) {
    .top {
      padding: 0.25rem 0.75rem;
    }
    .bar {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 0.5rem;
      align-items: center;
    }
    .bar > :is(.steps, .panes) {
      flex: 1 0 auto;
      margin: 0;
    }
    .steps li {
      min-width: 1.75rem;
    }
    .text .crumbs {
      margin-block-end: 0.75rem;
    }
  }
`;

export const phone = '(max-width: 48rem)';
