import { goText, isJsonObject, type JsonObject } from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { functionNamed, type GoFunction, isTrue } from './go-template-functions.ts';
import type { Printer } from './printer.ts';

type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'print'; readonly pipe: Pipe }
  | { readonly type: 'if' | 'with' | 'range'; readonly pipe: Pipe; readonly body: readonly Node[]; readonly otherwise: readonly Node[] };

interface Pipe {
  /** `$x :=`, `$k, $v :=`. */
  readonly variables: readonly string[];
  readonly commands: readonly (readonly Term[])[];
}

type Term =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'field'; readonly path: readonly string[] }
  | { readonly type: 'variable'; readonly name: string; readonly path: readonly string[] }
  | { readonly type: 'function'; readonly run: GoFunction }
  | { readonly type: 'nested'; readonly pipe: Pipe; readonly path: readonly string[] };

/** Go's text/template as `-o go-template=…` uses it: fields, range, if, with, variables, pipes and the usual functions. */
export function createTemplate(template: string): Printer {
  let nodes: readonly Node[];
  try {
    nodes = new TemplateParser(template).readAll();
  } catch (error) {
    throw new KubectlError(`error parsing template ${template}, ${messageOf(error)}`);
  }
  return (object: JsonObject) => {
    try {
      return run(nodes, object, new Map([['$', object]]));
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      throw new KubectlError(`error executing template ${JSON.stringify(template)}: ${error.message}`);
    }
  };
}

function run(nodes: readonly Node[], dot: unknown, variables: Map<string, unknown>): string {
  let out = '';
  for (const node of nodes) {
    if (node.type === 'text') out += node.text;
    else if (node.type === 'print') {
      const value = evaluate(node.pipe, dot, variables);
      if (node.pipe.variables.length === 0) out += value === undefined || value === null ? '<no value>' : goText(value);
    } else out += runBlock(node, dot, new Map(variables));
  }
  return out;
}

function runBlock(node: Extract<Node, { body: readonly Node[] }>, dot: unknown, variables: Map<string, unknown>): string {
  const value = evaluate(node.pipe, dot, variables);
  if (node.type !== 'range')
    return isTrue(value) ? run(node.body, node.type === 'with' ? value : dot, variables) : run(node.otherwise, dot, variables);
  const entries: [unknown, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : isJsonObject(value)
      ? Object.keys(value)
          .sort()
          .map((key) => [key, value[key]])
      : [];
  if (entries.length === 0) return run(node.otherwise, dot, variables);
  const [first, second] = node.pipe.variables;
  return entries
    .map(([key, item]) => {
      const inner = new Map(variables);
      if (second !== undefined) inner.set(first ?? '', key).set(second, item);
      else if (first !== undefined) inner.set(first, item);
      return run(node.body, item, inner);
    })
    .join('');
}

function evaluate(pipe: Pipe, dot: unknown, variables: Map<string, unknown>): unknown {
  let value: unknown;
  for (const [index, [first, ...rest]] of pipe.commands.entries()) {
    if (!first) continue;
    const args = rest.map((term) => termValue(term, dot, variables));
    if (index > 0) args.push(value);
    value = first.type === 'function' ? first.run(...args) : termValue(first, dot, variables);
  }
  if (pipe.variables.length === 1) variables.set(pipe.variables[0] ?? '', value);
  return value;
}

function termValue(term: Term, dot: unknown, variables: Map<string, unknown>): unknown {
  switch (term.type) {
    case 'value':
      return term.value;
    case 'field':
      return walk(dot, term.path);
    case 'variable':
      return walk(variables.get(term.name), term.path);
    case 'nested':
      return walk(evaluate(term.pipe, dot, new Map(variables)), term.path);
    case 'function':
      return term.run();
    default:
      return term satisfies never;
  }
}

function walk(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (at === undefined || at === null) return undefined;
    if (!isJsonObject(at)) throw new KubectlError(`can't evaluate field ${name} in type interface {}`);
    at = at[name];
  }
  return at;
}

class TemplateParser {
  readonly #parts: readonly (string | { readonly action: string })[];
  #at = 0;

  constructor(template: string) {
    this.#parts = splitActions(template);
  }

  readAll(): Node[] {
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
      const block = /^(if|with|range)\b\s*([\s\S]*)$/.exec(action);
      if (block) nodes.push(this.#readBlock(block[1] as 'if' | 'with' | 'range', block[2] ?? ''));
      else nodes.push({ type: 'print', pipe: parsePipe(action) });
    }
    return { nodes, end: '' };
  }

  #readBlock(type: 'if' | 'with' | 'range', condition: string): Node {
    const pipe = parsePipe(condition);
    this.#at++;
    const { nodes: body, end } = this.#readUntil();
    if (end === '') throw new KubectlError('template: output:1: unexpected EOF');
    if (end === 'end') return { type, pipe, body, otherwise: [] };
    const chained = /^else\s+(if|with)\s+([\s\S]*)$/.exec(end);
    if (chained) return { type, pipe, body, otherwise: [this.#readBlock(chained[1] as 'if', chained[2] ?? '')] };
    this.#at++;
    const { nodes: otherwise } = this.#readUntil();
    return { type, pipe, body, otherwise };
  }
}

/** Texts and what stands between `{{` and `}}`; a minus beside a brace eats the space there. */
function splitActions(template: string): (string | { action: string })[] {
  const parts: (string | { action: string })[] = [];
  let eats = false;
  let at = 0;
  for (const match of template.matchAll(/\{\{(-\s)?((?:"(?:\\.|[^"\\])*"|`[^`]*`|[^"`])*?)(\s-)?\}\}/g)) {
    const text = template.slice(at, match.index);
    const left = eats ? text.trimStart() : text;
    parts.push(match[1] === undefined ? left : left.trimEnd(), { action: (match[2] ?? '').trim() });
    eats = match[3] !== undefined;
    at = match.index + match[0].length;
  }
  const rest = template.slice(at);
  if (rest.includes('{{')) throw new KubectlError('template: output:1: unclosed action');
  parts.push(eats ? rest.trimStart() : rest);
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
  return { type: 'function', run: functionNamed(/^[^.]*/.exec(token)?.[0] ?? token) };
}
