import type { Issue } from './issues.ts';

export type TokenKind = 'int' | 'uint' | 'float' | 'string' | 'bytes' | 'name' | 'escaped-name' | 'word' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?\`]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const text = [
  String.raw`"""(?:${escapeSequence}|[^\\])*?"""`,
  String.raw`'''(?:${escapeSequence}|[^\\])*?'''`,
  String.raw`"(?:${escapeSequence}|[^\\"\n\r])*"`,
  String.raw`'(?:${escapeSequence}|[^\\'\n\r])*'`,
  `[rR]"""[^]*?"""`,
  `[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
].join('|');

/** Longer tokens come first: `1.5` before `1`, `<=` before `<`. */
const grammar = [
  ['blank', String.raw`[\t \r\n\f]+|//[^\n]*`],
  ['bytes', `[bB](?:${text})`],
  ['string', text],
  ['float', String.raw`\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?`],
  ['uint', String.raw`(?:0x[0-9a-fA-F]+|\d+)[uU]`],
  ['int', String.raw`0x[0-9a-fA-F]+|\d+`],
  ['word', '(?:true|false|null|in)(?![a-zA-Z0-9_])'],
  ['name', '[a-zA-Z_][a-zA-Z0-9_]*'],
  ['escaped', '`[a-zA-Z0-9_.\\-/ ]+`'],
  ['sign', String.raw`==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]`],
] as const;

const kinds: Readonly<Record<string, TokenKind>> = { escaped: 'escaped-name' };

/** One positional group per grammar entry: named groups cost an object per token. */
const pattern = new RegExp(grammar.map(([, one]) => `(${one})`).join('|'), 'y');

/** Reports invalid characters to `wrong` and skips them. */
export function tokensOf(source: string, wrong: (issue: Issue) => void): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) {
      const text = /^(?:["'](?:\\.|[^\\\n\r])*|[=&|].?|.)/su.exec(source.slice(at))?.[0] ?? source.slice(at);
      wrong({ at, message: `Syntax error: token recognition error at: '${text}'` });
      at += text.length;
      continue;
    }
    const [part] = found;
    const name = nameOf(found);
    if (name !== 'blank') tokens.push({ kind: kinds[name] ?? (name as TokenKind), text: part, at });
    at += part.length;
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: source.length });
  return tokens;
}

/** The grammar entry of a match. */
function nameOf(found: RegExpExecArray): (typeof grammar)[number][0] {
  const index = grammar.findIndex((_, place) => found[place + 1] !== undefined);
  return (grammar[index] ?? grammar[0])[0];
}
