import { ownMember } from '../../meta/index.ts';
import type { Expr, MapEntry, StructField } from './ast.ts';
import { type ExpectedContext, expectedTokensOf } from './expected-tokens.ts';
import { type Issue, SyntaxIssues } from './issues.ts';
import { LiteralError, readBytes, readDouble, readInt, readString, readUint } from './literals.ts';
import { expandMacro, isIssue, type MacroLibrary } from './macros.ts';
import { balanceTerms, call, products, relations, sums } from './operators.ts';
import { type Token, type TokenKind, tokensOf } from './tokens.ts';

/** Maximum nesting; deeper expressions are rejected, as upstream. */
const maxDepth = 250;
const maxCodePoints = 100_000;

const reserved = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(' '),
);

/** @throws SyntaxIssues */
export function parseExpression(source: string, hasMacros: (library: MacroLibrary) => boolean): Expr {
  const length = [...source].length;
  if (length > maxCodePoints) {
    const message = `expression code point size exceeds limit: size: ${length}, limit ${maxCodePoints}`;
    throw new SyntaxIssues([{ at: 0, message }]);
  }
  return new Parser(source, hasMacros).parseAll();
}

class Parser {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  readonly #hasMacros: (library: MacroLibrary) => boolean;
  readonly #issues: Issue[] = [];
  #next = 0;
  /** Start of a special expression, for the list of expected tokens. */
  #beginning: { readonly at: number; readonly kind: ExpectedContext } = { at: -1, kind: 'expression' };
  #depth = 0;

  constructor(source: string, hasMacros: (library: MacroLibrary) => boolean) {
    this.#source = source;
    this.#tokens = tokensOf(source, (issue) => this.#issues.push(issue));
    this.#hasMacros = hasMacros;
  }

