import { type BindingPattern, CompileError, type Definition, type Filter } from './syntax.ts';
import { type Token, tokenize } from './tokens.ts';

const identity: Filter = { kind: 'identity' };

/** Binary operators: their binding power, and the least power of their right operand. */
const powers: Readonly<Record<string, readonly [power: number, right: number]>> = {
  '//': [4, 4],
  '=': [6, 7],
  '|=': [6, 7],
  '+=': [6, 7],
  '-=': [6, 7],
  '*=': [6, 7],
  '/=': [6, 7],
  '%=': [6, 7],
  '//=': [6, 7],
  or: [8, 9],
  and: [10, 11],
  '==': [12, 13],
  '!=': [12, 13],
  '<': [12, 13],
  '<=': [12, 13],
  '>': [12, 13],
  '>=': [12, 13],
  '+': [14, 15],
  '-': [14, 15],
  '*': [16, 17],
  '/': [16, 17],
  '%': [16, 17],
};
const commaPower = 2;

/**
 * Parses a program: definitions and a filter.
 *
 * @throws CompileError
 */
export function parseFilter(text: string): Filter {
  return new Parser(tokenize(text)).parseAll();
}

/** Parses definitions only. */
export function parseDefinitions(text: string): readonly Definition[] {
  return new Parser(tokenize(text)).parseDefinitions();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parseAll(): Filter {
    const filter = this.#tokens.length === 0 ? identity : this.#parsePipe();
    if (this.#at < this.#tokens.length) this.#fail();
    return filter;
  }

  parseDefinitions(): readonly Definition[] {
    const definitions: Definition[] = [];
    while (this.#take('def')) definitions.push(this.#parseDefinition());
    return definitions;
  }

  #parsePipe(): Filter {
    if (this.#take('def')) {
      const definition = this.#parseDefinition();
      // A program may have definitions only.
      return { kind: 'define', definition, body: this.#at === this.#tokens.length ? identity : this.#parsePipe() };
    }
    const left = this.#parseComma();
    return this.#take('|') ? { kind: 'pipe', left, right: this.#parsePipe() } : left;
  }

  #parseComma(): Filter {
    let left = this.#parseBinary(commaPower + 1);
    while (this.#take(',')) left = { kind: 'comma', left, right: this.#parseBinary(commaPower + 1) };
    return left;
  }

  #parseBinary(least: number): Filter {
    let left = this.#parseUnary();
    for (;;) {
      const operator = this.#text();
      const [power, right] = (Object.hasOwn(powers, operator) ? powers[operator] : undefined) ?? [0, 0];
      if (power === 0 || power < least || this.#peek()?.kind === 'string') return left;
      this.#at++;
      left = binary(operator, left, this.#parseBinary(right));
    }
  }

  #parseUnary(): Filter {
    if (this.#take('-')) return { kind: 'negate', of: this.#parsePostfix() };
    if (this.#take('label')) return this.#parseLabel();
    const term = this.#parsePostfix();
    // `.[] as $x | …` extends as far right as possible.
    if (!this.#is('as')) return term;
    this.#at++;
    const pattern = this.#parsePattern();
    this.#expect('|');
    return { kind: 'bind', source: term, pattern, body: this.#parsePipe() };
  }

  #parseLabel(): Filter {
    const name = this.#variable();
    this.#expect('|');
    return { kind: 'label', name, body: this.#parsePipe() };
  }

  #parsePostfix(): Filter {
    let term = this.#parseTerm();
    for (;;) {
      if (this.#take('?')) term = { kind: 'try', body: term, handler: undefined };
      else if (this.#peek()?.kind === 'field') term = { kind: 'index', of: term, key: literal(this.#next().text) };
      else if (this.#is('.') && this.#tokens[this.#at + 1]?.kind === 'string') {
        this.#at++;
        term = { kind: 'index', of: term, key: this.#parseText('') };
      } else if (this.#is('.') && this.#isAt(1, '[')) {
        this.#at += 2;
        term = this.#parseBracket(term);
      } else if (this.#take('[')) term = this.#parseBracket(term);
      else return term;
    }
  }

  /** After `[`: an index, a slice, or all items. */
  #parseBracket(of: Filter): Filter {
    if (this.#take(']')) return { kind: 'iterate', of };
    if (this.#take(':')) {
      const to = this.#parsePipe();
      this.#expect(']');
      return { kind: 'slice', of, from: undefined, to };
    }
    const key = this.#parsePipe();
    if (!this.#take(':')) {
      this.#expect(']');
      return { kind: 'index', of, key };
    }
    const to = this.#is(']') ? undefined : this.#parsePipe();
    this.#expect(']');
    return { kind: 'slice', of, from: key, to };
  }

  #parseTerm(): Filter {
    const token = this.#peek();
    if (token === undefined) return this.#fail();
    if (token.kind === 'string') return this.#parseText('');
    this.#at++;
    switch (token.kind) {
      case 'number':
        return literal(token.value);
      case 'field':
        return { kind: 'index', of: identity, key: literal(token.text) };
      case 'variable':
        return { kind: 'variable', name: token.text };
      case 'format':
        return this.#peek()?.kind === 'string' ? this.#parseText(token.text) : { kind: 'format', name: token.text };
      case 'word':
        return this.#parseWord(token.text);
      case 'symbol':
        return this.#parseSymbol(token.text);
      default:
        return token satisfies never;
    }
  }

  #parseSymbol(symbol: string): Filter {
    switch (symbol) {
      case '..':
        return { kind: 'recurse' };
      case '.':
        if (this.#peek()?.kind === 'string') return { kind: 'index', of: identity, key: this.#parseText('') };
        return identity;
      case '(': {
        const inner = this.#parsePipe();
        this.#expect(')');
        return inner;
      }
      case '[': {
        const items = this.#is(']') ? undefined : this.#parsePipe();
        this.#expect(']');
        return { kind: 'array', items };
      }
      case '{':
        return this.#parseObject();
      default:
        this.#at--;
        return this.#fail();
    }
  }

  #parseWord(word: string): Filter {
    switch (word) {
      case 'if':
        return this.#parseIf();
      case 'try': {
        const body = this.#parsePostfix();
        return { kind: 'try', body, handler: this.#take('catch') ? this.#parsePostfix() : undefined };
      }
      case 'reduce':
      case 'foreach':
        return this.#parseFold(word);
      case 'def': {
        const definition = this.#parseDefinition();
        return { kind: 'define', definition, body: this.#parsePipe() };
      }
      case 'break':
        return { kind: 'break', name: this.#variable() };
      default:
        return { kind: 'call', name: word, args: this.#parseArguments(() => this.#parsePipe()) };
    }
  }

  #parseIf(): Filter {
    const condition = this.#parsePipe();
    this.#expect('then');
    const then = this.#parsePipe();
    if (this.#take('elif')) return { kind: 'if', condition, then, otherwise: this.#parseIf() };
    const otherwise = this.#take('else') ? this.#parsePipe() : identity;
    this.#expect('end');
    return { kind: 'if', condition, then, otherwise };
  }

  #parseFold(kind: 'reduce' | 'foreach'): Filter {
    const source = this.#parsePostfix();
    this.#expect('as');
    const pattern = this.#parsePattern();
    const [initial, update, extract] = this.#parseArguments(() => this.#parsePipe());
    if (initial === undefined || update === undefined) return this.#fail();
    return { kind, source, pattern, initial, update, extract };
  }

  #parseArguments<Argument>(parse: () => Argument): readonly Argument[] {
    const args: Argument[] = [];
    if (!this.#take('(')) return args;
    do args.push(parse());
    while (this.#take(';'));
    this.#expect(')');
    return args;
  }

  /** After `def`. */
  #parseDefinition(): Definition {
    const name = this.#word();
    const parameters = this.#parseArguments(() => {
      const token = this.#next();
      return token.kind === 'variable' ? `$${token.text}` : token.text;
    });
    this.#expect(':');
    const body = this.#parsePipe();
    this.#expect(';');
    return { name, parameters, body };
  }

  #parsePattern(): BindingPattern {
    if (this.#take('[')) {
      const items: BindingPattern[] = [];
      do items.push(this.#parsePattern());
      while (this.#take(','));
      this.#expect(']');
      return { kind: 'array', items };
    }
    if (!this.#take('{')) return { kind: 'variable', name: this.#variable() };
    const entries: (readonly [Filter, BindingPattern | undefined, string?])[] = [];
    do {
      const bound = this.#peek()?.kind === 'variable' ? this.#variable() : undefined;
      const key = bound === undefined ? this.#parseKey() : literal(bound);
      const value = this.#take(':') ? this.#parsePattern() : undefined;
      entries.push(bound === undefined ? [key, value] : [key, value, bound]);
    } while (this.#take(','));
    this.#expect('}');
    return { kind: 'object', entries };
  }

  /** After `{`. */
  #parseObject(): Filter {
    const entries: (readonly [Filter, Filter])[] = [];
    while (!this.#is('}')) {
      const token = this.#peek();
      if (token?.kind === 'variable') {
        this.#at++;
        entries.push([literal(token.text), { kind: 'variable', name: token.text }]);
      } else {
        const key = this.#parseKey();
        entries.push([key, this.#take(':') ? this.#parseValue() : { kind: 'index', of: identity, key }]);
      }
      if (!this.#take(',')) break;
    }
    this.#expect('}');
    return { kind: 'object', entries };
  }

  #parseKey(): Filter {
    const token = this.#peek();
    if (token?.kind === 'string') return this.#parseText('');
    if (this.#take('(')) {
      const key = this.#parsePipe();
      this.#expect(')');
      return key;
    }
    this.#at++;
    if (token?.kind === 'word') return literal(token.text);
    if (token?.kind === 'format')
      return this.#peek()?.kind === 'string' ? this.#parseText(token.text) : { kind: 'format', name: token.text };
    this.#at--;
    return this.#fail();
  }

  /** The value of an object's entry: without a comma, and with pipes between its terms. */
  #parseValue(): Filter {
    const left = this.#parseBinary(commaPower + 1);
    return this.#take('|') ? { kind: 'pipe', left, right: this.#parseValue() } : left;
  }

  #parseText(format: string): Filter {
    const token = this.#next();
    if (token.kind !== 'string') return this.#fail();
    const parts = token.parts.map((part) => (typeof part === 'string' ? part : new Parser(part).parseAll()));
    const [only] = parts;
    return parts.length === 1 && typeof only === 'string' ? literal(only) : { kind: 'text', parts, format };
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token & { readonly text: string } {
    const token = this.#tokens[this.#at++];
    if (token === undefined) return this.#fail();
    return 'text' in token ? token : { ...token, text: '' };
  }

  #text(): string {
    const token = this.#peek();
    return token !== undefined && (token.kind === 'symbol' || token.kind === 'word') ? token.text : '';
  }

  #is(text: string): boolean {
    return this.#text() === text;
  }

  #isAt(offset: number, symbol: string): boolean {
    const token = this.#tokens[this.#at + offset];
    return token?.kind === 'symbol' && token.text === symbol;
  }

  #take(text: string): boolean {
    const found = this.#is(text);
    if (found) this.#at++;
    return found;
  }

  #expect(text: string): void {
    if (!this.#take(text)) this.#fail();
  }

  #word(): string {
    const token = this.#next();
    return token.kind === 'word' ? token.text : this.#fail();
  }

  #variable(): string {
    const token = this.#next();
    return token.kind === 'variable' ? token.text : this.#fail();
  }

  #fail(): never {
    const token = this.#peek();
    if (token === undefined) throw new CompileError('syntax error, unexpected $end (Unix shell quoting issues?)');
    const names = { number: 'LITERAL', string: 'QQSTRING_START', field: 'FIELD', word: 'IDENT', variable: 'IDENT', format: 'FORMAT' };
    throw new CompileError(
      `syntax error, unexpected ${token.kind === 'symbol' ? `'${token.text}'` : names[token.kind]} (Unix shell quoting issues?)`,
    );
  }
}

function literal(value: string | number): Filter {
  return { kind: 'literal', value };
}

function binary(operator: string, left: Filter, right: Filter): Filter {
  if (operator === '//') return { kind: 'alternative', left, right };
  if (operator === 'and' || operator === 'or') return { kind: operator, left, right };
  if (/[^=!<>]=$|^=$/.test(operator)) return { kind: 'assign', operator, left, right };
  return { kind: 'operator', operator, left, right };
}
