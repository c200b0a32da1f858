import type { KubectlError } from '../../program/errors.ts';
import { isFunction } from './functions.ts';
import { parseError, type Token, type TokenType, tokenize } from './lexer.ts';
import { literalTerm } from './literals.ts';
import type { Command, Node, Pipe, Term } from './nodes.ts';

/** The nodes up to `end`, `else` or the end of the template. */
interface Block {
  readonly nodes: readonly Node[];
  readonly end: 'end' | 'else' | 'eof';
}

/** Parses a template; `definitions` has its named templates. Cf. Go's text/template/parse. */
export class TemplateParser {
  readonly definitions: Map<string, readonly Node[]> = new Map();
  readonly #template: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #variables: string[] = ['$'];
  #rangeDepth = 0;
  #depth = 0;

  /** @throws KubectlError */
  constructor(template: string) {
    this.#template = template;
    this.#tokens = tokenize(template);
  }

  /** @throws KubectlError */
  parse(): readonly Node[] {
    const { nodes, end } = this.#block();
    if (end !== 'eof') throw this.#error(`unexpected {{${end}}}`);
    return nodes;
  }

  #error(message: string, token: Token | undefined = this.#tokens[this.#next - 1]): KubectlError {
    return parseError(this.#template, token?.at ?? 0, message);
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { type: 'eof', value: '', at: this.#template.length };
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #peekNonSpace(): Token {
    while (this.#peek().type === 'space') this.#next++;
    return this.#peek();
  }

  #takeNonSpace(): Token {
    this.#peekNonSpace();
    return this.#take();
  }

  #expect(type: TokenType, context: string): Token {
    const token = this.#takeNonSpace();
    if (token.type !== type) throw this.#unexpected(token, context);
    return token;
  }

