import { type CSSResult, css } from 'lit';

/** A tab whose output fills the height of the panel. */
export const outputStyles: CSSResult = css`
  :host {
    display: flex;
    flex-direction: column;
    min-height: 0;
    height: 100%;
    padding: 0.75rem;
  }
  pre {
    flex: 1;
    min-height: 8rem;
    margin: 0;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--surface);
    font-size: 0.8125rem;
    line-height: 1.5;
    overflow: auto;
    tab-size: 8;
  }
  .failure {
    margin: 0 0 0.5rem;
    color: var(--bad);
    overflow-wrap: anywhere;
  }
  .note {
    margin: 0.375rem 0 0;
  }
`;
