import {
  formatGoSyntax,
  formatGoValue,
  goType,
  isJsonObject,
  itemsPerStep,
  type Json,
  type JsonObject,
  type Recursion,
  type Steps,
  stepsOf,
} from '../../../meta/index.ts';
import { isJsonArray, member, memberNames } from '../../json-value.ts';
import { fieldElement, formatElement, type PathElement } from '../fieldpath/path-element.ts';
import { itemElement, itemProblem } from './list-item.ts';
import { fieldOf, type ListShape, type ScalarShape, type Shape, type StructShape } from './shape.ts';
import { TypedError, type TypedProblem } from './typed-error.ts';

/** Whether an associative list may have duplicate items: in live objects they are allowed, in applied ones they are not. */
export type DuplicateMode = 'allowed' | 'refused';

/** How many problems to report: a caller that only needs a yes or no stops at the first. */
export type ProblemReport = 'every problem' | 'first problem';

/**
 * Checks that a value matches a shape (cf. structured-merge-diff typed AsTyped).
 * @throws TypedError with the problems found
 */
export function* requireTyped(value: Json, shape: Shape, repeats: DuplicateMode, report: ProblemReport): Steps<void> {
  const problems = new Problems(report);
  const walk = new Validation(repeats, problems);
  if (walk.hasParts(value, shape)) yield* stepsOf(walk.visit(value, shape));
  problems.throwAny();
}

/**
 * Validates associative-list keys of a value that matches its shape: a shape alone does not guarantee them. Parts that the value shares with
 * `valid`, which was validated before, are skipped.
 * @throws TypedError
 */
export function* requireListKeys(value: Json, shape: Shape, report: ProblemReport, valid: Json = null): Steps<void> {
  const problems = new Problems(report);
  if (mayLackListKeys(value, shape)) yield* stepsOf(validateListKeys(value, shape, problems, valid));
  problems.throwAny();
}

/** A list item on the path of the walk. Its path element is computed only when there is a problem. */
interface ItemStep {
  readonly list: ListShape;
  readonly item: Json;
  readonly index: number;
}

/** Collects problems, and tracks the path of the walk. */
class Problems {
  readonly #report: ProblemReport;
  readonly #found: TypedProblem[] = [];
  readonly #path: (PathElement | ItemStep)[] = [];

  constructor(report: ProblemReport) {
    this.#report = report;
  }

  enter(step: PathElement | ItemStep): void {
    this.#path.push(step);
  }

  leave(): void {
    this.#path.pop();
  }