  #unexpected(token: Token, context: string): KubectlError {
    const shown = token.type === 'eof' ? 'EOF' : token.type === 'keyword' ? `<${token.value}>` : JSON.stringify(token.value);
    return this.#error(`unexpected ${shown}${token.type === 'eof' ? '' : ` in ${context}`}`, token);
  }

  #block(): Block {
    const nodes: Node[] = [];
    for (;;) {
      const token = this.#take();
      if (token.type === 'eof') return { nodes, end: 'eof' };
      if (token.type === 'text') nodes.push({ type: 'text', text: token.value });
      if (token.type !== 'left') continue;
      const word = this.#peekNonSpace();
      if (word.type === 'keyword' && (word.value === 'end' || word.value === 'else')) {
        this.#take();
        if (word.value === 'end') this.#expect('right', 'end');
        return { nodes, end: word.value };
      }
      if (word.type !== 'keyword') nodes.push({ type: 'print', pipe: this.#pipe('command', 'right') });
      else {
        this.#take();
        nodes.push(...this.#action(word));
      }
    }
  }

  #action(word: Token): Node[] {
    switch (word.value) {
      case 'if':
      case 'with':
      case 'range':
        return [this.#control(word.value)];
      case 'break':
      case 'continue':
        this.#expect('right', `{{${word.value}}}`);
        if (this.#rangeDepth === 0) throw this.#error(`{{${word.value}}} outside {{range}}`);
        return [{ type: 'leave', what: word.value }];
      case 'define':
        if (this.#depth > 0) throw this.#unexpected(word, 'command');
        this.#define(this.#name('define clause').name);
        return [];
      case 'block': {
        const { name, at } = this.#name('block clause');
        const pipe = this.#pipe('block clause', 'right');
        this.#define(name, false);
        return [{ type: 'call', name, pipe, at, text: `{{template ${JSON.stringify(name)} ${pipe.text}}}` }];
      }
      default:
        return [this.#call()];
    }
  }

  #name(context: string): { readonly name: string; readonly at: number } {
    const token = this.#takeNonSpace();
    if (token.type !== 'string' && token.type !== 'rawString') throw this.#unexpected(token, context);
    return { name: String(literalTerm(token, this.#template).value), at: token.at };
  }

  #call(): Node {
    const { name, at } = this.#name('template clause');
    const hasPipe = this.#peekNonSpace().type !== 'right';
    const pipe = hasPipe ? this.#pipe('template clause', 'right') : undefined;
    if (!pipe) this.#take();
    return { type: 'call', name, pipe, at, text: `{{template ${JSON.stringify(name)}${pipe ? ` ${pipe.text}` : ''}}}` };
  }

  #define(name: string, expectsEnd = true): void {
    if (expectsEnd) this.#expect('right', 'define clause');
    if (this.definitions.has(name)) throw this.#error(`template: multiple definition of template ${JSON.stringify(name)}`);
    const outside = { variables: this.#variables, ranges: this.#rangeDepth };
    this.#variables = ['$'];
    this.#rangeDepth = 0;
    this.#depth++;
    const { nodes, end } = this.#block();
    if (end !== 'end') throw this.#error(end === 'eof' ? 'unexpected EOF' : 'unexpected {{else}} in define clause');
    this.#depth--;
    this.#variables = outside.variables;
    this.#rangeDepth = outside.ranges;
    this.definitions.set(name, nodes);
  }

  #control(type: 'if' | 'with' | 'range'): Node {
    const known = this.#variables.length;
    const pipe = this.#pipe(type, 'right');
    this.#depth++;
    if (type === 'range') this.#rangeDepth++;
    const { nodes: body, end } = this.#block();
    if (type === 'range') this.#rangeDepth--;
    if (end === 'eof') throw this.#error('unexpected EOF');
    const otherwise = end === 'else' ? this.#otherwise(type) : [];
    this.#depth--;
    this.#variables = this.#variables.slice(0, known);
    return { type, pipe, body, otherwise };
  }

  /** After `else`: a chained `if` or `with`, or the nodes up to `end`. */
  #otherwise(type: 'if' | 'with' | 'range'): readonly Node[] {
    const word = this.#peekNonSpace();
    if (word.type === 'keyword' && word.value === type && type !== 'range') {
      this.#take();
      return [this.#control(type)];
    }
    this.#expect('right', 'else');
    const { nodes, end } = this.#block();
    if (end !== 'end') throw this.#error(end === 'eof' ? 'unexpected EOF' : 'expected end; found {{else}}');
    return nodes;
  }

  #pipe(context: string, end: 'right' | 'rightParen'): Pipe {
    const { at } = this.#peekNonSpace();
    const declared = this.#declarations(context);
    const commands: Command[] = [];
    for (;;) {
      const token = this.#peekNonSpace();
      if (token.type === end) {
        this.#take();
        if (commands.length === 0) throw this.#error(`missing value for ${context}`);
        break;
      }
      commands.push(this.#command(context));
    }
    // Only the first command of a pipeline may be a literal.
    const literal = commands.slice(1).findIndex(({ terms: [first] }) => first?.type === 'value' || first?.type === 'dot');
    if (literal >= 0) throw this.#error(`non executable command in pipeline stage ${literal + 2}`);
    this.#variables.push(...(declared.assigns ? [] : declared.variables));
    const head = declared.variables.length === 0 ? '' : `${declared.variables.join(', ')} ${declared.assigns ? '=' : ':='} `;
    return { ...declared, commands, at, text: `${head}${commands.map(({ text }) => text).join(' | ')}` };
  }

  /** `$x :=`, `$k, $v :=` or `$x =` at the start of a pipeline. */
  #declarations(context: string): { readonly variables: readonly string[]; readonly assigns: boolean } {
    const start = this.#next;
    const variables: string[] = [];
    while (this.#peekNonSpace().type === 'variable') {
      variables.push(this.#take().value);
      const token = this.#peekNonSpace();
      if (token.type === 'declare' || token.type === 'assign') {
        this.#take();
        return { variables, assigns: token.type === 'assign' };
      }
      if (token.type !== 'comma' || context !== 'range' || variables.length > 1) break;
      this.#take();
    }
    this.#next = start;
    return { variables: [], assigns: false };
  }

  #command(context: string): Command {
    const { at } = this.#peekNonSpace();
    const terms: Term[] = [];
    for (;;) {
      this.#peekNonSpace();
      const term = this.#operand();
      if (term) terms.push(term);
      const token = this.#peek();
      if (token.type === 'space' && term) continue;
      if (token.type === 'pipe') {
        this.#take();
        if (['right', 'rightParen', 'pipe'].includes(this.#peekNonSpace().type)) throw this.#error(`missing value for ${context}`);
      } else if (token.type !== 'right' && token.type !== 'rightParen') throw this.#unexpected(token, 'operand');
      if (terms.length === 0) throw this.#error('empty command');
      return { terms, at, text: terms.map(({ text, type }) => (type === 'nested' ? `(${text})` : text)).join(' ') };
    }
  }

  #operand(): Term | undefined {
    const token = this.#peek();
    const term = this.#term(token);
    if (!term || this.#peek().type !== 'field') return term;
    const { at } = this.#peek();
    const path: string[] = [];
    while (this.#peek().type === 'field') path.push(this.#take().value.slice(1));
    const suffix = path.map((name) => `.${name}`).join('');
    if (term.type === 'field' || term.type === 'variable')
      return { ...term, at, path: [...term.path, ...path], text: `${term.text}${suffix}` };
    if (term.type === 'value') throw this.#error(`unexpected . after term ${JSON.stringify(term.text)}`);
    const inner = term.type === 'nested' ? `(${term.text})` : term.text;
    return { type: 'chain', inner: term, path, at, text: `${inner}${suffix}` };
  }

  #term(token: Token): Term | undefined {
    const { type, value, at } = token;
    switch (type) {
      case 'identifier':
        this.#take();
        if (!isFunction(value)) throw this.#error(`function ${JSON.stringify(value)} not defined`);
        return { type: 'function', name: value, at, text: value };
      case 'dot':
        this.#take();
        return { type: 'dot', at, text: '.' };
      case 'field':
        this.#take();
        return { type: 'field', path: [value.slice(1)], at, text: value };
      case 'variable':
        this.#take();
        if (!this.#variables.includes(value)) throw this.#error(`undefined variable ${JSON.stringify(value)}`);
        return { type: 'variable', name: value, path: [], at, text: value };
      case 'leftParen': {
        this.#take();
        const pipe = this.#pipe('parenthesized pipeline', 'rightParen');
        return { type: 'nested', pipe, at, text: pipe.text };
      }
      case 'nil':
      case 'bool':
      case 'number':
      case 'string':
      case 'rawString':
      case 'character':
        this.#take();
        return literalTerm(token, this.#template);
      default:
        return undefined;
    }
  }
}
