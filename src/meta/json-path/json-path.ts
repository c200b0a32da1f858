import { formatGoNumber, sortMembers } from '../json/go-values.ts';
import { isJsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/json-encoder.ts';
import { JsonPathError } from './json-path-error.ts';
import { type Filter, type Node, parseJsonPath, type Step } from './parser.ts';

/** Budget of values to visit: nested recursive descents multiply. */
export class JsonPathBudget {
  #left: number;

  constructor(values: number) {
    this.#left = values;
  }

  /** @throws JsonPathError when the budget is exceeded */
  take(values: number): void {
    this.#left -= values;
    if (this.#left < 0) throw new JsonPathError('too many values');
  }
}

/** A template in kubectl's dialect of JSONPath: texts, `{.paths}`, `{range …}{end}`. Cf. client-go util/jsonpath. */
export class JsonPath {
  readonly #nodes: readonly Node[];
  readonly #allowMissing: boolean;

  /** @throws JsonPathError for an invalid template */
  constructor(template: string, allowMissing = true) {
    this.#nodes = parseJsonPath(template);
    this.#allowMissing = allowMissing;
  }

  /** Executes the template; values replace the paths. */
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
      else out += this.#evaluate(node.steps, data).map(formatJsonPathValue).join(' ');
    }
    return out;
  }

  /** The results of each path, in order. */
  results(data: unknown): unknown[][] {
    return this.#nodes.flatMap((node) =>
      node.type === 'path' ? [this.#evaluate(node.steps, data)] : node.type === 'text' ? [[node.text]] : [],
    );
  }

  /**
   * The first result of each path, in order. A value found several times is visited once: that changes neither the first result nor the
   * errors. @throws JsonPathError, also when the budget is exceeded
   */
  firstResults(data: unknown, bound: JsonPathBudget): unknown[] {
    return this.#nodes.flatMap((node) => {
      if (node.type === 'range') return [];
      return [node.type === 'text' ? node.text : this.#first(node.steps, data, bound)];
    });
  }

  #first(steps: readonly Step[], data: unknown, bound: JsonPathBudget): unknown {
    let current: readonly unknown[] = [data];
    for (const step of steps) {
      if (step.type !== 'recursive') current = deduplicate(this.#step(step, current, data, bound));
      else {
        const seen = new Set<unknown>();
        current = current.flatMap((item) => descendantsOf(item, bound, seen));
      }
    }
    return current[0];
  }

  #evaluate(steps: readonly Step[], data: unknown): unknown[] {
    let current: unknown[] = [data];
    for (const step of steps) current = this.#step(step, current, data);
    return current;
  }

  #step(step: Step, from: readonly unknown[], root: unknown, bound?: JsonPathBudget): unknown[] {
    bound?.take(from.length);
    switch (step.type) {
      case 'field':
        return this.#field(step.name, from);
      case 'wildcard':
        return from.flatMap(childrenOf);
      case 'recursive':
        return from.flatMap((item) => descendantsOf(item, bound));
      case 'literal':
        return typeof step.value === 'string' ? [step.value] : from.map(() => step.value);
      case 'failure':
        throw new JsonPathError(step.message);
      case 'union':
        return from.flatMap((item) =>
          step.parts.flatMap((part) => part.reduce<unknown[]>((found, one) => this.#step(one, found, root, bound), [item])),
        );
      case 'filter':
        return from.flatMap((item) => childrenOf(item).filter((one) => this.#matchesFilter(step.filter, one, bound)));
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

  #matchesFilter(filter: Filter, item: unknown, bound: JsonPathBudget | undefined): boolean {
    const values = (steps: readonly Step[]): unknown[] =>
      steps.reduce<unknown[]>((found, step) => this.#step(step, found, item, bound), [item]);
    const left = values(filter.left);
    if (filter.operator === 'exists') return left.length > 0;
    const right = values(filter.right);
    if (left.length === 0 || right.length === 0) return false;
    if (left.length > 1 || right.length > 1) throw new JsonPathError('can only compare one element at a time');
    return compare(left[0], filter.operator, right[0]);
  }
}

/** Compares values of one type only: a number is not a text, and an integer is not a float. */
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

/** The items of a list, or the members of an object sorted by name. */
function childrenOf(item: unknown): readonly unknown[] {
  if (Array.isArray(item)) return item;
  if (!isJsonObject(item)) return [];
  return Object.keys(item)
    .sort()
    .map((name) => item[name])
    .filter((member) => member !== undefined);
}

/** The item and all its descendants with children, parents first. Values in `seen` are skipped with their descendants. */
function descendantsOf(item: unknown, bound: JsonPathBudget | undefined, seen?: Set<unknown>): unknown[] {
  const found: unknown[] = [];
  for (let level: readonly unknown[] = [item]; level.length > 0; ) {
    bound?.take(level.length);
    const parents = level.filter((one) => (Array.isArray(one) || isJsonObject(one)) && !seen?.has(one));
    for (const one of parents) {
      found.push(one);
      seen?.add(one);
    }
    level = parents.flatMap(childrenOf);
  }
  return found;
}

/** Deduplicates objects and lists by identity; the first occurrence stays. */
function deduplicate(items: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>();
  return items.filter((item) => typeof item !== 'object' || item === null || (!seen.has(item) && seen.add(item) !== undefined));
}

function sliceOf(item: unknown, { from, to, by }: Extract<Step, { type: 'slice' }>): unknown[] {
  if (item === null || item === undefined) return [];
  if (!Array.isArray(item)) throw new JsonPathError(`${goTypeOf(item)} is not array or slice`);
  const { length } = item;
  const place = (index: number): number => (index < 0 ? index + length : index);
  const start = place(from ?? 0);
  const end = to === 'one' ? oneAfter(from ?? 0, length) : place(to ?? length);
  if (end === start) return [];
  if (start >= length || start < 0) throw new JsonPathError(`array index out of bounds: index ${start}, length ${length}`);
  if (end > length || end < 0) throw new JsonPathError(`array index out of bounds: index ${end - 1}, length ${length}`);
  if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  if (by !== undefined && by <= 0) throw new JsonPathError('step must be > 0');
  return item.slice(start, end).filter((_, index) => index % (by ?? 1) === 0);
}

/** The end of a slice of the one item at an index, which may count from the end. */
function oneAfter(index: number, length: number): number {
  return index < 0 ? index + 1 + length : index + 1;
}

function goTypeOf(item: unknown): string {
  if (typeof item === 'object') return 'map[string]interface {}';
  if (typeof item === 'number') return Number.isInteger(item) ? 'int64' : 'float64';
  return typeof item === 'boolean' ? 'bool' : 'string';
}

/** Texts are printed as they are, maps and lists as JSON. */
export function formatJsonPathValue(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') return stringifyJson(sortMembers(value));
  return typeof value === 'number' ? formatGoNumber(value) : String(value);
}
