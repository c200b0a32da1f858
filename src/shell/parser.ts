import type {
  Assignment,
  CaseCommand,
  Chain,
  Pipeline,
  Redirection,
  Script,
  ScriptItem,
  ShellCommand,
  SimpleCommand,
  Word,
} from './ast.ts';
import { ShellSyntaxError } from './errors.ts';
import { HereDocuments } from './here-documents.ts';
import { literalText, regularExpressionEnd, WordReader } from './word-reader.ts';

/** @throws ShellSyntaxError */
export function parseScript(text: string): Script {
  const parser = new Parser(text);
  const script = parser.readScript([]);
  parser.expectEnd();
  return script;
}

/** True when another line could complete the text: an open quote, here-document or `do`. */
export function isIncomplete(text: string): boolean {
  if (/(^|[^\\])\\$/.test(text)) return true;
  try {
    const parser = new Parser(text);
    parser.readScript([]);
    parser.expectEnd();
    return parser.awaitsHereDocument;
  } catch (error) {
    return error instanceof ShellSyntaxError && /unexpected (EOF|end of file)/.test(error.message);
  }
}

/** Commands whose arguments may be assignments. */
const declarationCommands = new Set(['declare', 'export', 'local', 'readonly', 'typeset']);
const closers = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}']);

class Parser {
  readonly #reader: WordReader;
  readonly #documents: HereDocuments;

  constructor(text: string) {
    this.#reader = new WordReader(text, parseScript);
    this.#documents = new HereDocuments(this.#reader, (body) => new WordReader(body, parseScript).readQuotedToEnd());
  }

  /** True when a here-document is not complete. */
  get awaitsHereDocument(): boolean {
    return this.#documents.isIncomplete;
  }

