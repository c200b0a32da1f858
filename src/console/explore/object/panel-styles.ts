import { type CSSResult, css } from 'lit';

/** Shared styles of the tabs of an object. */
export const panelStyles: CSSResult = css`
  :host {
    display: block;
    padding: 0.75rem 0.75rem 2rem;
  }
  h3 {
    margin: 1.25rem 0 0.375rem;
    font-size: 0.8125rem;
  }
  h3:first-child {
    margin-block-start: 0;
  }
  table {
    width: 100%;
    border: 1px solid var(--line);
    border-collapse: collapse;
    background: var(--surface);
    font-size: 0.8125rem;
  }
  th,
  td {
    padding: 0.25rem 0.625rem;
    border-block-end: 1px solid var(--line);
    text-align: start;
    vertical-align: baseline;
    overflow-wrap: anywhere;
  }
  th {
    color: var(--muted);
    font-size: var(--small-size);
    font-weight: 600;
    white-space: nowrap;
  }
  tr:last-child > * {
    border-block-end: 0;
  }
  .scroller {
    overflow-x: auto;
  }
  /* Of several columns: on a narrow page they scroll and words stay whole. */
  .scroller > table:not(.matrix) {
    min-width: 34rem;
  }
  .scroller td {
    overflow-wrap: break-word;
  }
  .tools {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem 0.75rem;
    align-items: center;
    margin-block-end: 0.75rem;
  }
  .tools label {
    display: inline-flex;
    gap: 0.375rem;
    align-items: center;
  }
  select {
    max-width: 18rem;
  }
  .tools input[list] {
    min-height: 1.875rem;
    padding: 0 0.5rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
  }
  input[type='checkbox'] {
    width: 1.125rem;
    height: 1.125rem;
    accent-color: var(--accent);
  }
  .note {
    color: var(--muted);
    font-size: var(--small-size);
  }
  .scroller .mono {
    overflow-wrap: anywhere;
  }
  .mono {
    font-size: 0.78125rem;
  }
`;
