import { type CSSResult, css } from 'lit';

export const accessStyles: CSSResult = css`
  .form {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem 0.75rem;
    align-items: end;
    margin-block-end: 0.875rem;
  }
  .form label {
    display: grid;
    gap: 0.125rem;
    color: var(--muted);
    font-size: var(--small-size);
  }
  .form input,
  .form select {
    min-height: 1.875rem;
    width: 12rem;
    max-width: 100%;
    padding: 0 0.5rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    color: var(--text);
    font-size: 0.8125rem;
  }
  .people {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
  }
  .matrix td {
    width: 4.5rem;
    text-align: center;
  }
  .matrix :is(td, th) {
    padding-block: 0.0625rem;
    vertical-align: middle;
  }
  .matrix thead th:not(:first-child) {
    text-align: center;
  }
  .matrix thead th {
    padding-block: 0.25rem;
    z-index: 1;
    position: sticky;
    inset-block-start: 0;
    background: var(--raised);
  }
  .matrix th[scope='row'] {
    width: auto;
    color: var(--text);
    font: 500 0.78125rem/1.5 var(--mono);
  }
  .yes {
    color: var(--good);
    font-weight: 700;
  }
  .no {
    color: var(--faint);
  }
  .some {
    color: var(--warn);
    font-weight: 600;
  }
  .verdict {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: center;
    margin: 0 0 0.75rem;
    font-size: 0.9375rem;
  }
  pre {
    margin: 0 0 0.5rem;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .failure {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-small);
    background: var(--bad-soft);
    color: var(--bad);
    overflow-wrap: anywhere;
  }
  :is(td, .matrix th) a {
    display: inline-flex;
    align-items: center;
    min-height: 1.5rem;
  }
  ul {
    margin: 0 0 1rem;
    padding-inline-start: 1.25rem;
  }
  /* Long names of types wrap rather than move columns out of view. */
  @media (min-width: 48.01rem) {
    .matrix th[scope='row'] {
      white-space: normal;
      overflow-wrap: anywhere;
    }
  }
  /* The sticky table head needs the screen as its scroll container, so the table must not be one. */
  @media (min-width: 64rem) {
    .scroller {
      overflow: visible;
    }
    .matrix thead th {
      inset-block-start: -0.75rem;
    }
  }
  @media (max-width: 48rem) {
    .form {
      display: grid;
      grid-template-columns: 1fr 1fr;
    }
    .form :is(input, select) {
      width: 100%;
    }
    .form .button {
      justify-self: start;
    }
    .matrix td {
      min-width: 3.5rem;
    }
    .matrix :is(th[scope='row'], th:first-child) {
      position: sticky;
      inset-inline-start: 0;
      z-index: 2;
      width: 10rem;
      min-width: 10rem;
      max-width: 10rem;
      background: var(--surface);
      overflow-wrap: anywhere;
      white-space: normal;
    }
  }
`;
