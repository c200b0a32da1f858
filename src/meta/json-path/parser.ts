import { JsonPathError } from './json-path-error.ts';

export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'path'; readonly steps: readonly Step[] }
  | { readonly type: 'range'; readonly steps: readonly Step[]; readonly body: readonly Node[] };

export type Step =
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'literal'; readonly value: unknown }
  /** An error of execution. */
  | { readonly type: 'failure'; readonly message: string }
  | { readonly type: 'union'; readonly parts: readonly (readonly Step[])[] }
  | { readonly type: 'filter'; readonly filter: Filter }
  /** `to` is `one` for a single index. */
  | { readonly type: 'slice'; readonly from: number | undefined; readonly to: number | undefined | 'one'; readonly by: number | undefined };

export interface Filter {
  readonly left: readonly Step[];
  readonly operator: string;
  readonly right: readonly Step[];
}

/** @throws JsonPathError with client-go's message */
export function parseJsonPath(template: string): readonly Node[] {
  return new Parser(template).readNodes(false);
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }
  /** Whether the last range had an `{end}`. */
  #ended = false;

  readNodes(inRange: boolean): Node[] {
    const nodes: Node[] = [];
    while (this.#at < this.#text.length) {
      const open = this.#text.indexOf('{', this.#at);
      if (open !== this.#at) {
        const end = open < 0 ? this.#text.length : open;
        nodes.push({ type: 'text', text: this.#text.slice(this.#at, end) });
        this.#at = end;
        continue;
      }
      const body = this.#readAction();
      if (body === 'end') {
        if (!inRange) {
          nodes.push({ type: 'path', steps: [{ type: 'failure', message: 'not in range, nothing to end' }] });
          continue;
        }
        this.#ended = true;
        return nodes;
      }
      if (/^range\b/.test(body)) {
        const steps = parsePath(body.slice(5).trim());
        const within = this.readNodes(true);
        // A range without `{end}` extends to the end of the template; client-go then evaluates its nodes outside of it, too.
        const outside = this.#ended ? [] : within;
        this.#ended = false;
        nodes.push({ type: 'range', steps, body: within }, ...outside);
      } else nodes.push({ type: 'path', steps: parsePath(body) });
    }
    return nodes;
  }

  /** Reads the text between braces. */
  #readAction(): string {
    const from = this.#at + 1;
    const brackets: number[] = [];
    for (let at = from; at < this.#text.length; at++) {
      const char = this.#text[at] ?? '';
      if (char === '\\') at++;
      else if (char === '"' || char === "'") at = this.#endOfQuoted(at);
      else if (char === '[') brackets.push(at);
      else if (char === ']') brackets.pop();
      else if (char === '{' && brackets.length === 0) throw new JsonPathError("unrecognized character in action: U+007B '{'");
      else if (char === '}') {
        this.#at = at + 1;
        return this.#text.slice(from, at).trim();
      }
    }
    throw new JsonPathError(brackets[0] === undefined ? 'unclosed action' : unterminated(this.#text.slice(brackets[0])));
  }

  /** The index of the closing quote, or the end of the text. */
  #endOfQuoted(open: number): number {
    const quote = this.#text[open];
    for (let at = open + 1; at < this.#text.length; at++) {
      if (this.#text[at] === '\\') at++;
      else if (this.#text[at] === quote) return at;
    }
    return this.#text.length;
  }
}

function parsePath(text: string): readonly Step[] {
  return new PathReader(text).readSteps();
}

class PathReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #peek(): string {
    return this.#text[this.#at] ?? '';
  }

  /** Reads all steps. Each applies to the results of those before, also after a space: `{.a "text"}` is the text. */
  readSteps(): readonly Step[] {
    const steps: Step[] = [];
    for (;;) {
      const char = this.#peek();
      if (char === '') return steps;
      const literal = /^-?\d+(?:\.\d+)?(?![\w.])|^(?:true|false)\b/.exec(this.#text.slice(this.#at))?.[0];
      if (/[\s$@]/.test(char)) this.#at++;
      else if (char === '"' || char === "'") steps.push({ type: 'literal', value: this.#readQuoted() });
      else if (literal !== undefined) {
        this.#at += literal.length;
        steps.push({ type: 'literal', value: JSON.parse(literal) as unknown });
      } else if (this.#text.startsWith('..', this.#at)) steps.push(this.#readRecursive());
      else if (char === '[') steps.push(this.#readBrackets());
      else if (char === '.') steps.push(...this.#readDot());
      else steps.push(this.#readIdentifier());
    }
  }

  #readQuoted(): string {
    const [quoted, , inner] = /^(["'])((?:\\[\s\S]|(?!\1)[^\\])*)\1/.exec(this.#text.slice(this.#at)) ?? [];
    if (quoted === undefined || inner === undefined) throw new JsonPathError('unterminated quoted string');
    this.#at += quoted.length;
    return inner.replace(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, char: string) =>
      code === undefined ? ({ n: '\n', t: '\t', r: '\r' }[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16)),
    );
  }

  #readRecursive(): Step {
    const after = this.#text[this.#at + 2];
    // A single dot belongs to the field that follows.
    this.#at += after === '[' || after === '.' ? 2 : 1;
    if (this.#peek() === '') throw new JsonPathError('invalid syntax: ..');
    return { type: 'recursive' };
  }

  /** The field after a dot; none before brackets and at the end. */
  #readDot(): readonly Step[] {
    this.#at++;
    if (this.#peek() === '[') return [];
    const name = this.#readName();
    if (name === '') return [];
    return [name === '*' ? { type: 'wildcard' } : { type: 'field', name }];
  }

  #readIdentifier(): Step {
    const char = this.#peek();
    if (!/[\p{L}\p{N}_]/u.test(char)) throw new JsonPathError(`unrecognized character in action: ${codePoint(char)}`);
    const name = this.#readName();
    return { type: 'failure', message: `unrecognized identifier ${name}` };
  }

  #readName(): string {
    let name = '';
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#peek();
      if (char === '\\') name += this.#text[++this.#at] ?? '';
      else if (/[\s.,[\]$@{}]/.test(char)) break;
      else name += char;
    }
    return name;
  }

  #readBrackets(): Step {
    const from = this.#at + 1;
    let depth = 0;
    let quote = '';
    for (let at = this.#at; at < this.#text.length; at++) {
      const char = this.#text[at] ?? '';
      if (char === '\\') at++;
      else if (quote !== '') quote = char === quote ? '' : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === '[') depth++;
      else if (char === ']' && --depth === 0) {
        this.#at = at + 1;
        return parseBrackets(this.#text.slice(from, at));
      }
    }
    throw new JsonPathError(unterminated(this.#text.slice(from - 1)));
  }
}

/** The error for a text that starts with an unclosed bracket. */
function unterminated(text: string): string {
  if (!text.startsWith('[?(')) return 'unterminated array';
  return text.includes(')') ? 'unclosed array expect ]' : 'unterminated filter';
}

function codePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${char}'`;
}

function parseBrackets(inner: string): Step {
  if (inner === '*') return { type: 'slice', from: undefined, to: undefined, by: undefined };
  const filter = /^\?\(([\s\S]*)\)$/.exec(inner);
  if (filter) return { type: 'filter', filter: parseFilter((filter[1] ?? '').trim()) };
  const parts = splitUnion(inner);
  if (parts.length > 1) return { type: 'union', parts: parts.map((part) => [parseBrackets(part.trim())]) };
  // A quoted key is parsed as a path; its own dots are escaped.
  const quoted = /^'([^']*)'$/.exec(inner)?.[1];
  if (quoted !== undefined) {
    if (!/(?:^|[^\\])\./.test(quoted)) return { type: 'field', name: quoted.replace(/\\(.)/g, '$1') };
    return { type: 'union', parts: [parsePath(`.${quoted}`)] };
  }
  const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(inner);
  // Without an index the first item: `[]` is `[0:1]`.
  if (inner === '') return { type: 'slice', from: undefined, to: 1, by: undefined };
  if (slice) {
    const [, from, to, by] = slice.map((text) => (text === undefined || text === '' ? undefined : Number(text)));
    return { type: 'slice', from, to: inner.includes(':') ? to : 'one', by };
  }
  if (/^[@$.]/.test(inner)) return { type: 'union', parts: [parsePath(inner)] };
  throw new JsonPathError(`invalid array index ${inner}`);
}

function splitUnion(inner: string): string[] {
  return inner.match(/(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|[^,])+/g) ?? [];
}

function parseFilter(text: string): Filter {
  const match = /^((?:'[^']*'|"[^"]*"|[^<>=!'"])+)(==|!=|<=|>=|<|>)([\s\S]+)$/.exec(text);
  if (!match) return { left: parsePath(text), operator: 'exists', right: [] };
  return { left: parsePath((match[1] ?? '').trim()), operator: match[2] ?? '', right: parsePath((match[3] ?? '').trim()) };
}
