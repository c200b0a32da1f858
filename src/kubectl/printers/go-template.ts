import { goText, isJsonObject, type JsonObject } from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { isTrue } from './go-template-functions.ts';
import { type Call, type Node, type Pipe, TemplateParser, type Term } from './go-template-parser.ts';
import type { Printer } from './printer.ts';

/** One run of a template. */
interface Run {
  readonly written: string[];
  readonly definitions: ReadonlyMap<string, readonly Node[]>;
  depth: number;
}

/** What templates may call one another here; the stack holds no more, and what goes deeper in practice never ends. */
const depthMax = 1_000;

/** `break` and `continue` on their way to their range. */
class LeaveRange extends Error {
  readonly what: 'break' | 'continue';

  constructor(what: LeaveRange['what']) {
    super(what);
    this.what = what;
  }
}

/** Go's text/template as `-o go-template=…` uses it: fields, range, if, with, templates, variables, pipes and the usual functions. */
export function createTemplate(template: string): Printer {
  const parser = new TemplateParser(template);
  let nodes: readonly Node[];
  try {
    nodes = parser.readAll();
  } catch (error) {
    throw new KubectlError(`error parsing template ${template}, ${messageOf(error)}`);
  }
  return (object: JsonObject) => {
    try {
      const { definitions } = parser;
      const by: Run = { written: [], definitions, depth: 0 };
      run(nodes, object, new Map([['$', object]]), by);
      return by.written.join('');
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      throw new KubectlError(`error executing template ${JSON.stringify(template)}: ${error.message}`);
    }
  };
}

function run(nodes: readonly Node[], dot: unknown, variables: Map<string, unknown>, by: Run): void {
  for (const node of nodes) {
    if (node.type === 'text') by.written.push(node.text);
    else if (node.type === 'leave') throw new LeaveRange(node.what);
    else if (node.type === 'call') call(node, dot, variables, by);
    else if (node.type === 'print') {
      const value = evaluate(node.pipe, dot, variables);
      if (node.pipe.variables.length === 0) by.written.push(value === undefined || value === null ? '<no value>' : goText(value));
    } else runBlock(node, dot, new Map(variables), by);
  }
}

/** A template sees what it is given, and no variables of who calls it. */
function call({ name, pipe, where }: Call, dot: unknown, variables: Map<string, unknown>, by: Run): void {
  const nodes = by.definitions.get(name);
  if (!nodes) throw new KubectlError(`${where}: template ${JSON.stringify(name)} not defined`);
  if (by.depth >= depthMax) throw new KubectlError(`${where}: exceeded maximum template depth (100000)`);
  const given = pipe && evaluate(pipe, dot, variables);
  by.depth++;
  run(nodes, given, new Map([['$', given]]), by);
  by.depth--;
}

function runBlock(node: Extract<Node, { body: readonly Node[] }>, dot: unknown, variables: Map<string, unknown>, by: Run): void {
  const value = evaluate(node.pipe, dot, variables);
  if (node.type !== 'range') {
    if (isTrue(value)) run(node.body, node.type === 'with' ? value : dot, variables, by);
    else run(node.otherwise, dot, variables, by);
    return;
  }
  const entries = entriesOf(value);
  if (entries.length === 0) run(node.otherwise, dot, variables, by);
  const [first, second] = node.pipe.variables;
  for (const [key, item] of entries) {
    const inner = new Map(variables);
    if (second !== undefined) inner.set(first ?? '', key).set(second, item);
    else if (first !== undefined) inner.set(first, item);
    try {
      run(node.body, item, inner, by);
    } catch (error) {
      if (!(error instanceof LeaveRange)) throw error;
      if (error.what === 'break') break;
    }
  }
}

/** What a range goes through: a list as it is, a map by its keys in order. */
function entriesOf(value: unknown): readonly (readonly [key: unknown, item: unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .sort()
    .map((key) => [key, value[key]]);
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
