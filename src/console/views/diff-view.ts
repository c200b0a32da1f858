import { msg, str } from '@lit/localize';
import { type CSSResult, css, html, type TemplateResult } from 'lit';
import { diffLines, splitLines } from '../../shell/index.ts';

/** Unchanged lines around each change. */
const contextLines = 3;

interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** A line diff of two texts with context lines. */
export function diffView(before: string, after: string, label: string): TemplateResult {
  const edits = diffLines(splitLines(before), splitLines(after));
  const changed = edits.flatMap(({ mark }, at) => (mark === ' ' ? [] : [at]));
  if (changed.length === 0) return html`<p class="same" role="status">${msg('No difference.')}</p>`;
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * contextLines + 1 }, (_, step) => at - contextLines + step)));
  const parts: TemplateResult[] = [];
  let hidden = 0;
  edits.forEach((edit, at) => {
    if (near.has(at)) {
      if (hidden > 0) parts.push(foldedLines(hidden));
      hidden = 0;
      parts.push(diffLine(edit));
    } else hidden++;
  });
  if (hidden > 0) parts.push(foldedLines(hidden));
  return html`<pre class="diff" tabindex="0" role="region" aria-label=${label}>${parts}</pre>`;
}

function diffLine({ mark, line }: DiffLine): TemplateResult {
  const kind = { ' ': '', '-': 'minus', '+': 'plus' }[mark];
  return html`<span class="line ${kind}">${mark} ${line}
</span>`;
}

function foldedLines(count: number): TemplateResult {
  return html`<span class="line skipped">⋯ ${count === 1 ? msg('1 line without a change') : msg(str`${count} lines without a change`)}
</span>`;
}

export const diffStyles: CSSResult = css`
  .diff {
    margin: 0 0 1rem;
    padding: 0.5rem 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    font-size: 0.78125rem;
    line-height: 1.5;
    overflow: auto;
    tab-size: 2;
  }
  .diff .line {
    display: block;
    min-width: max-content;
    padding-inline: 0.75rem;
  }
  .diff .plus {
    background: var(--good-soft);
    color: var(--good);
  }
  .diff .minus {
    background: var(--bad-soft);
    color: var(--bad);
  }
  .diff .skipped {
    color: var(--muted);
    font-family: var(--font);
  }
  .same {
    color: var(--muted);
  }
`;
