import { KubectlError } from '../../program/errors.ts';

export type TokenType =
  | 'text'
  | 'left'
  | 'right'
  | 'space'
  | 'field'
  | 'dot'
  | 'variable'
  | 'identifier'
  | 'keyword'
  | 'bool'
  | 'nil'
  | 'number'
  | 'string'
  | 'rawString'
  | 'character'
  | 'pipe'
  | 'declare'
  | 'assign'
  | 'comma'
  | 'leftParen'
  | 'rightParen'
  | 'eof';

export interface Token {
  readonly type: TokenType;
  readonly value: string;
  /** Offset in the template. */
  readonly at: number;
}

/** A failure at a line of the template. */
export function parseError(template: string, at: number, message: string): KubectlError {
  return new KubectlError(`template: output:${template.slice(0, at).split('\n').length}: ${message}`);
}

const keywords: ReadonlySet<string> = new Set(['block', 'break', 'continue', 'define', 'else', 'end', 'if', 'range', 'template', 'with']);

/** The tokens of an action, each matched at the current offset. The first that matches is taken. */
const patterns: readonly (readonly [type: TokenType, pattern: RegExp])[] = [
  ['space', /\s+/y],
  ['declare', /:=/y],
  ['assign', /=/y],
  ['pipe', /\|/y],
  ['comma', /,/y],
  ['leftParen', /\(/y],
  ['rightParen', /\)/y],
  ['string', /"(?:\\.|[^"\\\n])*"/y],
  ['rawString', /`[^`]*`/y],
  ['character', /'(?:\\.|[^'\\\n])*'/y],
  ['number', /[-+]?\.?\d[\w.]*/y],
  ['field', /\.[\p{L}_][\p{L}\p{N}_]*/uy],
  ['variable', /\$[\p{L}\p{N}_]*/uy],
  ['dot', /\./y],
  ['identifier', /[\p{L}_][\p{L}\p{N}_]*/uy],
];

const unterminated: Readonly<Record<string, string>> = {
  '"': 'unterminated quoted string',
  '`': 'unterminated raw quoted string',
  "'": 'unterminated character constant',
};

/** Splits a template into its texts and the tokens of its actions. Cf. Go's text/template/parse. @throws KubectlError */
export function tokenize(template: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let trims = false;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    const end = open < 0 ? template.length : open;
    const trimsLeft = open >= 0 && /^-\s/.test(template.slice(open + 2, open + 4));
    const text = template.slice(at, end);
    const left = trims ? text.trimStart() : text;
    const shown = trimsLeft ? left.trimEnd() : left;
    if (shown !== '') tokens.push({ type: 'text', value: shown, at });
    if (open < 0) break;
    const action = readAction(template, open, open + 2 + (trimsLeft ? 2 : 0));
    tokens.push(...action.tokens);
    at = action.end;
    trims = action.trims;
  }
  tokens.push({ type: 'eof', value: '', at: template.length });
  return tokens;
}

interface Action {
  readonly tokens: readonly Token[];
  /** The offset after the action. */
  readonly end: number;
  /** The action trims the white space after it. */
  readonly trims: boolean;
}

function readAction(template: string, open: number, start: number): Action {
  if (template.startsWith('/*', start)) return readComment(template, start);
  const tokens: Token[] = [{ type: 'left', value: '{{', at: open }];
  let at = start;
  let depth = 0;
  for (;;) {
    const close = /\s-\}\}|\}\}/y;
    close.lastIndex = at;
    const closing = close.exec(template)?.[0];
    if (closing !== undefined) {
      if (depth > 0) throw parseError(template, at, 'unclosed left paren');
      tokens.push({ type: 'right', value: '}}', at });
      return { tokens, end: at + closing.length, trims: closing.length > 2 };
    }
    const token = readToken(template, at, tokens.at(-1));
    depth += token.type === 'leftParen' ? 1 : token.type === 'rightParen' ? -1 : 0;
    if (depth < 0) throw parseError(template, at, 'unexpected right paren');
    tokens.push(token);
    at += token.value.length;
  }
}

function readComment(template: string, start: number): Action {
  const end = template.indexOf('*/', start);
  if (end < 0) throw parseError(template, start, 'unclosed comment');
  const closing = /^\s-\}\}|^\}\}/.exec(template.slice(end + 2, end + 6))?.[0];
  if (closing === undefined) throw parseError(template, start, 'comment ends before closing delimiter');
  return { tokens: [], end: end + 2 + closing.length, trims: closing.length > 2 };
}

function readToken(template: string, at: number, before: Token | undefined): Token {
  const character = template[at];
  if (character === undefined) throw parseError(template, at, 'unclosed action');
  for (const [type, pattern] of patterns) {
    pattern.lastIndex = at;
    const value = pattern.exec(template)?.[0];
    if (value === undefined || value === '') continue;
    // A dot after a value is a field, not the start of a number.
    if (type === 'number' && value.startsWith('.') && before?.type !== 'space' && before?.type !== 'left') continue;
    return { type: wordType(type, value), value, at };
  }
  const message = Object.hasOwn(unterminated, character) ? unterminated[character] : undefined;
  if (message !== undefined) throw parseError(template, at, message);
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  throw parseError(template, at, `unrecognized character in action: U+${code} '${character}'`);
}

function wordType(type: TokenType, value: string): TokenType {
  if (type !== 'identifier') return type;
  if (keywords.has(value)) return 'keyword';
  if (value === 'true' || value === 'false') return 'bool';
  return value === 'nil' ? 'nil' : 'identifier';
}
