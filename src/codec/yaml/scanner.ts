import { asciiClass, Cursor, scanError } from './cursor.ts';
import { lineOfAscii, scanBlockScalar, scanPlain, scanQuoted } from './scalars.ts';

export type TokenKind =
  | 'end'
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence'
  | 'block-mapping'
  | 'block-end'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | 'item'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly kind: TokenKind;
  /** From zero. */
  readonly line: number;
  /** Value of a scalar, name of an anchor, tag or directive. */
  readonly text: string;
  /** Without quotation marks. */
  readonly plain: boolean;
}

/** Start of a possible simple key, until its colon is found. */
interface PossibleKey {
  /** Number of the token that would be the key. */
  readonly token: number;
  readonly line: number;
  readonly column: number;
  readonly at: number;
  /** Only a key is valid at the position. */
  readonly required: boolean;
}

/** Go-yaml's maximum depth. */
const maxDepth = 10_000;
/** Maximum length of a simple key up to its colon. */
const maxKeyLength = 1024;

const beforeComment = asciiClass(/[\t -"$-~]/);
const anchorName = asciiClass(/[\w-]/);
const tagUri = asciiClass(/[\w\-;/?:@&=+$,.%!~*'()[\]]/);

/** Splits a text into tokens like go-yaml, with blocks by indentation. */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #tokens: Token[] = [];
  /** Number of returned tokens. */
  #taken = 0;
  #head = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  /** One per flow level, and one for the block outside. */
  readonly #keys: (PossibleKey | undefined)[] = [undefined];
  /** Token of a possible key → its level. */
  readonly #levels = new Map<number, number>();
  #keyAllowed = true;

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  /** @throws YamlSyntaxError */
  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[this.#head] as Token;
  }

  next(): Token {
    const token = this.peek();
    this.#head++;
    this.#taken++;
    if (this.#head === this.#tokens.length) {
      this.#tokens.length = 0;
      this.#head = 0;
    }
    return token;
  }

  /** A token cannot be returned while it may start a key. */
  #needsMore(): boolean {
    if (this.#head === this.#tokens.length) return true;
    const level = this.#levels.get(this.#taken);
    return level !== undefined && this.#stillPossible(level);
  }

  get #flow(): boolean {
    return this.#keys.length > 1;
  }

  #add(kind: TokenKind, text = '', plain = false, line = this.#cursor.line): void {
    this.#tokens.push({ kind, line, text, plain });
  }

  #fetch(): void {
    this.#skipToToken();
    this.#unroll(this.#cursor.column);
    this.#fetcher()();
  }

  /** Selects the function that scans the token at the cursor. Cf. go-yaml scannerc.go yaml_parser_fetch_next_token. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a list of the tokens in the order of go-yaml
  #fetcher(): () => void {
    const cursor = this.#cursor;
    if (cursor.ended) return () => this.#fetchEnd();
    const character = cursor.peek();
    if (cursor.column === 0 && character === '%') return () => this.#fetchDirective();
    if (cursor.atMarker('---')) return () => this.#fetchMarker('document-start');
    if (cursor.atMarker('...')) return () => this.#fetchMarker('document-end');
    if (character === '[' || character === '{') return () => this.#fetchOpening(character);
    if (character === ']' || character === '}') return () => this.#fetchClosing(character);
    if (character === ',') return () => this.#fetchComma();
    if (character === '-' && cursor.endsWord(1)) return () => this.#fetchItem();
    if (character === '?' && (this.#flow || cursor.endsWord(1))) return () => this.#fetchKey();
    if (character === ':' && (this.#flow || cursor.endsWord(1))) return () => this.#fetchValue();
    if (character === '*' || character === '&') return () => this.#fetchAnchor(character);
    if (character === '!') return () => this.#fetchTag();
    if ((character === '|' || character === '>') && !this.#flow) return () => this.#fetchBlockScalar();
    if (character === '"' || character === "'")
      return () => this.#fetchScalar(() => ({ text: scanQuoted(cursor), brokenOff: false }), false);
    if (this.#startsPlain(character)) return () => this.#fetchScalar(() => scanPlain(cursor, this.#indent, this.#flow), true);
    throw scanError('found character that cannot start any token', cursor.line);
  }

  #startsPlain(character: string): boolean {
    if (character === '-') return !this.#cursor.isBlank(1);
    if (character === '?' || character === ':') return !this.#flow && !this.#cursor.endsWord(1);
    return !this.#cursor.endsWord() && !',[]{}#&*!|>\'"%@`'.includes(character);
  }

  #skipToToken(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.column === 0 && cursor.peek() === '\ufeff') cursor.at++;
      while (cursor.peek() === ' ' || (cursor.peek() === '\t' && (this.#flow || !this.#keyAllowed))) cursor.skip();
      if (cursor.peek() === '#') {
        cursor.takeRun(lineOfAscii);
        while (!cursor.endsLine()) cursor.take();
      }
      if (!cursor.isBreak()) return;
      cursor.takeBreak();
      if (!this.#flow) this.#keyAllowed = true;
    }
  }

  #fetchEnd(): void {
    if (this.#cursor.column !== 0) {
      this.#cursor.column = 0;
      this.#cursor.line++;
    }
    this.#unroll(-1);
    this.#forgetKey();
    this.#keyAllowed = false;
    this.#add('end');
  }

  #fetchDirective(): void {
    const cursor = this.#cursor;
    this.#unroll(-1);
    this.#forgetKey();
    this.#keyAllowed = false;
    const { line } = cursor;
    cursor.skip();
    let text = cursor.takeRun(beforeComment);
    while (!cursor.endsLine() && cursor.peek() !== '#') text += cursor.take();
    while (!cursor.endsLine()) cursor.take();
    if (!/^(YAML|TAG)\s/.test(text)) {
      const problem = /^[\w-]+/.test(text) ? 'found unknown directive name' : 'could not find expected directive name';
      throw scanError(problem, line);
    }
    this.#add('directive', text.trim(), false, line);
  }

  #fetchMarker(kind: 'document-start' | 'document-end'): void {
    this.#unroll(-1);
    this.#forgetKey();
    this.#keyAllowed = false;
    this.#add(kind);
    this.#cursor.skip(3);
  }

  #fetchOpening(bracket: '[' | '{'): void {
    this.#saveKey();
    this.#keys.push(undefined);
    if (this.#keys.length - 1 > maxDepth) throw scanError(`exceeded max depth of ${maxDepth}`, this.#cursor.line);
    this.#keyAllowed = true;
    this.#add(bracket);
    this.#cursor.skip();
  }

  #fetchClosing(bracket: ']' | '}'): void {
    this.#forgetKey();
    if (this.#flow) this.#keys.pop();
    this.#keyAllowed = false;
    this.#add(bracket);
    this.#cursor.skip();
  }

  #fetchComma(): void {
    this.#forgetKey();
    this.#keyAllowed = true;
    this.#add(',');
    this.#cursor.skip();
  }

  #fetchItem(): void {
    const cursor = this.#cursor;
    if (!this.#flow) {
      if (!this.#keyAllowed) throw scanError('block sequence entries are not allowed in this context', cursor.line);
      this.#roll(cursor.column, 'block-sequence', this.#tokens.length, cursor.line);
    }
    this.#forgetKey();
    this.#keyAllowed = true;
    this.#add('item');
    cursor.skip();
  }

  #fetchKey(): void {
    const cursor = this.#cursor;
    if (!this.#flow) {
      if (!this.#keyAllowed) throw scanError('mapping keys are not allowed in this context', cursor.line);
      this.#roll(cursor.column, 'block-mapping', this.#tokens.length, cursor.line);
    }
    this.#forgetKey();
    this.#keyAllowed = !this.#flow;
    this.#add('key');
    cursor.skip();
  }

  #fetchValue(): void {
    const cursor = this.#cursor;
    const level = this.#keys.length - 1;
    const key = this.#keys[level];
    if (key && this.#stillPossible(level)) {
      // The key token is inserted before the token that starts it.
      const place = this.#head + key.token - this.#taken;
      this.#tokens.splice(place, 0, { kind: 'key', line: key.line, text: '', plain: false });
      this.#roll(key.column, 'block-mapping', place, key.line);
      this.#drop(level);
      this.#keyAllowed = false;
    } else {
      if (!this.#flow) {
        if (!this.#keyAllowed) throw scanError('mapping values are not allowed in this context', cursor.line);
        this.#roll(cursor.column, 'block-mapping', this.#tokens.length, cursor.line);
      }
      this.#keyAllowed = !this.#flow;
    }
    this.#add('value');
    cursor.skip();
  }

  #fetchAnchor(sign: '*' | '&'): void {
    const cursor = this.#cursor;
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = cursor;
    cursor.skip();
    const name = cursor.takeRun(anchorName);
    if (name === '' || !(cursor.endsWord() || '?:,]}%@`'.includes(cursor.peek())))
      throw scanError('did not find expected alphabetic or numeric character', cursor.line, line);
    this.#add(sign === '*' ? 'alias' : 'anchor', name, false, line);
  }

  #fetchTag(): void {
    const cursor = this.#cursor;
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = cursor;
    const verbatim = cursor.peek(1) === '<';
    let text = cursor.take();
    if (verbatim) text += cursor.take();
    const begin = cursor.at;
    text += cursor.takeRun(tagUri);
    // A single exclamation mark is a tag; after a handle or bracket a suffix is required.
    if ((verbatim && cursor.at === begin) || /^![\w-]*!$/.test(text)) throw scanError('did not find expected tag URI', cursor.line, line);
    if (verbatim && cursor.peek() !== '>') throw scanError("did not find the expected '>'", cursor.line, line);
    if (verbatim) text += cursor.take();
    if (!cursor.endsWord()) throw scanError('did not find expected whitespace or line break', cursor.line, line);
    this.#add('tag', text, false, line);
  }

  #fetchBlockScalar(): void {
    this.#forgetKey();
    this.#keyAllowed = true;
    const { line } = this.#cursor;
    this.#add('scalar', scanBlockScalar(this.#cursor, this.#indent), false, line);
  }

  #fetchScalar(scan: () => { readonly text: string; readonly brokenOff: boolean }, plain: boolean): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const { line } = this.#cursor;
    const { text, brokenOff } = scan();
    this.#add('scalar', text, plain, line);
    if (brokenOff) this.#keyAllowed = true;
  }

  /** A simple key is limited to one line and a maximum length. */
  #stillPossible(level: number): boolean {
    const key = this.#keys[level];
    if (!key) return false;
    if (key.line === this.#cursor.line && key.at + maxKeyLength >= this.#cursor.at) return true;
    if (key.required) throw scanError("could not find expected ':'", this.#cursor.line, key.line);
    this.#drop(level);
    return false;
  }

  #saveKey(): void {
    const { line, column, at } = this.#cursor;
    const required = !this.#flow && this.#indent === column;
    if (!this.#keyAllowed) return;
    this.#forgetKey();
    const token = this.#taken + this.#tokens.length - this.#head;
    this.#keys[this.#keys.length - 1] = { token, line, column, at, required };
    this.#levels.set(token, this.#keys.length - 1);
  }

  #forgetKey(): void {
    const key = this.#keys[this.#keys.length - 1];
    if (key?.required) throw scanError("could not find expected ':'", this.#cursor.line, key.line);
    this.#drop(this.#keys.length - 1);
  }

  #drop(level: number): void {
    const key = this.#keys[level];
    if (key) this.#levels.delete(key.token);
    this.#keys[level] = undefined;
  }

  /** Opens a block at a deeper column. */
  #roll(column: number, kind: 'block-sequence' | 'block-mapping', place: number, line: number): void {
    if (this.#flow || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > maxDepth) throw scanError(`exceeded max depth of ${maxDepth}`, this.#cursor.line);
    this.#tokens.splice(place, 0, { kind, line, text: '', plain: false });
  }

  /** Closes the blocks that are deeper than the column. */
  #unroll(column: number): void {
    if (this.#flow) return;
    while (this.#indent > column) {
      this.#add('block-end');
      this.#indent = this.#indents.pop() ?? -1;
    }
  }
}