  parseAll(): Expr {
    const expr = this.#expr();
    const rest = this.#peek();
    if (rest.kind !== 'end') {
      const last = this.#tokens[this.#next + 1]?.kind === 'end';
      this.#fail(rest, `${last ? 'extraneous' : 'mismatched'} input '${rest.text}' expecting <EOF>`);
    }
    if (this.#issues.length > 0) throw new SyntaxIssues(this.#issues);
    return expr;
  }

  #expr(): Expr {
    return this.#withDepth(() => {
      this.#enter();
      const condition = this.#logical('||');
      const mark = this.#take('?');
      if (!mark) return condition;
      const whenTrue = this.#logical('||');
      this.#expect(':');
      return call('_?_:_', mark.at, condition, whenTrue, this.#expr());
    });
  }

  #logical(sign: '||' | '&&'): Expr {
    const operand = () => (sign === '||' ? this.#logical('&&') : this.#binary(relations, () => this.#sum()));
    const terms = [operand()];
    const signs: Token[] = [];
    for (let found = this.#take(sign); found; found = this.#take(sign)) {
      signs.push(found);
      terms.push(operand());
    }
    return signs.length === 0 ? (terms[0] as Expr) : balanceTerms(`_${sign}_`, terms, signs, 0, signs.length - 1);
  }

  #sum(): Expr {
    return this.#binary(sums, () => this.#binary(products, () => this.#unary()));
  }

  #binary(operators: Readonly<Record<string, string>>, operand: () => Expr): Expr {
    return this.#withDepth(() => {
      let left = operand();
      for (let operator = this.#operator(operators); operator !== undefined; operator = this.#operator(operators)) {
        const { at } = this.#advance();
        this.#enter();
        left = call(operator, at, left, operand());
      }
      return left;
    });
  }

  #operator(operators: Readonly<Record<string, string>>): string | undefined {
    const { kind, text } = this.#peek();
    return kind === 'sign' || kind === 'word' ? ownMember(operators, text) : undefined;
  }

  #unary(): Expr {
    const first = this.#peek();
    if (first.kind !== 'sign' || (first.text !== '!' && first.text !== '-')) return this.#member();
    const number = this.#tokens[this.#next + 1]?.kind;
    if (first.text === '-' && (number === 'int' || number === 'float')) return this.#member();
    let count = 0;
    while (this.#take(first.text)) count += 1;
    const operand = this.#member();
    return count % 2 === 0 ? operand : call(first.text === '!' ? '!_' : '-_', first.at, operand);
  }

  #member(): Expr {
    return this.#withDepth(() => {
      let expr = this.#primary();
      for (let more = this.#suffix(expr); more; more = this.#suffix(expr)) {
        this.#enter();
        expr = more;
      }
      return expr;
    });
  }

  #suffix(operand: Expr): Expr | undefined {
    const dot = this.#take('.');
    if (dot) return this.#afterDot(operand, dot);
    const bracket = this.#take('[');
    if (!bracket) return undefined;
    this.#begin('index');
    const optional = this.#take('?') !== undefined;
    const index = this.#expr();
    this.#expect(']');
    return call(optional ? '_[?_]' : '_[_]', bracket.at, operand, index);
  }

  #afterDot(operand: Expr, dot: Token): Expr {
    const optional = this.#take('?') !== undefined;
    const name = this.#peek();
    if (name.text === 'in' && !optional) return this.#beforeIn(operand, dot, name);
    this.#advance();
    if (name.kind === 'escaped-name') this.#issues.push({ at: name.at, message: "unsupported syntax: '`'" });
    else if (name.kind !== 'name') this.#fail(name, this.#noMember(dot, name, optional));
    if (optional) return call('_?._', dot.at, operand, { kind: 'literal', at: name.at, value: name.text });
    const open = name.kind === 'name' ? this.#take('(') : undefined;
    if (open) return this.#callOf(name.text, open.at, operand, this.#arguments());
    return { kind: 'select', at: dot.at, operand, field: name.text, test: false };
  }

  /** ANTLR takes the word for an operator then. */
  #beforeIn(operand: Expr, dot: Token, word: Token): Expr {
    this.#issues.push({ at: word.at, message: `Syntax error: ${this.#noAlternative(dot, word)}` });
    return operand;
  }

  /** The error contains all tokens in between, as ANTLR's does. */
  #noAlternative(from: Token, to: Token): string {
    const end = to.kind === 'end' ? this.#source.length : to.at + to.text.length;
    const shown = this.#source.slice(from.at, end).replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
    return `no viable alternative at input '${shown}'`;
  }

  #noMember(dot: Token, found: Token, optional: boolean): string {
    if (found.kind === 'word' && found.text !== 'in' && found.at === dot.at + 1 && !optional)
      return `mismatched input '${found.text}' expecting IDENTIFIER`;
    if (optional) return `mismatched input '${found.text}' expecting {IDENTIFIER, ESC_IDENTIFIER}`;
    return this.#noAlternative(dot, found);
  }

  #primary(): Expr {
    const token = this.#peek();
    const literal = this.#literal();
    if (literal) return literal;
    if (this.#take('(')) {
      const expr = this.#expr();
      this.#expect(')');
      return expr;
    }
    if (this.#take('[')) return this.#list(token.at);
    if (this.#take('{')) return this.#map(token.at);
    const dot = this.#take('.');
    const name = this.#peek();
    if (name.kind === 'name') return this.#parseName(dot);
    if (!dot) return this.#skipExtraneous(name);
    return this.#fail(name, this.#noMember(dot, name, false));
  }

  #begin(kind: ExpectedContext): void {
    this.#beginning = { at: this.#next, kind };
  }

  /** Reports and skips one extraneous token before an expression. */
  #skipExtraneous(token: Token): Expr {
    const kind = this.#beginning.at === this.#next ? this.#beginning.kind : 'expression';
    const expecting = `input '${token.text}' expecting ${expectedTokensOf(kind)}`;
    const after = this.#tokens[this.#next + 1];
    if (!after || !beginsExpression(after) || token.kind === 'end') this.#fail(token, `mismatched ${expecting}`);
    this.#issues.push({ at: token.at, message: `Syntax error: extraneous ${expecting}` });
    this.#advance();
    return this.#unary();
  }

  #parseName(dot: Token | undefined): Expr {
    const message = this.#messageName();
    const name = this.#advance();
    if (message) {
      this.#next = message.brace;
      return this.#struct(this.#advance().at, `${dot ? '.' : ''}${message.name}`);
    }
    const text = `${dot ? '.' : ''}${name.text}`;
    if (reserved.has(name.text)) this.#issues.push({ at: (dot ?? name).at, message: `reserved identifier: ${name.text}` });
    const open = this.#take('(');
    return open ? this.#callOf(text, open.at, undefined, this.#arguments()) : { kind: 'ident', at: name.at, name: text };
  }

  /** `a.b.C{`: names before a brace form a message name. */
  #messageName(): { readonly name: string; readonly brace: number } | undefined {
    let at = this.#next;
    let name = '';
    for (;;) {
      const part = this.#tokens[at];
      if (part?.kind !== 'name') return undefined;
      name += part.text;
      const after = this.#tokens[at + 1];
      if (after?.text === '{' && after.kind === 'sign') return { name, brace: at + 1 };
      if (after?.text !== '.' || after.kind !== 'sign') return undefined;
      name += '.';
      at += 2;
    }
  }

  #literal(): Expr | undefined {
    const token = this.#peek();
    const negative = token.kind === 'sign' && token.text === '-';
    const number = negative ? (this.#tokens[this.#next + 1] as Token) : token;
    const read = literals[number.kind];
    if (!read || (negative && number.kind !== 'int' && number.kind !== 'float') || number.text === 'in') return undefined;
    this.#next += negative ? 2 : 1;
    try {
      return { kind: 'literal', at: token.at, value: read(number.text, negative) };
    } catch (error) {
      if (!(error instanceof LiteralError)) throw error;
      this.#issues.push({ at: token.at, message: error.message });
      return { kind: 'literal', at: token.at, value: null };
    }
  }

  #list(at: number): Expr {
    const elements: Expr[] = [];
    const optionals = new Set<number>();
    this.#parseSeparated(']', () => {
      if (this.#take('?')) optionals.add(elements.length);
      elements.push(this.#expr());
    });
    return { kind: 'list', at, elements, optionals };
  }

  #map(at: number): Expr {
    const entries: MapEntry[] = [];
    this.#parseSeparated('}', () => {
      const optional = this.#take('?') !== undefined;
      const key = this.#expr();
      const colon = this.#expect(':');
      entries.push({ at: colon.at, key, value: this.#expr(), optional });
    });
    return { kind: 'map', at, entries };
  }

  #struct(at: number, typeName: string): Expr {
    const fields: StructField[] = [];
    this.#parseSeparated('}', () => {
      const optional = this.#take('?') !== undefined;
      const name = this.#advance();
      if (name.kind !== 'name') this.#fail(name, `mismatched input '${name.text}' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}`);
      const colon = this.#expect(':');
      fields.push({ at: colon.at, name: name.text, value: this.#expr(), optional });
    });
    return { kind: 'struct', at, typeName, fields };
  }

  /** Parts separated by commas; a trailing comma is allowed. */
  #parseSeparated(close: ']' | '}', part: () => void): void {
    this.#begin(close === ']' ? 'element' : 'key');
    while (!this.#take(close)) {
      part();
      if (this.#take(',')) continue;
      const end = this.#advance();
      if (end.kind !== 'sign' || end.text !== close) this.#fail(end, `mismatched input '${end.text}' expecting {'${close}', ','}`);
      return;
    }
  }

  #arguments(): readonly Expr[] {
    const args: Expr[] = [];
    if (this.#take(')')) return args;
    this.#begin('argument');
    do args.push(this.#expr());
    while (this.#take(','));
    this.#expect(')');
    return args;
  }

  #callOf(name: string, at: number, target: Expr | undefined, args: readonly Expr[]): Expr {
    const expanded = expandMacro(name, { at, target, args }, this.#hasMacros);
    if (!expanded) return { kind: 'call', at, name, target, args };
    if (!isIssue(expanded)) return expanded;
    this.#issues.push(expanded);
    return { kind: 'literal', at, value: null };
  }

  /** Restores the depth after a nested read. */
  #withDepth<T>(read: () => T): T {
    const before = this.#depth;
    const value = read();
    this.#depth = before;
    return value;
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new SyntaxIssues([{ at: 0, message: 'expression recursion limit exceeded: 250' }]);
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token;
  }

  /** Never advances past the end. */
  #advance(): Token {
    const token = this.#peek();
    if (token.kind !== 'end') this.#next += 1;
    return token;
  }

  #take(sign: string): Token | undefined {
    const token = this.#peek();
    return token.kind === 'sign' && token.text === sign ? this.#advance() : undefined;
  }

  #expect(sign: string): Token {
    const found = this.#take(sign);
    if (found) return found;
    const token = this.#peek();
    if (sign !== ':' && token.kind === 'end') this.#fail(token, `missing '${sign}' at '<EOF>'`);
    const extraneous = this.#tokens[this.#next + 1]?.text === sign;
    if (sign === ':' && !extraneous && beginsExpression(token)) {
      this.#issues.push({ at: token.at, message: `Syntax error: missing ':' at '${token.text}'` });
      return token;
    }
    return this.#fail(token, `${extraneous ? 'extraneous' : 'mismatched'} input '${token.text}' expecting '${sign}'`);
  }

  #fail(token: Token, message: string): never {
    throw new SyntaxIssues([...this.#issues, { at: token.at, message: `Syntax error: ${message}` }]);
  }
}

function beginsExpression({ kind, text }: Token): boolean {
  return kind === 'sign' ? '[{(.-!'.includes(text) : kind !== 'end' && text !== 'in';
}

const literals: Readonly<Partial<Record<TokenKind, (text: string, negative: boolean) => LiteralValue>>> = {
  int: readInt,
  uint: readUint,
  float: readDouble,
  string: readString,
  bytes: readBytes,
  word: (text) => (text === 'null' ? null : text === 'true'),
};

type LiteralValue = Extract<Expr, { kind: 'literal' }>['value'];
