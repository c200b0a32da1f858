import { type CSSResult, css } from 'lit';

export const gridStyles: CSSResult = css`
  :host {
    display: grid;
    grid-template-rows: minmax(0, 1fr);
    grid-auto-rows: auto;
    min-height: 0;
    height: 100%;
  }
  :host:has(.failure) {
    grid-template-rows: auto minmax(0, 1fr);
  }
  .grid {
    min-height: 0;
    background: var(--surface);
    font-size: 0.8125rem;
    overflow: auto;
    overscroll-behavior: contain;
  }
  .grid:focus-visible {
    outline-offset: -2px;
    border-radius: 0;
  }
  .space {
    position: relative;
  }
  .row {
    position: absolute;
    inset-inline: 0;
    display: grid;
    grid-template-columns: var(--columns);
    align-items: center;
    min-width: var(--least);
    height: 30px;
    padding-inline: 0.75rem;
    border-block-end: 1px solid var(--line);
    background: var(--surface);
    cursor: pointer;
  }
  .row.head {
    position: sticky;
    inset-block-start: 0;
    z-index: 2;
    background: var(--raised);
    cursor: default;
  }
  @media (pointer: coarse) {
    .row {
      height: 44px;
    }
  }
  .row > div {
    min-width: 0;
    padding-inline-end: 1rem;
    overflow: hidden;
    font-variant-numeric: tabular-nums;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .head button {
    min-height: 1.5rem;
    max-width: 100%;
    padding: 0;
    border: 0;
    background: none;
    color: var(--muted);
    font-size: var(--small-size);
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .head button:hover {
    color: var(--text);
  }
  @media (pointer: coarse) {
    .head button {
      min-width: 1.5rem;
      min-height: 2.75rem;
    }
  }
  .row:not(.head):hover {
    background: var(--raised);
  }
  .row[aria-selected='true'] {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 0 var(--accent);
  }
  .name {
    font-family: var(--mono);
    font-size: 0.78125rem;
    font-weight: 500;
  }
  .good {
    color: var(--good);
  }
  .warn {
    color: var(--warn);
  }
  .bad {
    color: var(--bad);
  }
  .fresh {
    animation: var(--flash, fresh) 1.2s ease-out;
  }
  .deleted {
    color: var(--muted);
    text-decoration: line-through;
  }
  .deleted > div {
    color: inherit;
    text-decoration: inherit;
  }
  @keyframes fresh {
    from {
      background: var(--info-soft);
    }
  }
  .empty {
    margin: 0;
    padding: 3rem 1rem;
    color: var(--muted);
    text-align: center;
  }
  .failure {
    margin: 0;
    padding: 0.625rem 1rem;
    background: var(--bad-soft);
    color: var(--bad);
    overflow-wrap: anywhere;
  }
`;
