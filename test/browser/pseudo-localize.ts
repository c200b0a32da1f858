/**
 * Replaces @lit/localize in a build of the page. It marks every message and makes it 40 % longer, like texts of other languages.
 * A text without marks does not go through `msg`.
 */
import type { TemplateResult } from 'lit';

interface StrResult {
  readonly strTag: true;
  readonly strings: TemplateStringsArray;
  readonly values: readonly unknown[];
}

export const str = (strings: TemplateStringsArray, ...values: readonly unknown[]): StrResult => ({ strTag: true, strings, values });

export function msg(template: string | StrResult | TemplateResult): string | TemplateResult {
  if (typeof template === 'string') return markMessage(template);
  if ('strTag' in template) return markMessage(String.raw({ raw: template.strings }, ...template.values));
  return { ...template, strings: markTemplate(template.strings) } as TemplateResult;
}

function markMessage(text: string): string {
  return `⟦${lengthen(text)}⟧`;
}

function lengthen(text: string): string {
  return text.trim() === '' ? text : text + ` ${text}`.slice(0, Math.ceil(text.length * 0.4));
}

/** Lit identifies a template by its strings array, so a template is marked once. */
const markedTemplates = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** Marks each text between tags and values separately. */
function markTemplate(strings: TemplateStringsArray): TemplateStringsArray {
  const before = markedTemplates.get(strings);
  if (before !== undefined) return before;
  let inTag = false;
  const parts = strings.map((part) =>
    part.replace(/[<>]|[^<>]+/g, (piece) => {
      if (piece === '<' || piece === '>') {
        inTag = piece === '<';
        return piece;
      }
      return inTag || !/\p{L}/u.test(piece) ? piece : markMessage(piece);
    }),
  );
  const marked = Object.assign(parts, { raw: parts }) as unknown as TemplateStringsArray;
  markedTemplates.set(strings, marked);
  return marked;
}
