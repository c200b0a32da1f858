import { parseError, type Token } from './lexer.ts';
import type { Term } from './nodes.ts';

type Literal = Extract<Term, { type: 'value' }>;

const escapes: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** The value of a literal. @throws KubectlError */
export function literalTerm({ type, value, at }: Token, template: string): Literal {
  const term = (goType: Literal['goType'], of: unknown): Literal => ({ type: 'value', goType, value: of, at, text: value });
  switch (type) {
    case 'nil':
      return term('nil', undefined);
    case 'bool':
      return term('bool', value === 'true');
    case 'string':
      return term('string', unquote(value));
    case 'rawString':
      return term('string', value.slice(1, -1));
    case 'character':
      return term('int', unquote(value).codePointAt(0) ?? 0);
    default: {
      const number = Number(value.replaceAll('_', ''));
      if (Number.isNaN(number)) throw parseError(template, at, `bad number syntax: ${JSON.stringify(value)}`);
      return term(/^[-+]?(?:\d[\d_]*|0[xXbBoO]\w+)$/.test(value) ? 'int' : 'float64', number);
    }
  }
}

/** The text of a quoted string of Go. */
function unquote(quoted: string): string {
  return quoted
    .slice(1, -1)
    .replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/g, (_, x, u, long, octal, one) => {
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      const hex = x ?? u ?? long;
      return hex === undefined ? (escapes[one] ?? one) : String.fromCodePoint(Number.parseInt(hex, 16));
    });
}
