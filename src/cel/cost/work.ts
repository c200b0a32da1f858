import { costExceeded, EvaluationEnded } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { MapValue } from '../values/map.ts';
import { isFailure, OpaqueValue, OptionalValue, type Result } from '../values/value.ts';
import { weightOf } from '../values/weight.ts';

/**
 * Limit of work and memory of one evaluation, in visited elements. Cel-go's costs count only the outermost size of a value, and
 * adding two lists costs one: nested lists with shared parts could take any time and memory within the cost limit. Beyond this
 * limit the evaluation ends as if its cost budget were exhausted. Two million elements take about a tenth of a second, or 32 MB.
 */
const perEvaluation = 2_000_000;

/** Counts the work of one evaluation, and of a group of evaluations that retain each other's values. */
export class WorkBudget {
  readonly #together: WorkBudget | undefined;
  #left: number;

  constructor(limit: number = perEvaluation, together?: WorkBudget) {
    this.#left = limit;
    this.#together = together;
  }

  /** The share of one evaluation in a group. */
  part(): WorkBudget {
    return new WorkBudget(perEvaluation, this);
  }

  /** @throws EvaluationEnded */
  spend(work: number): void {
    if (work === 0) return;
    this.#left -= work;
    this.#together?.spend(work);
    if (this.#left < 0) throw new EvaluationEnded(costExceeded);
  }
}

/** Characters of a string per list element visited in the same time. */
const charsPerElement = 16;

type Work = (values: readonly Result[]) => number;

export function workOf(name: string): Work {
  const work = works.get(name) ?? (zoned.has(name) ? inZone : charWork);
  const call = callWork.get(name);
  return call === undefined ? work : (values) => call + work(values);
}

/** Work to create a result; for a list that a macro extends in place, only the addition. */
export function resultWork(result: Result, values: readonly Result[]): number {
  if (typeof result === 'string' || result instanceof Uint8Array) return result.length / charsPerElement;
  if (!(result instanceof ListValue || result instanceof MapValue)) return 0;
  if (result === values[0]) return sizeOf(values[1]);
  // Objects of the request exist already.
  return values.length === 0 ? 0 : result.size;
}

const deepest: Work = (values) => {
  const [a, b] = values;
  // Elements of a set are looked up in the other set.
  if (a instanceof ListValue && a.listKind.kind === 'set' && !isSimple(a)) return product(values);
  return Math.min(weight(a), weight(b));
};
/** Cost factor of an insertion or lookup in an index, in visited elements. */
const indexed = 8;
const first: Work = ([a]) => weight(a);
const both: Work = ([a, b]) => weight(a) + weight(b);
/** Every element of one list with every one of the other, unless both are simple. */
const product: Work = ([a, b]) => {
  if (isSimple(a) && isSimple(b)) return indexed * (sizeOf(a) + sizeOf(b));
  return Math.max(1, sizeOf(a)) * weight(b) + Math.max(1, sizeOf(b)) * weight(a);
};
const selfProduct: Work = ([a]) => (isSimple(a) ? indexed * sizeOf(a) : sizeOf(a) * weight(a));
/** A substring search compares every character of the text with every one of the pattern in the worst case. */
const search: Work = ([text, part]) => {
  if (typeof text !== 'string' || typeof part !== 'string') return weight(text);
  return text.length + part.length + (part.length > 64 ? (text.length * part.length) / 256 : 0);
};

/** Most functions visit every character once. */
const charWork: Work = (values) => values.reduce<number>((work, value) => work + (typeof value === 'string' ? value.length : 0), 0);

/** Fixed work of functions that parse text or create values of many parts. */
const callWork: ReadonlyMap<string, number> = new Map(
  Object.entries({
    format: 40,
    quantity: 20,
    isQuantity: 20,
    ip: 60,
    isIP: 60,
    'ip.isCanonical': 60,
    cidr: 60,
    isCIDR: 60,
    containsIP: 60,
    containsCIDR: 80,
    semver: 20,
    isSemver: 20,
    url: 80,
    isURL: 80,
    getQuery: 20,
    timestamp: 40,
    duration: 40,
    add: 15,
    sub: 15,
    asInteger: 15,
    isInteger: 15,
    asApproximateFloat: 15,
  }),
);

/** Time fields in a named zone use the platform's calendar. */
const inZone: Work = ([, zone]) => (zone === undefined ? 0 : 500);
/** URL accessors parse the text again. */
const ofUrl: Work = ([url]) => (url instanceof OpaqueValue ? url.textLength : 0);
const zoned: ReadonlySet<string> = new Set(
  'getFullYear getMonth getDate getDayOfMonth getDayOfWeek getDayOfYear getHours getMinutes getSeconds getMilliseconds'.split(' '),
);

const works: ReadonlyMap<string, Work> = new Map(
  Object.entries({
    '_==_': deepest,
    '_!=_': deepest,
    '_<_': deepest,
    '_<=_': deepest,
    '_>_': deepest,
    '_>=_': deepest,
    '@in': ([element, container]) => (container instanceof ListValue ? listSearch(container, element) : 0),
    'sets.contains': product,
    'sets.equivalent': product,
    'sets.intersects': product,
    distinct: selfProduct,
    sort: (values) => indexed * first(values),
    '@sortByAssociatedKeys': (values) => indexed * both(values),
    flatten: first,
    isSorted: first,
    sum: first,
    min: first,
    max: first,
    format: (values) => both(values) + 40 * sizeOf(values[1]),
    getQuery: (values) => 4 * ofUrl(values),
    getEscapedPath: (values) => 2 * ofUrl(values),
    contains: search,
    indexOf: search,
    lastIndexOf: search,
    replace: search,
    split: search,
    reverse: ([a]) => sizeOf(a),
    slice: ([a]) => sizeOf(a),
    size: ([a]) => (typeof a === 'string' ? a.length / charsPerElement : 0),
    find: (values) => 2 * charWork(values),
    findAll: (values) => 8 * charWork(values),
    join: first,
    'strings.quote': ([text]) => 4 * (typeof text === 'string' ? text.length : 0),
    startsWith: deepest,
    endsWith: deepest,
    '_+_': () => 0,
    '_[_]': () => 0,
  }),
);

function listSearch(list: ListValue, element: Result | undefined): number {
  return isContainer(element) ? weight(list) : list.size;
}

function weight(value: Result | undefined): number {
  return value === undefined || isFailure(value) ? 0 : weightOf(value);
}

function sizeOf(value: Result | undefined): number {
  return value instanceof ListValue || value instanceof MapValue ? value.size : 1;
}

function isContainer(value: Result | undefined): boolean {
  return value instanceof ListValue || value instanceof MapValue || value instanceof OptionalValue;
}

/** Whether an index can find the elements (EqualIndex). */
function isSimple(value: Result | undefined): boolean {
  return value instanceof ListValue && !value.elements.some(isContainer);
}
