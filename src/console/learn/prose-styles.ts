import { type CSSResult, css } from 'lit';

/** How the text of lessons is set. */
export const proseStyles: CSSResult = css`
  .prose {
    line-height: 1.6;
    overflow-wrap: break-word;
  }
  .prose > :first-child {
    margin-block-start: 0;
  }
  .prose > :last-child {
    margin-block-end: 0;
  }
  .prose p,
  .prose ul,
  .prose ol {
    margin-block: 0.625rem;
  }
  .prose ul,
  .prose ol {
    padding-inline-start: 1.25rem;
  }
  .prose li + li {
    margin-block-start: 0.25rem;
  }
  .prose code {
    padding: 0.0625rem 0.25rem;
    border-radius: 3px;
    background: var(--sunken);
    font-size: 0.9em;
  }
  .prose pre,
  pre.text {
    margin: 0;
    padding: 0.625rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: var(--radius-small);
    background: var(--raised);
    font: 0.8125rem/1.55 var(--mono);
    overflow-x: auto;
  }
  .prose pre code {
    padding: 0;
    background: none;
    font-size: inherit;
  }
  .prose img {
    max-width: 100%;
  }
`;
