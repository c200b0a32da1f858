/** Tokens that can start an expression, as ANTLR lists them in errors; more are possible in brackets and calls. */
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