  expectEnd(): void {
    if (!this.#reader.ended) throw new ShellSyntaxError(`syntax error near unexpected token \`${this.#reader.peek()}'`);
  }

  /** Parses commands until a reserved word of `ends`, a `)` or the end of the text. */
  readScript(ends: readonly string[]): Script {
    const items: ScriptItem[] = [];
    for (;;) {
      this.#skipSeparators();
      if (this.#reader.ended || this.#reader.peek() === ')' || this.#reader.startsWith(';;')) break;
      const word = this.#peekReserved();
      if (word !== undefined && ends.includes(word)) break;
      if (word !== undefined && closers.has(word)) throw new ShellSyntaxError(`syntax error near unexpected token \`${word}'`);
      const chain = this.#readChain();
      this.#reader.skipBlanks();
      const background = this.#reader.peek() === '&';
      if (background || (this.#reader.peek() === ';' && !this.#reader.startsWith(';;'))) this.#reader.at++;
      items.push({ chain, background });
    }
    return { items };
  }

  #skipSeparators(): void {
    for (;;) {
      this.#reader.skipBlanks();
      const char = this.#reader.peek();
      if (char === '\n') this.#documents.endLine();
      else if (char === ';' && !this.#reader.startsWith(';;')) this.#reader.at++;
      else break;
    }
  }

  #peekReserved(): string | undefined {
    const from = this.#reader.at;
    const match = /[^\s;|&<>()'"\\$`]+/y;
    match.lastIndex = from;
    return match.exec(this.#reader.text)?.[0];
  }

  #takeReserved(word: string): boolean {
    this.#skipSeparators();
    if (this.#peekReserved() !== word) return false;
    this.#reader.at += word.length;
    return true;
  }

  #expectReserved(word: string): void {
    if (this.#takeReserved(word)) return;
    if (this.#reader.ended) throw new ShellSyntaxError('syntax error: unexpected end of file');
    throw new ShellSyntaxError(`syntax error near unexpected token \`${this.#peekReserved() ?? this.#reader.peek()}'`);
  }

  #readChain(): Chain {
    const first = this.#readPipeline();
    const rest: { operator: '&&' | '||'; pipeline: Pipeline }[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const operator = this.#reader.startsWith('&&') ? '&&' : this.#reader.startsWith('||') ? '||' : undefined;
      if (!operator) return { first, rest };
      this.#reader.at += 2;
      this.#skipSeparators();
      rest.push({ operator, pipeline: this.#readPipeline() });
    }
  }

  #readPipeline(): Pipeline {
    const negated = this.#peekReserved() === '!' && this.#takeReserved('!');
    const commands: ShellCommand[] = [this.#readCommand()];
    for (;;) {
      this.#reader.skipBlanks();
      if (this.#reader.peek() !== '|' || this.#reader.startsWith('||')) return { negated, commands };
      this.#reader.at++;
      if (this.#reader.peek() === '&') {
        this.#reader.at++;
        commands.push(pipeStandardError(commands.pop()));
      }
      this.#skipSeparators();
      commands.push(this.#readCommand());
    }
  }

  #readCommand(): ShellCommand {
    this.#reader.skipBlanks();
    if (this.#reader.peek() === '(') {
      const expression = this.#reader.startsWith('((') ? this.#reader.readArithmetic(2) : undefined;
      if (expression) return { type: 'arithmetic', expression, redirections: this.#readRedirections() };
      this.#reader.at++;
      const body = this.readScript([]);
      if (this.#reader.peek() !== ')') throw new ShellSyntaxError('syntax error: unexpected end of file');
      this.#reader.at++;
      return { type: 'group', subshell: true, body, redirections: this.#readRedirections() };
    }
    switch (this.#peekReserved()) {
      case '{':
        return this.#readGroup();
      case '[[':
        return this.#readCondition();
      case 'for':
        return this.#readFor();
      case 'while':
      case 'until':
        return this.#readLoop();
      case 'if':
        return this.#readIf();
      case 'case':
        return this.#readCase();
      default:
        return this.#readFunction() ?? this.#readSimple();
    }
  }

  #readGroup(): ShellCommand {
    this.#expectReserved('{');
    const body = this.readScript(['}']);
    this.#expectReserved('}');
    return { type: 'group', subshell: false, body, redirections: this.#readRedirections() };
  }

  #readCondition(): ShellCommand {
    this.#expectReserved('[[');
    const tokens: (Word | string)[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const operator = /&&|\|\||[()<>\n]/y;
      operator.lastIndex = this.#reader.at;
      const [sign] = operator.exec(this.#reader.text) ?? [];
      this.#reader.at += sign?.length ?? 0;
      const last = tokens.at(-1);
      const word = sign ?? this.#reader.readWord(Array.isArray(last) && literalText(last) === '=~' ? regularExpressionEnd : undefined);
      if (Array.isArray(word) && literalText(word) === ']]') return { type: 'condition', tokens, redirections: this.#readRedirections() };
      if (word.length === 0) throw this.#unexpected();
      if (word !== '\n') tokens.push(word);
    }
  }

  #readBody(): Script {
    this.#expectReserved('do');
    const body = this.readScript(['done']);
    this.#expectReserved('done');
    return body;
  }

  #readFor(): ShellCommand {
    this.#expectReserved('for');
    this.#reader.skipBlanks();
    if (this.#reader.startsWith('((')) return this.#readCount();
    const variable = literalText(this.#reader.readWord());
    const words: Word[] = [];
    if (this.#takeReserved('in')) {
      for (;;) {
        this.#reader.skipBlanks();
        const word = this.#reader.readWord();
        if (word.length === 0) break;
        words.push(word);
      }
    } else {
      words.push([{ type: 'parameter', name: '@', operator: '', word: [], quoted: true }]);
    }
    return { type: 'for', variable, words, body: this.#readBody(), redirections: this.#readRedirections() };
  }

  #readCount(): ShellCommand {
    return { type: 'count', header: this.#reader.readArithmetic(2) ?? [], body: this.#readBody(), redirections: this.#readRedirections() };
  }

  #readLoop(): ShellCommand {
    const until = this.#peekReserved() === 'until';
    this.#expectReserved(until ? 'until' : 'while');
    const condition = this.readScript(['do']);
    return { type: 'loop', until, condition, body: this.#readBody(), redirections: this.#readRedirections() };
  }

  #readIf(): ShellCommand {
    this.#expectReserved('if');
    const branches = [this.#readBranch()];
    while (this.#takeReserved('elif')) branches.push(this.#readBranch());
    const otherwise = this.#takeReserved('else') ? this.readScript(['fi']) : undefined;
    this.#expectReserved('fi');
    return { type: 'if', branches, otherwise, redirections: this.#readRedirections() };
  }

  #readBranch(): { condition: Script; body: Script } {
    const condition = this.readScript(['then']);
    this.#expectReserved('then');
    return { condition, body: this.readScript(['elif', 'else', 'fi']) };
  }

  #readCase(): CaseCommand {
    this.#expectReserved('case');
    this.#reader.skipBlanks();
    const subject = this.#reader.readWord();
    this.#expectReserved('in');
    const branches: { patterns: Word[]; body: Script }[] = [];
    while (!this.#takeReserved('esac')) {
      if (this.#reader.ended) throw new ShellSyntaxError('syntax error: unexpected end of file');
      if (this.#reader.peek() === '(') this.#reader.at++;
      const patterns: Word[] = [];
      do {
        this.#reader.skipBlanks();
        patterns.push(this.#reader.readWord());
        this.#reader.skipBlanks();
      } while (this.#reader.peek() === '|' && ++this.#reader.at);
      if (this.#reader.peek() !== ')') throw new ShellSyntaxError("syntax error near unexpected token `newline'");
      this.#reader.at++;
      const body = this.readScript(['esac']);
      if (this.#reader.startsWith(';;')) this.#reader.at += 2;
      branches.push({ patterns, body });
    }
    return { type: 'case', subject, branches, redirections: this.#readRedirections() };
  }

  #readFunction(): ShellCommand | undefined {
    const match = /(?:function[ \t]+)?(\w[\w-]*)[ \t]*\(\)\s*/y;
    match.lastIndex = this.#reader.at;
    const found = match.exec(this.#reader.text);
    if (!found) return undefined;
    this.#reader.at += found[0].length;
    return { type: 'function', name: found[1] ?? '', body: this.#readCommand() };
  }

  #readSimple(): SimpleCommand {
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    const redirections: Redirection[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const redirection = this.#readRedirection();
      if (redirection) {
        redirections.push(redirection);
        continue;
      }
      const declares = declarationCommands.has(literalText(words[0] ?? []));
      const assignment = words.length === 0 || declares ? this.#reader.readAssignment() : undefined;
      if (assignment) {
        assignments.push(assignment);
        if (declares) words.push([{ type: 'text', text: assignment.name, quoted: true }]);
        continue;
      }
      const word = this.#reader.readWord();
      if (word.length === 0) break;
      words.push(word);
    }
    if (assignments.length + words.length + redirections.length === 0) throw this.#unexpected();
    return { type: 'simple', assignments, words, redirections, declares: declarationCommands.has(literalText(words[0] ?? [])) };
  }

  #unexpected(): ShellSyntaxError {
    if (this.#reader.ended) return new ShellSyntaxError('syntax error: unexpected end of file');
    const token = this.#reader.peek() === '\n' ? 'newline' : this.#reader.peek();
    return new ShellSyntaxError(`syntax error near unexpected token \`${token}'`);
  }

  #readRedirections(): Redirection[] {
    const redirections: Redirection[] = [];
    for (;;) {
      this.#reader.skipBlanks();
      const redirection = this.#readRedirection();
      if (!redirection) return redirections;
      redirections.push(redirection);
    }
  }

  #readRedirection(): Redirection | undefined {
    const match = /(\d?)(<<<|<<-?|<&|<(?!\()|>>|>&|>\||>|&>)/y;
    match.lastIndex = this.#reader.at;
    const found = match.exec(this.#reader.text);
    if (!found) return undefined;
    this.#reader.at += found[0].length;
    const [, number = '', operator = ''] = found;
    this.#reader.skipBlanks();
    if (operator === '<<' || operator === '<<-') return this.#documents.readDelimiter(operator === '<<-');
    const word = this.#reader.readWord();
    if (word.length === 0) throw new ShellSyntaxError("syntax error near unexpected token `newline'");
    if (operator === '<<<') return { type: 'text', word: [...word, { type: 'text', text: '\n', quoted: true }] };
    const reads = operator.startsWith('<');
    const descriptor = number === '' ? (reads ? 0 : operator === '&>' ? -1 : 1) : Number(number);
    if (operator === '>&' || operator === '<&') return { type: 'duplicate', descriptor, from: Number(literalText(word)) };
    return { type: 'file', descriptor, mode: reads ? 'read' : operator === '>>' ? 'append' : 'write', target: word };
  }
}

/** `a |& b`: also redirects standard error to the pipe, after the command's own redirections. */
function pipeStandardError(command: ShellCommand | undefined): ShellCommand {
  const redirections: Redirection[] = [{ type: 'duplicate', descriptor: 2, from: 1 }];
  if (command === undefined || command.type === 'function') throw new ShellSyntaxError("syntax error near unexpected token `|&'");
  return { ...command, redirections: [...command.redirections, ...redirections] };
}
