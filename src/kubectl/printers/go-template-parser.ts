import { KubectlError } from '../program/errors.ts';
import { findFunction, type GoFunction } from './go-template-functions.ts';

export type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'print'; readonly pipe: Pipe }
  | { readonly type: 'leave'; readonly what: 'break' | 'continue' }
  | TemplateCall
  | { readonly type: 'if' | 'with' | 'range'; readonly pipe: Pipe; readonly body: readonly Node[]; readonly otherwise: readonly Node[] };

/** `{{template "name" pipe}}`. */
export interface TemplateCall {
  readonly type: 'call';
  readonly name: string;
  readonly pipe: Pipe | undefined;
  /** The location in error messages. */
  readonly where: string;
}

export interface Pipe {
  /** `$x :=`, `$k, $v :=`. */
  readonly variables: readonly string[];
  readonly commands: readonly (readonly Term[])[];
}

export type Term =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'field'; readonly path: readonly string[] }
  | { readonly type: 'variable'; readonly name: string; readonly path: readonly string[] }
  | { readonly type: 'function'; readonly run: GoFunction }
  | { readonly type: 'nested'; readonly pipe: Pipe; readonly path: readonly string[] };

interface Action {
  readonly action: string;
  /** Offset in the whole template. */
  readonly from: number;
}

/** Parses a template; `definitions` has its named templates. @throws KubectlError */
export class TemplateParser {
  readonly definitions: Map<string, readonly Node[]> = new Map();
  readonly #template: string;
  #parts: readonly (string | Action)[] = [];
  #at = 0;
  #rangeDepth = 0;
  #depth = 0;
  /** The name of the template being parsed. */
  #name = 'output';

  constructor(template: string) {
    this.#template = template;
  }

  parse(): Node[] {
    this.#parts = splitActions(this.#template);
    const { nodes, end } = this.#readUntil();
    if (end !== '') throw new KubectlError(`template: output:1: unexpected {{${end}}}`);
    return nodes;
  }

  #readUntil(): { nodes: Node[]; end: string } {
    const nodes: Node[] = [];
    for (; this.#at < this.#parts.length; this.#at++) {
      const part = this.#parts[this.#at];
      if (part === undefined) break;
      if (typeof part === 'string') {
        nodes.push({ type: 'text', text: part });
        continue;
      }
      const { action } = part;
      if (action === '' || action.startsWith('/*')) continue;
      if (action === 'end' || /^else\b/.test(action)) return { nodes, end: action };
      nodes.push(...this.#readAction(part));
    }
    return { nodes, end: '' };
  }

