import { isJsonObject, type Json, type JsonObject, setMember } from '../../meta/index.ts';
import { type Draft, memberNames } from '../json-value.ts';
import { FieldSet } from './field-set.ts';
import { type PathElement, parseElement } from './path-element.ts';

/**
 * Field sets as managedFields holds them: nested objects whose members are steps, `{}` for a path that ends, `.` for a path that
 * ends and goes on.
 *
 *     {"f:spec":{"f:ports":{".":{},"k:{\"port\":80}":{".":{},"f:name":{}}}}}
 *
 * Both directions are remembered: objects and sets never change, and the same ones come again with every write.
 */
export class FieldsV1 {
  readonly #sets = new WeakMap<JsonObject, FieldSet>();
  readonly #objects = new WeakMap<FieldSet, JsonObject>();

  /** @throws SyntaxError when a step is malformed */
  decode(fields: Json | undefined): FieldSet {
    if (fields === undefined || fields === null) return FieldSet.empty;
    if (!isJsonObject(fields)) throw new SyntaxError('fields are an object');
    const known = this.#sets.get(fields);
    if (known) return known;
    const { member: _, ...set } = decoded(fields);
    const root = FieldSet.of(false, set.children);
    this.#sets.set(fields, root);
    return root;
  }

  encode(set: FieldSet): JsonObject {
    return finish(this.encodeInSteps(set));
  }

  /** The same in steps of limited length. */
  *encodeInSteps(set: FieldSet): Generator<void, JsonObject> {
    const known = this.#objects.get(set);
    if (known) return known;
    const fields = yield* encoded(set);
    this.#objects.set(set, fields);
    this.#sets.set(fields, set);
    return fields;
  }
}

/** What stands in a step's object. `member` is told by `.`, or by nothing else being there. */
function decoded(fields: JsonObject): { readonly member: boolean; readonly children: ReadonlyMap<PathElement, FieldSet> } {
  const children = new Map<PathElement, FieldSet>();
  let member = false;
  let last = FieldSet.leaf;
  for (const name of memberNames(fields)) {
    if (name === '.') {
      member = true;
      continue;
    }
    const element = parseElement(name);
    const value = fields[name] ?? null;
    if (element === undefined) continue;
    if (!isJsonObject(value)) throw new SyntaxError(`expected an object at ${name}`);
    const inner = decoded(value);
    last = FieldSet.of(inner.member || inner.children.size === 0, inner.children).sharing(last);
    children.set(element, last);
  }
  return { member, children };
}

/** How many members are written in one step: some 10 ms. */
const elementsInStep = 10_000;

/** Takes all steps at once. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Of a path with nothing below it: shared, as most paths are such. */
const emptyFields: JsonObject = Object.freeze({});

function* encoded(set: FieldSet): Generator<void, JsonObject> {
  const out: Draft = {};
  const elements = set.sortedElements();
  if (elements.length >= elementsInStep) yield;
  let inStep = 0;
  // Siblings that share their set share its object.
  let last: { readonly child: FieldSet; readonly fields: JsonObject } | undefined;
  for (const element of elements) {
    if (++inStep % elementsInStep === 0) yield;
    const child = set.child(element);
    if (child.children.size === 0) {
      setMember(out, element, emptyFields);
      continue;
    }
    if (last?.child !== child) {
      const inner = yield* encoded(child);
      last = { child, fields: child.member ? { '.': {}, ...inner } : inner };
    }
    setMember(out, element, last.fields);
  }
  return out;
}
