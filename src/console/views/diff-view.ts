import { msg, str } from '@lit/localize';
import { type CSSResult, css, html, type TemplateResult } from 'lit';
import { editsBetween, linesOf } from '../../kubectl/index.ts';

/** Lines without a change that are shown around one. */
const around = 3;

interface Shown {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

/** Two texts, line by line: what went, what came, and a few lines around. */
export function diffView(before: string, after: string, label: string): TemplateResult {
  const edits = editsBetween(linesOf(before), linesOf(after));
  const changed = edits.flatMap(({ mark }, at) => (mark === ' ' ? [] : [at]));
  if (changed.length === 0) return html`<p class="same" role="status">${msg('No difference.')}</p>`;
  const near = new Set(changed.flatMap((at) => Array.from({ length: 2 * around + 1 }, (_, step) => at - around + step)));
  const parts: TemplateResult[] = [];
  let hidden = 0;
  edits.forEach((edit, at) => {
    if (near.has(at)) {
      if (hidden > 0) parts.push(skipped(hidden));
      hidden = 0;
      parts.push(diffLine(edit));
    } else hidden++;
  });
  if (hidden > 0) parts.push(skipped(hidden));
  return html`<pre class="diff" tabindex="0" role="region" aria-label=${label}>${parts}</pre>`;
}

function diffLine({ mark, line }: Shown): TemplateResult {
  const kind = { ' ': '', '-': 'minus', '+': 'plus' }[mark];
  return html`<span class="line ${kind}">${mark} ${line}
</span>`;
}

function skipped(count: number): TemplateResult {
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
