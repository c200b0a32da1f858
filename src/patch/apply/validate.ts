import { goSyntax, goText, goType, isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import { isJsonArray, member, memberNames } from '../json-value.ts';
import { itemElement } from './list-item.ts';
import { elementText, fieldElement, type PathElement } from './path-element.ts';
import { fieldOf, type ListShape, type ScalarShape, type Shape, type StructShape } from './shape.ts';
import { TypedError, type TypedProblem } from './typed-error.ts';

/** Whether an item of a keyed list or set may stand there twice: in live objects it may, in what is applied it must not. */
export type Repeats = 'allowed' | 'refused';

/**
 * Checks that a value can be taken as this shape (cf. structured-merge-diff typed AsTyped).
 * @throws TypedError with every problem found
 */
export function requireTyped(value: Json, shape: Shape, repeats: Repeats): void {
  const problems: TypedProblem[] = [];
  const path: PathElement[] = [];
  const walk = new Validation(repeats, path, problems);
  walk.visit(value, shape);
  if (problems.length > 0) throw new TypedError(problems);
}

/** Checks of a value that has its shape only what no shape assures: that items of keyed lists and sets can be told apart. @throws TypedError */
export function requireIdentities(value: Json, shape: Shape): void {
  const problems: TypedProblem[] = [];
  findUntold(value, shape, [], problems);
  if (problems.length > 0) throw new TypedError(problems);
}

function findUntold(value: Json, shape: Shape, path: PathElement[], problems: TypedProblem[]): void {
  if (typeof value !== 'object' || value === null || shape.kind === 'scalar' || shape.kind === 'untyped') return;
  if (shape.kind === 'list') {
    if (!isJsonArray(value)) return;
    for (const [index, item] of value.entries()) {
      const one = shape.atomic ? { element: `i:${index}` } : itemElement(shape, item);
      if ('problem' in one) {
        problems.push({ path: [...path], message: `element ${index}: ${one.problem}` });
        return;
      }
      if (typeof item !== 'object') continue;
      path.push(one.element);
      findUntold(item, shape.items, path, problems);
      path.pop();
    }
    return;
  }
  if (!isJsonObject(value) || (shape.kind === 'map' && shape.values.kind === 'scalar')) return;
  for (const name of memberNames(value)) {
    const part = shape.kind === 'map' ? shape.values : shape.fields.get(name)?.shape;
    const item = value[name] ?? null;
    if (!part || typeof item !== 'object') continue;
    path.push(fieldElement(name));
    findUntold(item, part, path, problems);
    path.pop();
  }
}

class Validation {
  readonly #repeats: Repeats;
  readonly #path: PathElement[];
  readonly #problems: TypedProblem[];

  constructor(repeats: Repeats, path: PathElement[], problems: TypedProblem[]) {
    this.#repeats = repeats;
    this.#path = path;
    this.#problems = problems;
  }

  visit(value: Json, shape: Shape): void {
    if (value === null || shape.kind === 'untyped') return;
    if (shape.kind === 'scalar') this.#scalar(value, shape);
    else if (shape.kind === 'list') {
      if (isJsonArray(value)) this.#list(value, shape);
      else this.#problem(`expected list, got &{${goText(value)}}`);
    } else if (!isJsonObject(value)) this.#problem(`expected map, got &{${goText(value)}}`);
    else if (shape.kind === 'struct') this.#struct(value, shape);
    else for (const name of memberNames(value)) this.#below(fieldElement(name), value[name] ?? null, shape.values);
  }

  #scalar(value: Json, { type }: ScalarShape): void {
    const kind = typeof value === 'bigint' ? 'number' : typeof value;
    if (type === 'numeric' && kind !== 'number') this.#problem(`expected numeric (int or float), got ${goType(value)}`);
    if (type === 'string' && kind !== 'string') this.#problem(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    if (type === 'boolean' && kind !== 'boolean') this.#problem(`expected boolean, got &{${goText(value)}}`);
    if (type === 'untyped' && kind === 'object') this.#problem(`expected any scalar, got &{${goText(value)}}`);
  }

  #list(items: readonly Json[], shape: ListShape): void {
    const seen = new Set<PathElement>();
    for (const [index, item] of items.entries()) {
      const element = this.#elementOf(shape, item, index);
      // Without it nothing more can be said of the list.
      if (element === undefined) return;
      if (!shape.atomic && seen.has(element) && this.#repeats === 'refused') {
        this.#problem(`duplicate entries for key ${elementText(element)}`);
      }
      seen.add(element);
      this.#below(element, item, shape.items);
    }
  }

  #elementOf(shape: ListShape, item: Json, index: number): PathElement | undefined {
    if (shape.atomic) return `i:${index}`;
    const one = itemElement(shape, item);
    if ('element' in one) return one.element;
    this.#problem(`element ${index}: ${one.problem}`);
    return undefined;
  }

  #struct(value: JsonObject, shape: StructShape): void {
    for (const name of memberNames(value)) {
      const field = fieldOf(shape, name);
      const part = member(value, name) ?? null;
      if (field) this.#below(field.element, part, field.shape);
      else {
        this.#problem('field not declared in schema', fieldElement(name));
        // As upstream: one unknown field ends the look at this object.
        return;
      }
    }
  }

  #below(element: PathElement, value: Json, shape: Shape): void {
    this.#path.push(element);
    this.visit(value, shape);
    this.#path.pop();
  }

  #problem(message: string, element?: PathElement): void {
    this.#problems.push({ path: element === undefined ? [...this.#path] : [...this.#path, element], message });
  }
}
