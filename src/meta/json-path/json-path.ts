import { goNumber, sortedMembers } from '../go-values.ts';
import { isJsonObject } from '../json.ts';
import { stringifyJson } from '../json-print.ts';
import { JsonPathError } from './json-path-error.ts';
import { type Filter, type Node, parseJsonPath, type Step } from './parser.ts';

/** A template in the real clients' dialect of JSONPath: texts, `{.paths}`, `{range …}{end}`. Cf. client-go util/jsonpath. */
export class JsonPath {
  readonly #nodes: readonly Node[];
  readonly #allowMissing: boolean;

  /** @throws JsonPathError when the template is broken */
  constructor(template: string, allowMissing = true) {
    this.#nodes = parseJsonPath(template);
    this.#allowMissing = allowMissing;
  }

  /** The template with values in place of paths. */
  print(data: unknown): string {
    return this.#print(this.#nodes, data);
  }

  #print(nodes: readonly Node[], data: unknown): string {
    let out = '';
    for (const node of nodes) {
      if (node.type === 'text') out += node.text;
      else if (node.type === 'range')
        out += this.#evaluate(node.steps, data)
          .map((item) => this.#print(node.body, item))
          .join('');
      else out += this.#evaluate(node.steps, data).map(valueText).join(' ');
    }
    return out;
  }

  /** What each path finds, in order. */
  results(data: unknown): unknown[][] {
    return this.#nodes.flatMap((node) =>
      node.type === 'path' ? [this.#evaluate(node.steps, data)] : node.type === 'text' ? [[node.text]] : [],
    );
  }

  #evaluate(steps: readonly Step[], data: unknown): unknown[] {
    let current: unknown[] = [data];
    for (const step of steps) current = this.#step(step, current, data);
    return current;
  }

  #step(step: Step, from: readonly unknown[], root: unknown): unknown[] {
    switch (step.type) {
      case 'field':
        return this.#field(step.name, from);
      case 'wildcard':
        return from.flatMap(childrenOf);
      case 'recursive':
        return from.flatMap(descendantsOf);
      case 'literal':
        return [step.value];
      case 'union':
        return from.flatMap((item) =>
          step.parts.flatMap((part) => part.reduce<unknown[]>((found, one) => this.#step(one, found, root), [item])),
        );
      case 'filter':
        return from.flatMap((item) =>
          (Array.isArray(item) ? item : isJsonObject(item) ? Object.values(sortedMembers(item) as object) : []).filter((one) =>
            this.#passes(step.filter, one),
          ),
        );
      case 'slice':
        return from.flatMap((item) => sliceOf(item, step));
      default:
        return step satisfies never;
    }
  }

  #field(name: string, from: readonly unknown[]): unknown[] {
    const found = from.flatMap((item) => (isJsonObject(item) && Object.hasOwn(item, name) ? [item[name]] : []));
    if (found.length === 0 && from.length > 0 && !this.#allowMissing) throw new JsonPathError(`${name} is not found`);
    return found;
  }

  #passes(filter: Filter, item: unknown): boolean {
    const values = (steps: readonly Step[]): unknown[] => steps.reduce<unknown[]>((found, step) => this.#step(step, found, item), [item]);
    const left = values(filter.left);
    if (filter.operator === 'exists') return left.length > 0;
    const right = values(filter.right);
    if (left.length === 0 || right.length === 0) return false;
    if (left.length > 1 || right.length > 1) throw new JsonPathError('can only compare one element at a time');
    return compare(left[0], filter.operator, right[0]);
  }
}

/** Values of one kind only: a number is no text, and a whole one no fraction. */
function compare(left: unknown, operator: string, right: unknown): boolean {
  const ordered = operator !== '==' && operator !== '!=';
  const kinds = [left, right].map((value) => (typeof value === 'object' || value === undefined ? undefined : goTypeOf(value)));
  if (kinds.includes(undefined)) throw new JsonPathError('invalid type for comparison');
  if (kinds[0] !== kinds[1]) throw new JsonPathError('incompatible types for comparison');
  if (ordered && kinds[0] === 'bool') throw new JsonPathError('invalid type for comparison');
  const [a, b] = [left as string | number, right as string | number];
  switch (operator) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}

function childrenOf(item: unknown): unknown[] {
  if (Array.isArray(item)) return item;
  return isJsonObject(item) ? Object.values(sortedMembers(item) as object) : [];
}

/** The item and all below it that can have children, parents first. */
function descendantsOf(item: unknown): unknown[] {
  const found: unknown[] = [];
  const open: unknown[] = [item];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (!Array.isArray(next) && !isJsonObject(next)) continue;
    found.push(next);
    open.push(...childrenOf(next));
  }
  return found;
}

function sliceOf(item: unknown, { from, to, by }: Extract<Step, { type: 'slice' }>): unknown[] {
  if (item === null || item === undefined) return [];
  if (!Array.isArray(item)) throw new JsonPathError(`${goTypeOf(item)} is not array or slice`);
  const place = (index: number): number => (index < 0 ? index + item.length : index);
  if (to === 'one') {
    const at = place(from ?? 0);
    if (at < 0 || at >= item.length) throw new JsonPathError(`array index out of bounds: index ${at}, length ${item.length}`);
    return [item[at]];
  }
  const start = place(from ?? 0);
  const end = Math.min(to === undefined ? item.length : place(to), item.length);
  return item.slice(Math.max(start, 0), Math.max(end, 0)).filter((_, index) => index % (by ?? 1) === 0);
}

function goTypeOf(item: unknown): string {
  if (typeof item === 'object') return 'map[string]interface {}';
  if (typeof item === 'number') return Number.isInteger(item) ? 'int64' : 'float64';
  return typeof item === 'boolean' ? 'bool' : 'string';
}

/** Texts as they are, maps and lists as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') return stringifyJson(sortedMembers(value));
  return typeof value === 'number' ? goNumber(value) : String(value);
}
