/** A comparison in a check, as its author wrote it. */
export interface Comparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

/** The terms of `a && b && c`, in order; the text itself when it is no conjunction. */
export function termsOf(cel: string): readonly string[] {
  return splitOutside(cel, /^&&/).map((term) => term.trim());
}

/** The comparison that a term is, if it is one. */
export function comparisonIn(term: string): Comparison | undefined {
  const found = /^(==|!=|<=|>=|<|>)/;
  const [left, right, ...more] = splitOutside(term, found);
  if (left === undefined || right === undefined || more.length > 0) return undefined;
  const operator = found.exec(term.slice(left.length))?.[1] ?? '';
  return { left: left.trim(), operator, right: right.trim() };
}

/** How a reader calls the left side: `get(…).spec.replicas` is `spec.replicas`. */
export function shortName(left: string): string {
  const path = /((?:\.[\w?]+(?:\[[^\]]*\])*)+)$/.exec(left)?.[1];
  return path === undefined ? left : path.replace(/^\./, '');
}

/** Splits where `separator` matches outside quotes and brackets. A `||` at that depth leaves the text whole. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'") at = endOfText(text, at);
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (depth === 0 && (text.startsWith('||', at) || char === '?')) return [text];
    else if (depth === 0) {
      const found = separator.exec(text.slice(at));
      if (!found) continue;
      parts.push(text.slice(from, at));
      from = at + found[0].length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)];
}

function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[from]) return at;
  }
  return text.length;
}
