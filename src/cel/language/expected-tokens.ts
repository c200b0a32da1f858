/** Tokens that can start an expression, as ANTLR lists them in errors; more are possible in brackets and calls. */
const kinds = {
  expression: "'[', '{', '(', '.', '-', '!', ",
  argument: "'[', '{', '(', ')', '.', '-', '!', ",
  index: "'[', '{', '(', '.', '-', '!', '?', ",
  element: "'[', ']', '{', '(', '.', ',', '-', '!', '?', ",
  key: "'[', '{', '}', '(', '.', ',', '-', '!', '?', ",
};
const literalNames = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER";

export type ExpectedContext = keyof typeof kinds;

export function expectedTokensOf(kind: ExpectedContext): string {
  return `{${kinds[kind]}${literalNames}}`;
}
