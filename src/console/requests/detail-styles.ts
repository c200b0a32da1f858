import { type CSSResult, css } from 'lit';

export const detailStyles: CSSResult = css`
  :host {
    display: flex;
    flex-direction: column;
    min-width: 0;
    background: var(--ground);
  }
  header {
    padding: 0.75rem 1rem 0;
    background: var(--surface);
    border-block-end: 1px solid var(--line);
  }
  .title {
    display: flex;
    gap: 0.5rem;
    align-items: flex-start;
    justify-content: space-between;
  }
  h3 {
    margin: 0;
    font: 600 0.875rem/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .close {
    text-decoration: none;
  }
  .facts {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 0.75rem;
    align-items: center;
    margin: 0.375rem 0 0.5rem;
    color: var(--muted);
    font-size: var(--small-size);
  }
  [role='tabpanel'] {
    flex: 1;
    min-height: 0;
    padding: 1rem;
    overflow: auto;
  }
  .stages {
    display: grid;
    gap: 0.375rem;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .stage {
    display: grid;
    grid-template-columns: minmax(6.5rem, 9rem) minmax(0, 1fr) auto;
    gap: 0.125rem 0.75rem;
    align-items: baseline;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .stage.refused {
    border-color: var(--bad);
  }
  .stage .name {
    font-weight: 600;
  }
  .stage .evidence {
    font: 0.8125rem/1.45 var(--mono);
    overflow-wrap: anywhere;
  }
  .stage .ms {
    color: var(--muted);
    font-size: var(--small-size);
    font-variant-numeric: tabular-nums;
  }
  .stage .about {
    grid-column: 1 / -1;
    color: var(--muted);
    font-size: var(--small-size);
  }
  @media (max-width: 40rem) {
    .stage {
      grid-template-columns: minmax(0, 1fr) auto;
    }
    .stage .evidence {
      grid-row: 2;
      grid-column: 1 / -1;
    }
  }
  .bar {
    display: flex;
    gap: 2px;
    height: 0.75rem;
    margin-block-end: 0.875rem;
    border-radius: 3px;
    overflow: hidden;
  }
  .bar span {
    min-width: 3px;
    background: var(--accent);
  }
  .bar span:nth-child(even) {
    background: color-mix(in srgb, var(--accent) 55%, var(--surface));
  }
  .grant {
    margin-block-start: 1rem;
  }
  .explain {
    margin: 0 0 1rem;
    padding: 0.625rem 0.75rem;
    border-inline-start: 3px solid var(--line-strong);
    background: var(--surface);
  }
  table {
    width: 100%;
    margin-block-end: 1rem;
    border-collapse: collapse;
    font-size: 0.78125rem;
  }
  th,
  td {
    padding: 0.1875rem 0.5rem 0.1875rem 0;
    border-block-end: 1px solid var(--line);
    text-align: start;
    vertical-align: top;
  }
  th {
    width: 30%;
    color: var(--muted);
    font-weight: 500;
    white-space: nowrap;
  }
  td {
    font-family: var(--mono);
    overflow-wrap: anywhere;
  }
  h4 {
    display: flex;
    gap: 0.5rem;
    align-items: center;
    margin: 0 0 0.375rem;
    font-size: 0.8125rem;
  }
  pre {
    margin: 0 0 1rem;
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    font-size: 0.78125rem;
    line-height: 1.5;
    overflow: auto;
    max-height: 60vh;
    tab-size: 2;
  }
  label {
    display: inline-flex;
    gap: 0.375rem;
    align-items: center;
    min-height: 1.75rem;
    margin-block-end: 0.75rem;
  }
  input[type='checkbox'] {
    width: 1.125rem;
    height: 1.125rem;
    accent-color: var(--accent);
  }
  .revisions {
    position: relative;
    height: 0.5rem;
    background: var(--line);
    border-radius: 0.25rem;
  }
  .available {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 0;
    background: var(--accent);
    border-radius: 0.25rem;
  }
  .ends {
    display: flex;
    justify-content: space-between;
    color: var(--muted);
    font-size: var(--small-size);
  }
  .replay {
    display: flex;
    gap: 0.5rem;
    align-items: end;
    margin-block-start: 1rem;
  }
`;
