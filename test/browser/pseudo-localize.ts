/**
 * Stands in for @lit/localize in a build of the page: every message is marked and two fifths longer, as texts of other languages are.
 * What is shown without a mark is no message.
 */
import type { TemplateResult } from 'lit';

interface StrResult {
  readonly strTag: true;
  readonly strings: TemplateStringsArray;
  readonly values: readonly unknown[];
}

export const str = (strings: TemplateStringsArray, ...values: readonly unknown[]): StrResult => ({ strTag: true, strings, values });

export function msg(template: string | StrResult | TemplateResult): string | TemplateResult {
  if (typeof template === 'string') return marked(template);
  if ('strTag' in template) return marked(String.raw({ raw: template.strings }, ...template.values));
  return { ...template, strings: markedTemplate(template.strings) } as TemplateResult;
}

function marked(text: string): string {
  return `⟦${longer(text)}⟧`;
}

function longer(text: string): string {
  return text.trim() === '' ? text : text + ` ${text}`.slice(0, Math.ceil(text.length * 0.4));
}

/** Lit knows a template by its array. */
const known = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** Each text between tags and values is marked by itself. */
function markedTemplate(strings: TemplateStringsArray): TemplateStringsArray {
  const before = known.get(strings);
  if (before !== undefined) return before;
  let inTag = false;
  const parts = strings.map((part) =>
    part.replace(/[<>]|[^<>]+/g, (piece) => {
      if (piece === '<' || piece === '>') {
        inTag = piece === '<';
        return piece;
      }
      return inTag || !/\p{L}/u.test(piece) ? piece : marked(piece);
    }),
  );
  const made = Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray;
  known.set(strings, made);
  return made;
}