  #readAction(part: Action): Node[] {
    const [, word = '', rest = ''] = /^(if|with|range|break|continue|define|block|template)\b\s*([\s\S]*)$/.exec(part.action) ?? [];
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        return [this.#readBlock(word, rest)];
      case 'break':
      case 'continue':
        if (rest !== '') throw new KubectlError(`template: output:1: unexpected ${JSON.stringify(rest)} in {{${word}}}`);
        if (this.#rangeDepth === 0) throw new KubectlError(`template: output:1: {{${word}}} outside {{range}}`);
        return [{ type: 'leave', what: word }];
      case 'define':
        if (this.#depth > 0) throw new KubectlError('template: output:1: unexpected <define> in command');
        this.#define(parseClauseName(word, rest).name);
        return [];
      case 'block':
        this.#define(parseClauseName(word, rest).name);
        return [this.#createCall(part, parseClauseName(word, rest))];
      case 'template':
        return [this.#createCall(part, parseClauseName(word, rest))];
      default:
        return [{ type: 'print', pipe: parsePipe(part.action) }];
    }
  }

  #define(name: string): void {
    if (this.definitions.has(name))
      throw new KubectlError(`template: output:1: template: multiple definition of template ${JSON.stringify(name)}`);
    const outside = { name: this.#name, ranges: this.#rangeDepth };
    this.#name = name;
    this.#rangeDepth = 0;
    this.#depth++;
    this.#at++;
    const { nodes, end } = this.#readUntil();
    if (end === '') throw new KubectlError('template: output:1: unexpected EOF');
    this.#depth--;
    this.#name = outside.name;
    this.#rangeDepth = outside.ranges;
    this.definitions.set(name, nodes);
  }

  #createCall({ from }: Action, { name, rest }: { readonly name: string; readonly rest: string }): TemplateCall {
    const lines = this.#template.slice(0, from + this.#template.slice(from).search(/["`]/)).split('\n');
    const callText = `{{template ${JSON.stringify(name)}${rest === '' ? '' : ` ${rest}`}}}`;
    const where = `template: output:${lines.length}:${lines.at(-1)?.length ?? 0}: executing ${JSON.stringify(this.#name)} at <${callText}>`;
    return { type: 'call', name, pipe: rest === '' ? undefined : parsePipe(rest), where };
  }

  #readBlock(type: 'if' | 'with' | 'range', condition: string): Node {
    const pipe = parsePipe(condition);
    this.#at++;
    this.#depth++;
    if (type === 'range') this.#rangeDepth++;
    const { nodes: body, end } = this.#readUntil();
    this.#depth--;
    if (type === 'range') this.#rangeDepth--;
    if (end === '') throw new KubectlError('template: output:1: unexpected EOF');
    if (end === 'end') return { type, pipe, body, otherwise: [] };
    const chained = /^else\s+(if|with)\s+([\s\S]*)$/.exec(end);
    if (chained) return { type, pipe, body, otherwise: [this.#readBlock(chained[1] as 'if', chained[2] ?? '')] };
    this.#at++;
    const { nodes: otherwise } = this.#readUntil();
    return { type, pipe, body, otherwise };
  }
}

/** Parses the name at the start of a clause, and the rest. */
function parseClauseName(clause: string, text: string): { readonly name: string; readonly rest: string } {
  const [whole, quoted] = /^("(?:\\.|[^"\\])*"|`[^`]*`)/.exec(text) ?? [];
  if (whole === undefined || quoted === undefined) {
    throw new KubectlError(`template: output:1: unexpected ${JSON.stringify(text.split(/\s/, 1)[0])} in ${clause} clause`);
  }
  const name = quoted.startsWith('`') ? quoted.slice(1, -1) : String(JSON.parse(quoted));
  return { name, rest: text.slice(whole.length).trim() };
}

/** Splits into texts and the actions between `{{` and `}}`; a minus beside a brace trims the whitespace there. */
function splitActions(template: string): (string | Action)[] {
  const parts: (string | Action)[] = [];
  let trimsNext = false;
  let at = 0;
  for (const match of template.matchAll(/\{\{(-\s)?((?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`])*?)(\s-)?\}\}/g)) {
    const text = template.slice(at, match.index);
    const left = trimsNext ? text.trimStart() : text;
    parts.push(match[1] === undefined ? left : left.trimEnd(), { action: (match[2] ?? '').trim(), from: match.index });
    trimsNext = match[3] !== undefined;
    at = match.index + match[0].length;
  }
  const rest = template.slice(at);
  if (rest.includes('{{')) throw new KubectlError('template: output:1: unclosed action');
  parts.push(trimsNext ? rest.trimStart() : rest);
  return parts;
}

function parsePipe(text: string): Pipe {
  const declared = /^((?:\$\w*)(?:\s*,\s*\$\w+)?)\s*:?=(?!=)\s*([\s\S]*)$/.exec(text);
  const variables = declared ? (declared[1] ?? '').split(',').map((name) => name.trim()) : [];
  const tokens = (declared ? (declared[2] ?? '') : text).match(/"(?:\\.|[^"\\])*"|`[^`]*`|'(?:\\.|[^'\\])'|[()|]|[^\s()|]+/g) ?? [];
  const reader = { tokens, at: 0 };
  return { variables, commands: parseCommands(reader) };
}

interface TokenReader {
  readonly tokens: readonly string[];
  at: number;
}

function parseCommands(reader: TokenReader): Term[][] {
  const commands: Term[][] = [[]];
  for (; reader.at < reader.tokens.length; reader.at++) {
    const token = reader.tokens[reader.at] ?? '';
    if (token === ')') return commands;
    if (token === '|') commands.push([]);
    else if (token === '(') {
      reader.at++;
      const pipe = { variables: [], commands: parseCommands(reader) };
      const next = reader.tokens[reader.at + 1] ?? '';
      const path = next.startsWith('.') && next.length > 1 ? next.slice(1).split('.') : [];
      if (path.length > 0) reader.at++;
      commands.at(-1)?.push({ type: 'nested', pipe, path });
    } else commands.at(-1)?.push(parseTerm(token));
  }
  return commands;
}

function parseTerm(token: string): Term {
  if (token.startsWith('"')) return { type: 'value', value: JSON.parse(token) as unknown };
  if (token.startsWith('`')) return { type: 'value', value: token.slice(1, -1) };
  if (/^-?\d/.test(token)) return { type: 'value', value: Number(token) };
  if (token === 'true' || token === 'false') return { type: 'value', value: token === 'true' };
  if (token === 'nil') return { type: 'value', value: undefined };
  const names = (text: string): string[] => text.split('.').filter((name) => name !== '');
  if (token.startsWith('.')) return { type: 'field', path: names(token) };
  if (token.startsWith('$')) {
    const [name = '', ...path] = token.split('.');
    return { type: 'variable', name, path };
  }
  return { type: 'function', run: findFunction(/^[^.]*/.exec(token)?.[0] ?? token) };
}
