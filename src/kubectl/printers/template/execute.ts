import { isJsonObject, type JsonObject } from '../../../meta/index.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { compactJson } from '../json.ts';
import type { Printer } from '../printer.ts';
import { evaluatePipe, type Scope, TemplateFailure } from './evaluate.ts';
import type { Node, TemplateCall } from './nodes.ts';
import { TemplateParser } from './parser.ts';
import { formatValue, GoInt, isTruthy } from './values.ts';

interface TemplateOptions {
  /** A missing key of a map is no failure. */
  readonly allowMissing?: boolean;
  /** Receives what the template printed before it failed, and the report of the failure. */
  readonly onFailure?: (text: string) => void;
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
export function createTemplate(template: string, { allowMissing = true, onFailure = () => undefined }: TemplateOptions = {}): Printer {
  const { nodes, definitions } = parseTemplate(template);
  return (object: JsonObject) => {
    const execution = new Execution({ template, definitions, allowMissing });
    try {
      execution.run(nodes, object);
      return execution.written.join('');
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error;
      const data = compactJson(object);
      onFailure(
        `${execution.written.join('')}Error executing template: ${error.message}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${template}\n\traw data was:\n\t\t${data}\n\tobject given to template engine was:\n\t\t${formatValue(object)}\n\n`,
      );
      throw new KubectlError(`error executing template ${JSON.stringify(template)}: ${error.message}`);
    }
  };
}

function parseTemplate(template: string): { nodes: readonly Node[]; definitions: ReadonlyMap<string, readonly Node[]> } {
  try {
    const parser = new TemplateParser(template);
    return { nodes: parser.parse(), definitions: parser.definitions };
  } catch (error) {
    throw new KubectlError(`error parsing template ${template}, ${messageOf(error)}`);
  }
}

interface ExecutionOptions {
  readonly template: string;
  readonly definitions: ReadonlyMap<string, readonly Node[]>;
  readonly allowMissing: boolean;
}

class Execution {
  readonly written: string[] = [];
  readonly #options: ExecutionOptions;
  #depth = 0;

  constructor(options: ExecutionOptions) {
    this.#options = options;
  }

  run(nodes: readonly Node[], dot: unknown, name = 'output'): void {
    const { template, allowMissing } = this.#options;
    this.#nodes(nodes, { template, name, allowMissing, dot, variables: new Map([['$', dot]]), place: undefined });
  }

  #nodes(nodes: readonly Node[], scope: Scope): void {
    for (const node of nodes) {
      if (node.type === 'text') this.written.push(node.text);
      else if (node.type === 'leave') throw new RangeExit(node.what);
      else if (node.type === 'call') this.#call(node, scope);
      else if (node.type === 'print') {
        const value = evaluatePipe(node.pipe, scope);
        if (node.pipe.variables.length === 0) this.written.push(value === undefined || value === null ? '<no value>' : formatValue(value));
      } else this.#control(node, { ...scope, variables: new Map(scope.variables) });
    }
  }

  /** A called template gets only its argument, not the caller's variables. */
  #call(node: TemplateCall, scope: Scope): void {
    scope.place = node;
    const nodes = this.#options.definitions.get(node.name);
    if (!nodes) throw new TemplateFailure(scope, `template ${JSON.stringify(node.name)} not defined`);
    if (this.#depth >= depthMax) throw new TemplateFailure(scope, 'exceeded maximum template depth (100000)');
    const argument = node.pipe && evaluatePipe(node.pipe, scope);
    this.#depth++;
    this.run(nodes, argument, node.name);
    this.#depth--;
  }

  #control(node: Extract<Node, { body: readonly Node[] }>, scope: Scope): void {
    const value = evaluatePipe(node.pipe, scope, node.type === 'range');
    if (node.type === 'range') this.#range(node, rangeEntries(value, scope), scope);
    else if (isTruthy(value)) this.#nodes(node.body, node.type === 'with' ? { ...scope, dot: value } : scope);
    else this.#nodes(node.otherwise, scope);
  }

  #range(node: Extract<Node, { body: readonly Node[] }>, entries: ReturnType<typeof rangeEntries>, scope: Scope): void {
    if (entries.length === 0) this.#nodes(node.otherwise, scope);
    const [first, second] = node.pipe.variables;
    for (const [key, item] of entries) {
      const variables = new Map(scope.variables);
      if (second !== undefined) variables.set(first ?? '', key).set(second, item);
      else if (first !== undefined) variables.set(first, item);
      try {
        this.#nodes(node.body, { ...scope, dot: item, variables });
      } catch (error) {
        if (!(error instanceof RangeExit)) throw error;
        if (error.kind === 'break') break;
      }
    }
  }
}

/** The entries of a range: a list in order, a map sorted by key, the numbers below an int. @throws TemplateFailure */
function rangeEntries(value: unknown, scope: Scope): readonly (readonly [key: unknown, item: unknown])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((item, index) => [new GoInt(index), item]);
  if (value instanceof GoInt) return Array.from({ length: value.value }, (_, index) => [new GoInt(index), new GoInt(index)]);
  if (!isJsonObject(value)) throw new TemplateFailure(scope, `range can't iterate over ${formatValue(value)}`);
  return Object.keys(value)
    .sort()
    .map((key) => [key, value[key]]);
}
