import { type CSSResult, css } from 'lit';

export const clustersStyles: CSSResult = css`
  :host {
    display: block;
    overflow-y: auto;
  }
  .page {
    display: grid;
    gap: 1.5rem;
    max-width: 48rem;
    margin-inline: auto;
    padding: clamp(0.75rem, 3vw, 2rem);
  }
  h2 {
    margin: 0 0 0.25rem;
    font-size: 1.125rem;
    font-weight: 650;
  }
  p {
    margin: 0 0 0.625rem;
    color: var(--muted);
  }
  ul {
    margin: 0 0 0.75rem;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    list-style: none;
  }
  li {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem 0.75rem;
    align-items: center;
    padding: 0.5rem 0.75rem;
  }
  li + li {
    border-block-start: 1px solid var(--line);
  }
  .name {
    flex: 1 1 10rem;
    min-width: 0;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .name small {
    display: block;
    color: var(--muted);
    font-weight: 400;
  }
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.375rem;
    align-items: center;
  }
  .open {
    margin-block: 0.75rem 0.375rem;
  }
  tp-url-frame {
    display: block;
    margin-block-start: 0.5rem;
  }
  .choices {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    margin-block-end: 0.625rem;
  }
  .choices label {
    display: flex;
    gap: 0.375rem;
    align-items: center;
    min-height: 1.5rem;
  }
  textarea {
    width: 100%;
    padding: 0.5rem;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-small);
    background: var(--surface);
    font: 0.8125rem/1.5 var(--mono);
    overflow-wrap: anywhere;
  }
  .notice {
    padding: 0.5rem 0.75rem;
    border-radius: var(--radius-small);
    background: var(--info-soft);
    color: var(--info);
    overflow-wrap: anywhere;
  }
  .notice.bad {
    background: var(--bad-soft);
    color: var(--bad);
  }
  dl {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 0.25rem 1rem;
    margin: 0 0 1rem;
  }
  dt {
    color: var(--muted);
  }
  dd {
    margin: 0;
  }
  summary {
    align-content: center;
    min-height: 1.5rem;
  }
  @media (pointer: coarse) {
    summary {
      min-height: 2.75rem;
    }
  }
`;