  add(message: string): void {
    this.#found.push({ path: this.#path.map((step) => (typeof step === 'string' ? step : stepElement(step))), message });
    if (this.#report === 'first problem') this.throwAny();
  }

  throwAny(): void {
    if (this.#found.length > 0) throw new TypedError(this.#found);
  }
}

function stepElement({ list, item, index }: ItemStep): PathElement {
  const one = list.atomic ? undefined : itemElement(list, item);
  return one && 'element' in one ? one.element : `i:${index}`;
}

/** Whether a value may contain items without identity. */
function mayLackListKeys(value: Json, shape: Shape): boolean {
  return typeof value === 'object' && value !== null && hasAssociativeLists(shape) && isJsonArray(value) === (shape.kind === 'list');
}

const associativeListShapes = new WeakMap<Shape, boolean>();

/** Whether values of this shape may contain associative lists. */
function hasAssociativeLists(shape: Shape): boolean {
  let holds = associativeListShapes.get(shape);
  if (holds === undefined) {
    holds = findAssociativeList(shape);
    associativeListShapes.set(shape, holds);
  }
  return holds;
}

/** Visits each shape once, since some types are recursive. */
function findAssociativeList(root: Shape): boolean {
  const seen = new Set<Shape>([root]);
  for (const shape of seen) {
    if (shape.kind === 'list' && !shape.atomic) return true;
    if (shape.kind === 'list') seen.add(shape.items);
    else if (shape.kind === 'map') seen.add(shape.values);
    else if (shape.kind === 'struct') for (const { shape: part } of shape.fields.values()) seen.add(part);
  }
  return false;
}

function validateListKeys(value: Json, shape: Shape, problems: Problems, valid: Json): Recursion<void> {
  if (shape.kind === 'list') return validateItemKeys(isJsonArray(value) ? value : [], shape, problems);
  return validateMemberKeys(isJsonObject(value) ? value : {}, shape, problems, isJsonObject(valid) ? valid : {});
}

function* validateItemKeys(items: readonly Json[], shape: ListShape, problems: Problems): Recursion<void> {
  for (const [index, item] of items.entries()) {
    if (index % itemsPerStep === itemsPerStep - 1) yield;
    const problem = shape.atomic ? undefined : itemProblem(shape, item);
    if (problem !== undefined) {
      problems.add(`element ${index}: ${problem}`);
      return;
    }
    if (!mayLackListKeys(item, shape.items)) continue;
    problems.enter({ list: shape, item, index });
    yield validateListKeys(item, shape.items, problems, null);
    problems.leave();
  }
}

function* validateMemberKeys(value: JsonObject, shape: Shape, problems: Problems, valid: JsonObject): Recursion<void> {
  let count = 0;
  for (const name of memberNames(value)) {
    if (++count % itemsPerStep === 0) yield;
    const part = shape.kind === 'map' ? shape.values : shape.kind === 'struct' ? shape.fields.get(name)?.shape : undefined;
    const item = value[name] ?? null;
    const before = member(valid, name) ?? null;
    if (item === before || !part || !mayLackListKeys(item, part)) continue;
    problems.enter(fieldElement(name));
    yield validateListKeys(item, part, problems, before);
    problems.leave();
  }
}

class Validation {
  readonly #repeats: DuplicateMode;
  readonly #problems: Problems;

  constructor(repeats: DuplicateMode, problems: Problems) {
    this.#repeats = repeats;
    this.#problems = problems;
  }

  /** Checks a value without parts; returns whether it has parts for `visit`. */
  hasParts(value: Json, shape: Shape): boolean {
    if (value === null || shape.kind === 'untyped') return false;
    if (shape.kind === 'scalar') this.#scalar(value, shape);
    else if (shape.kind === 'list' ? isJsonArray(value) : isJsonObject(value)) return true;
    else this.#problems.add(`expected ${shape.kind === 'list' ? 'list' : 'map'}, got &{${formatGoValue(value)}}`);
    return false;
  }

  visit(value: Json, shape: Shape): Recursion<void> {
    if (shape.kind === 'list') return this.#list(isJsonArray(value) ? value : [], shape);
    const object = isJsonObject(value) ? value : {};
    if (shape.kind === 'struct') return this.#struct(object, shape);
    return this.#map(object, shape.kind === 'map' ? shape.values : shape);
  }

  #scalar(value: Json, { type }: ScalarShape): void {
    const kind = typeof value === 'bigint' ? 'number' : typeof value;
    if (type === 'numeric' && kind !== 'number') this.#problems.add(`expected numeric (int or float), got ${goType(value)}`);
    if (type === 'string' && kind !== 'string')
      this.#problems.add(`expected string, got &value.valueUnstructured{Value:${formatGoSyntax(value)}}`);
    if (type === 'boolean' && kind !== 'boolean') this.#problems.add(`expected boolean, got &{${formatGoValue(value)}}`);
    if (type === 'untyped' && kind === 'object') this.#problems.add(`expected any scalar, got &{${formatGoValue(value)}}`);
  }

  *#list(items: readonly Json[], shape: ListShape): Recursion<void> {
    const seen = shape.atomic || this.#repeats === 'allowed' ? undefined : new Set<PathElement>();
    for (const [index, item] of items.entries()) {
      if (index % itemsPerStep === itemsPerStep - 1) yield;
      const problem = shape.atomic ? undefined : itemProblem(shape, item);
      if (problem !== undefined) {
        this.#problems.add(`element ${index}: ${problem}`);
        // An item without identity ends the validation of its list.
        return;
      }
      const step = { list: shape, item, index };
      if (seen) this.#requireNew(stepElement(step), seen);
      this.#problems.enter(step);
      if (this.hasParts(item, shape.items)) yield this.visit(item, shape.items);
      this.#problems.leave();
    }
  }

  #requireNew(element: PathElement, seen: Set<PathElement>): void {
    if (seen.has(element)) this.#problems.add(`duplicate entries for key ${formatElement(element)}`);
    seen.add(element);
  }

  *#map(value: JsonObject, values: Shape): Recursion<void> {
    let count = 0;
    for (const name of memberNames(value)) {
      if (++count % itemsPerStep === 0) yield;
      const part = value[name] ?? null;
      this.#problems.enter(fieldElement(name));
      if (this.hasParts(part, values)) yield this.visit(part, values);
      this.#problems.leave();
    }
  }

  *#struct(value: JsonObject, shape: StructShape): Recursion<void> {
    let count = 0;
    for (const name of memberNames(value)) {
      if (++count % itemsPerStep === 0) yield;
      const field = fieldOf(shape, name);
      if (!field) {
        this.#problems.enter(fieldElement(name));
        this.#problems.add('field not declared in schema');
        this.#problems.leave();
        // Like upstream, stops validating this object at the first unknown field.
        return;
      }
      const part = member(value, name) ?? null;
      this.#problems.enter(field.element);
      if (this.hasParts(part, field.shape)) yield this.visit(part, field.shape);
      this.#problems.leave();
    }
  }
}
