/** What may begin an expression, as the real parser lists it; in brackets and calls other things may stand there, too. */
const kinds = {
  expression: "'[', '{', '(', '.', '-', '!', ",
  argument: "'[', '{', '(', ')', '.', '-', '!', ",
  index: "'[', '{', '(', '.', '-', '!', '?', ",
  element: "'[', ']', '{', '(', '.', ',', '-', '!', '?', ",
  key: "'[', '{', '}', '(', '.', ',', '-', '!', '?', ",
};
const literalNames = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

export type Beginning = keyof typeof kinds;

export function beginningsOf(kind: Beginning): string {
  return `{${kinds[kind]}${literalNames}}`;
}
