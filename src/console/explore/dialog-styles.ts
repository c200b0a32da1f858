import { type CSSResult, css } from 'lit';

/** Questions and lists over the screen. */
export const dialogStyles: CSSResult = css`
  dialog {
    width: min(34rem, calc(100vw - 1rem));
    max-height: calc(100dvh - 2rem);
    padding: 1rem 1.25rem 1.125rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    box-shadow: var(--shadow);
    overflow: auto;
  }
  dialog::backdrop {
    background: rgb(5 20 18 / 35%);
  }
  h2 {
    margin: 0 0 0.5rem;
    font-size: 1rem;
    overflow-wrap: anywhere;
  }
  p {
    margin: 0 0 0.75rem;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    justify-content: flex-end;
    margin-block-start: 1rem;
  }
  .button.danger {
    border-color: var(--bad);
    color: var(--bad);
  }
  .failure {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-small);
    background: var(--bad-soft);
    color: var(--bad);
    overflow-wrap: anywhere;
  }
  .note {
    color: var(--muted);
    font-size: var(--small-size);
  }
`;
