import { formatGoValue, isJsonObject, type JsonObject } from '../../meta/index.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { isTruthy } from './go-template-functions.ts';
import { type Node, type Pipe, type TemplateCall, TemplateParser, type Term } from './go-template-parser.ts';
import type { Printer } from './printer.ts';

/** One execution of a template. */
interface Execution {
  readonly written: string[];
  readonly definitions: ReadonlyMap<string, readonly Node[]>;
  depth: number;
}

/** Limit of nested template calls, below the stack's limit; deeper nesting is endless in practice. */
const depthMax = 1_000;

/** Unwinds `break` and `continue` to their range. */
class RangeExit extends Error {
  readonly kind: 'break' | 'continue';

  constructor(what: RangeExit['kind']) {
    super(what);
    this.kind = what;
  }
}

/** Go's text/template for `-o go-template=…`: fields, range, if, with, templates, variables, pipes and the usual functions. */
export function createTemplate(template: string): Printer {
  const parser = new TemplateParser(template);
  let nodes: readonly Node[];
  try {
    nodes = parser.parse();
  } catch (error) {
    throw new KubectlError(`error parsing template ${template}, ${messageOf(error)}`);
  }
  return (object: JsonObject) => {
    try {
      const { definitions } = parser;
      const execution: Execution = { written: [], definitions, depth: 0 };
      runNodes(nodes, object, new Map([['$', object]]), execution);
      return execution.written.join('');
    } catch (error) {
      if (!(error instanceof KubectlError)) throw error;
      throw new KubectlError(`error executing template ${JSON.stringify(template)}: ${error.message}`);
    }
  };
}

function runNodes(nodes: readonly Node[], dot: unknown, variables: Map<string, unknown>, execution: Execution): void {
  for (const node of nodes) {
    if (node.type === 'text') execution.written.push(node.text);
    else if (node.type === 'leave') throw new RangeExit(node.what);
    else if (node.type === 'call') callTemplate(node, dot, variables, execution);
    else if (node.type === 'print') {
      const value = evaluate(node.pipe, dot, variables);
      if (node.pipe.variables.length === 0)
        execution.written.push(value === undefined || value === null ? '<no value>' : formatGoValue(value));
    } else runBlock(node, dot, new Map(variables), execution);
  }
}

/** A called template gets only its argument, not the caller's variables. */
function callTemplate({ name, pipe, where }: TemplateCall, dot: unknown, variables: Map<string, unknown>, execution: Execution): void {
  const nodes = execution.definitions.get(name);
  if (!nodes) throw new KubectlError(`${where}: template ${JSON.stringify(name)} not defined`);
  if (execution.depth >= depthMax) throw new KubectlError(`${where}: exceeded maximum template depth (100000)`);
  const argument = pipe && evaluate(pipe, dot, variables);
  execution.depth++;
  runNodes(nodes, argument, new Map([['$', argument]]), execution);
  execution.depth--;
}

function runBlock(
  node: Extract<Node, { body: readonly Node[] }>,
  dot: unknown,
  variables: Map<string, unknown>,
  execution: Execution,
): void {
  const value = evaluate(node.pipe, dot, variables);
  if (node.type !== 'range') {
    if (isTruthy(value)) runNodes(node.body, node.type === 'with' ? value : dot, variables, execution);
    else runNodes(node.otherwise, dot, variables, execution);
    return;
  }
  const entries = rangeEntries(value);
  if (entries.length === 0) runNodes(node.otherwise, dot, variables, execution);
  for (const [key, item] of entries) {
    const inner = rangeVariables(node.pipe.variables, key, item, variables);
    try {
      runNodes(node.body, item, inner, execution);
    } catch (error) {
      if (!(error instanceof RangeExit)) throw error;
      if (error.kind === 'break') break;
    }
  }
}

/** The variables in the body of a range, which may declare one for the item, or two for key and item. */
function rangeVariables(
  [first, second]: readonly string[],
  key: unknown,
  item: unknown,
  variables: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const inner = new Map(variables);
  if (second !== undefined) inner.set(first ?? '', key).set(second, item);
  else if (first !== undefined) inner.set(first, item);
  return inner;
}

/** The entries of a range: a list in order, a map sorted by key. */
function rangeEntries(value: unknown): readonly (readonly [key: unknown, item: unknown])[] {
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
    const args = rest.map((term) => evaluateTerm(term, dot, variables));
    if (index > 0) args.push(value);
    value = first.type === 'function' ? first.run(...args) : evaluateTerm(first, dot, variables);
  }
  if (pipe.variables.length === 1) variables.set(pipe.variables[0] ?? '', value);
  return value;
}

function evaluateTerm(term: Term, dot: unknown, variables: Map<string, unknown>): unknown {
  switch (term.type) {
    case 'value':
      return term.value;
    case 'field':
      return resolvePath(dot, term.path);
    case 'variable':
      return resolvePath(variables.get(term.name), term.path);
    case 'nested':
      return resolvePath(evaluate(term.pipe, dot, new Map(variables)), term.path);
    case 'function':
      return term.run();
    default:
      return term satisfies never;
  }
}

function resolvePath(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const name of path) {
    if (at === undefined || at === null) return undefined;
    if (!isJsonObject(at)) throw new KubectlError(`can't evaluate field ${name} in type interface {}`);
    at = at[name];
  }
  return at;
}
