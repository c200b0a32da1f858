/** A comparison in a check. */
export interface Comparison {
  readonly left: string;
  readonly operator: string;
  readonly right: string;
}

/** The operands of `a && b && c`, in order; the whole text when it is no conjunction. */
export function splitConjunction(cel: string): readonly string[] {
  return splitOutside(cel, /^&&/).map((term) => term.trim());
}

/** Parses a term as a comparison; undefined when it is not a comparison. */
export function parseComparison(term: string): Comparison | undefined {
  const found = /^(==|!=|<=|>=|<|>)/;
  const [left, right, ...more] = splitOutside(term, found);
  if (left === undefined || right === undefined || more.length > 0) return undefined;
  const operator = found.exec(term.slice(left.length))?.[1] ?? '';
  return { left: left.trim(), operator, right: right.trim() };
}

/** The display name of the left operand: `spec.replicas` for `get(…).spec.replicas`. */
export function shortName(left: string): string {
  const path = /((?:\.[\w?]+(?:\[[^\]]*\])*)+)$/.exec(left)?.[1];
  return path === undefined ? left : path.replace(/^\./, '');
}

/** Splits where `separator` matches outside quotes and brackets. Returns the whole text when it has a `||` there. */
function splitOutside(text: string, separator: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"' || char === "'") at = endOfString(text, at);
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

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[from]) return at;
  }
  return text.length;
}
