import {
  attachedValues,
  isJsonObject,
  itemsPerStep,
  type Json,
  type JsonObject,
  type Recursion,
  runSteps,
  type Steps,
  setMember,
  stepsOf,
} from '../../../meta/index.ts';
import { type Draft, memberNames } from '../../json-value.ts';
import { FieldSet } from './field-set.ts';
import { type PathElement, parseElement } from './path-element.ts';

/**
 * Encodes field sets as in managedFields: nested objects whose members are path elements, `{}` for a path that ends, `.` for a path that
 * ends and has paths below.
 *
 * {"f:spec":{"f:ports":{".":{},"k:{\"port\":80}":{".":{},"f:name":{}}}}}
 *
 * Both directions are cached: objects and sets are immutable, and the same ones occur with every write.
 */
export class FieldsV1 {
  readonly #sets = attachedValues<JsonObject, FieldSet>();
  readonly #objects = attachedValues<FieldSet, JsonObject>();

  /** @throws SyntaxError when a path element is malformed */
  *decode(fields: Json | undefined): Steps<FieldSet> {
    if (fields === undefined || fields === null) return FieldSet.empty;
    if (!isJsonObject(fields)) throw new SyntaxError('fields are an object');
    const known = this.#sets.get(fields);
    if (known) return known;
    const root = FieldSet.of(false, (yield* stepsOf(decodeFields(fields))).children);
    this.#sets.set(fields, root);
    return root;
  }

  encode(set: FieldSet): JsonObject {
    return runSteps(this.encodeInSteps(set));
  }

  /** `encode` in steps of limited length. */
  *encodeInSteps(set: FieldSet): Steps<JsonObject> {
    const known = this.#objects.get(set);
    if (known) return known;
    const fields = yield* stepsOf(encodeFields(set, {}));
    this.#objects.set(set, fields);
    this.#sets.set(fields, set);
    return fields;
  }
}

/** A path ends here when `.` is a member, or when there are no members. */
function* decodeFields(fields: JsonObject): Recursion<FieldSet> {
  const children = new Map<PathElement, FieldSet>();
  let member = false;
  let last = FieldSet.leaf;
  let count = 0;
  for (const name of memberNames(fields)) {
    if (++count % itemsPerStep === 0) yield;
    if (name === '.') {
      member = true;
      continue;
    }
    const element = parseElement(name);
    const value = fields[name] ?? null;
    if (element === undefined) continue;
    if (!isJsonObject(value)) throw new SyntaxError(`expected an object at ${name}`);
    last = isEmpty(value) ? FieldSet.leaf : (yield decodeFields(value)).sharedWith(last);
    children.set(element, last);
  }
  return FieldSet.of(member || children.size === 0, children);
}

function isEmpty(object: JsonObject): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return false;
  return true;
}

/** The encoding of a leaf, which is shared since most paths are leaves. */
const emptyFields: JsonObject = Object.freeze({});

/** Adds the members to `out`, since copying a large object would be slow. */
function* encodeFields(set: FieldSet, out: Draft): Recursion<JsonObject> {
  // Siblings with the same set share one object.
  let last: { readonly child: FieldSet; readonly fields: JsonObject } | undefined;
  let count = 0;
  for (const element of yield* set.sortedElementsInSteps()) {
    if (++count % itemsPerStep === 0) yield;
    const child = set.child(element);
    if (child.children.size === 0) {
      setMember(out, element, emptyFields);
      continue;
    }
    if (last?.child !== child) last = { child, fields: yield encodeFields(child, child.member ? { '.': emptyFields } : {}) };
    setMember(out, element, last.fields);
  }
  return out;
}
