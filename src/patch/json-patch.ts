import { isJsonObject, type Json, setMember } from '../meta/index.ts';
import { indexOf, insertionIndex, notApplicable, pointerSegments, stepInto } from './json-pointer.ts';
import { encodedBytes } from './json-size.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames, sameJson } from './json-value.ts';
import { PatchError, PatchTestError } from './patch-error.ts';

/** One operation as sent. A member that is not a text counts as absent where upstream does so. */
export interface JsonPatchOperation {
  readonly op: Json | undefined;
  readonly path: Json | undefined;
  readonly from: Json | undefined;
  /** Undefined when the operation has no value. */
  readonly value: Json | undefined;
}

export interface JsonPatchLimits {
  /** Maximum number of operations in one patch. */
  readonly operations: number;
  /** Maximum number of bytes that all `copy` operations of a patch may add. */
  readonly copyBytes: number;
}

/** cf. kube-apiserver handlers maxJSONPatchOperations, server options JSONPatchMaxCopyBytes. */
const jsonPatchLimits: JsonPatchLimits = { operations: 10_000, copyBytes: 3 * 1024 * 1024 };

/**
 * Decodes a request body; null is a patch without operations.
 * @throws PatchError `bad-patch`
 */
export function decodeJsonPatch(body: Json): readonly JsonPatchOperation[] {
  if (body === null) return [];
  if (!isJsonArray(body)) throw decodeError(body, 'value of type []handlers.jsonPatchOp');
  return body.map(decodeOperation);
}

/**
 * Decodes without validation, like the library: members may have any type.
 * @throws PatchError `bad-patch`
 */
export function decodeLooseJsonPatch(body: Json): readonly JsonPatchOperation[] {
  if (body === null) return [];
  if (!isJsonArray(body)) throw decodeError(body, 'value of type jsonpatch.Patch');
  return body.map((item) => {
    const from = item === null ? {} : item;
    if (!isJsonObject(from)) throw decodeError(from, 'value of type jsonpatch.Operation');
    return { op: member(from, 'op'), path: member(from, 'path'), from: member(from, 'from'), value: member(from, 'value') };
  });
}

function decodeOperation(item: Json): JsonPatchOperation {
  const from = item === null ? {} : item;
  if (!isJsonObject(from)) throw decodeError(from, 'value of type handlers.jsonPatchOp');
  for (const name of ['op', 'path', 'from']) {
    const text = member(from, name);
    if (text !== undefined && text !== null && typeof text !== 'string') {
      throw decodeError(text, `struct field jsonPatchOp.${name} of type string`);
    }
  }
  return { op: member(from, 'op'), path: member(from, 'path'), from: member(from, 'from'), value: member(from, 'value') };
}

function decodeError(value: Json, target: string): PatchError {
  const type = isJsonArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
  return new PatchError('bad-patch', `json: cannot unmarshal ${type} into Go ${target}`);
}

/**
 * Applies a JSON Patch (RFC 6902) with the deviations of the real server's library (cf. evanphx/json-patch v4): negative indexes count from
 * the end, `replace` of a missing member adds it, a missing value is null, a pointer without a leading slash loses its first segment, the
 * root can be replaced but not added. Unchanged parts are shared with the document.
 * @throws PatchError `too-many-operations` | `not-applicable` | `panic`
 */
export function applyJsonPatch(document: Json, patch: readonly JsonPatchOperation[], limits: JsonPatchLimits = jsonPatchLimits): Json {
  const steps = applyJsonPatchInSteps(document, patch, limits);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * `applyJsonPatch` in steps of one operation, between which other tasks can run: inserting an item into a long list moves all later ones.
 */
export function* applyJsonPatchInSteps(
  document: Json,
  patch: readonly JsonPatchOperation[],
  limits: JsonPatchLimits = jsonPatchLimits,
): Generator<void, Json> {
  if (patch.length > limits.operations) {
    const text = `The allowed maximum operations in a JSON patch is ${limits.operations}, got ${patch.length}`;
    throw new PatchError('too-many-operations', text);
  }
  const run = new PatchExecution(document, limits.copyBytes);
  for (const operation of patch) {
    run.apply(operation);
    yield;
  }
  return run.result();
}

type Container = Draft | Json[];

/** The application of one patch: containers are copied on first write, then modified in place. */
class PatchExecution {
  #root: Json;
  /** Placeholder for a null set by an operation, since upstream panics when a later operation descends into it. */
  readonly #nullPlaceholder: Json = Object.freeze({});
  readonly #copyLimit: number;
  #copied = 0;
  /** Containers created by this run. */
  readonly #ownContainers = new Set<Container>();

  constructor(document: Json, copyLimit: number) {
    this.#root = document;
    this.#copyLimit = copyLimit;
  }

  result(): Json {
    for (const container of this.#ownContainers) this.#resolveNulls(container);
    return this.#root;
  }

  apply(operation: JsonPatchOperation): void {
    switch (operation.op) {
      case 'add':
        this.#add(operation);
        break;
      case 'remove':
        this.#remove(operation);
        break;
      case 'replace':
        this.#replace(operation);
        break;
      case 'move':
        this.#move(operation);
        break;
      case 'test':
        this.#test(operation);
        break;
      case 'copy':
        this.#copy(operation);
        break;
      default:
        throw notApplicable(`Unexpected kind: ${typeof operation.op === 'string' ? operation.op : 'unknown'}`);
    }
  }

  #add({ path, value }: JsonPatchOperation): void {
    if (typeof path !== 'string') throw notApplicable('add operation failed to decode path: missing value');
    const place = this.#find(path);
    if (!place) throw notApplicable(`add operation does not apply: doc is missing path: "${path}": missing value`);
    withErrorContext(`error in add for path: '${path}'`, () => this.#insert(place, this.#operationValue(value)));
  }

  #remove({ path }: JsonPatchOperation): void {
    if (typeof path !== 'string') throw notApplicable('remove operation failed to decode path: missing value');
    const place = this.#find(path);
    if (!place) throw notApplicable(`remove operation does not apply: doc is missing path: "${path}": missing value`);
    withErrorContext(`error in remove for path: '${path}'`, () => this.#delete(place));
  }

  #replace({ path, value }: JsonPatchOperation): void {
    if (typeof path !== 'string')
      throw notApplicable('replace operation failed to decode path: operation missing path field: missing value');
    if (path === '') {
      this.#replaceRoot(value);
      return;
    }
    const place = this.#find(path);
    if (!place) throw notApplicable(`replace operation does not apply: doc is missing path: ${path}: missing value`);
    if (place.missing) throw notApplicable(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    this.#write(place, this.#operationValue(value));
  }

  /** A scalar is not a document: the real server then leaves the document unchanged, without an error. */
  #replaceRoot(value: Json | undefined): void {
    if (value === undefined) throw new PatchError('panic', 'replace of the whole document without a value');
    if (isJsonObject(value) || isJsonArray(value)) this.#root = value;
  }

  #move({ from, path }: JsonPatchOperation): void {
    const source = this.#source('move', from);
    const value = withErrorContext(`error in move for path: '${source.key}'`, () => this.#read(source));
    withErrorContext(`error in move for path: '${source.key}'`, () => this.#delete(source));
    if (typeof path !== 'string') throw notApplicable('move operation failed to decode path: operation missing path field: missing value');
    const place = this.#find(path);
    if (!place) throw notApplicable(`move operation does not apply: doc is missing destination path: ${path}: missing value`);
    withErrorContext(`error in move for path: '${path}'`, () => this.#insert(place, value ?? null));
  }

  #copy({ from, path }: JsonPatchOperation): void {
    const source = this.#source('copy', from);
    withErrorContext(`error in copy for from: '${String(from)}'`, () => this.#read(source));
    if (typeof path !== 'string') throw notApplicable('copy operation failed to decode path: missing value');
    const place = this.#find(path);
    if (!place) throw notApplicable(`copy operation does not apply: doc is missing destination path: ${path}: missing value`);
    // The way to the place may have copied containers of the value.
    const read = this.#read(source) ?? null;
    const value = read === this.#nullPlaceholder ? null : read;
    if (value !== null) this.#copied += encodedBytes(value, this.#copyLimit - this.#copied);
    if (this.#copied > this.#copyLimit) {
      const sizes = `the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${this.#copyLimit}`;
      throw notApplicable(`Unable to complete the copy, ${sizes}`);
    }
    // Both places now share the value, so neither may modify it in place.
    this.#releaseContainers(value);
    withErrorContext('error while adding value during copy', () => this.#insert(place, value));
  }

  #test({ path, value }: JsonPatchOperation): void {
    if (typeof path !== 'string') throw notApplicable('test operation failed to decode path: operation missing path field: missing value');
    const place = path === '' ? undefined : this.#find(path);
    if (path !== '' && !place) throw notApplicable(`test operation does not apply: is missing path: ${path}: missing value`);
    const read = place ? withErrorContext(`error in test for path: '${path}'`, () => this.#read(place)) : this.#root;
    const found = read === this.#nullPlaceholder ? null : (read ?? null);
    if (value === undefined && read !== this.#nullPlaceholder && (found === null || path === ''))
      throw new PatchError('panic', 'test without a value');
    if (value === undefined || !equalForTest(found, value)) throw new PatchTestError(path);
  }

  #source(kind: 'move' | 'copy', from: Json | undefined): PointerTarget {
    if (typeof from !== 'string')
      throw notApplicable(`${kind} operation failed to decode from: operation, missing from field: missing value`);
    const source = this.#find(from);
    if (!source) throw notApplicable(`${kind} operation does not apply: doc is missing from path: ${from}: missing value`);
    return source;
  }

  /** Finds the container of the member that the pointer names; undefined when it does not exist. */
  #find(pointer: string): PointerTarget | undefined {
    const segments = pointerSegments(pointer);
    const key = segments.pop();
    if (key === undefined) return undefined;
    let at: Json | undefined = this.#root;
    for (const segment of segments) {
      at = stepInto(at, segment);
      if (at === this.#nullPlaceholder) throw new PatchError('panic', 'a look into a null that the patch has set');
      if (at === undefined || at === null) return undefined;
    }
    if (!isJsonArray(at) && !isJsonObject(at)) return undefined;
    // Copies the visited containers, which marks them as different from those copied whole.
    this.#writable(segments);
    return { segments, key, missing: isJsonArray(at) && typeof indexOf(at, key) === 'string' };
  }

  #read({ segments, key }: PointerTarget): Json | undefined {
    const container = segments.reduce<Json | undefined>(stepInto, this.#root);
    if (!isJsonArray(container)) return isJsonObject(container) ? member(container, key) : undefined;
    const index = indexOf(container, key);
    if (typeof index === 'string') throw notApplicable(index);
    return container[index];
  }

  #insert({ segments, key }: PointerTarget, value: Json): void {
    const container = this.#writable(segments);
    if (!Array.isArray(container)) setMember(container, key, value);
    else if (key === '-') container.push(value);
    else container.splice(insertionIndex(container, key), 0, value);
  }

  #write({ segments, key }: PointerTarget, value: Json): void {
    const container = this.#writable(segments);
    const index = Array.isArray(container) ? indexOf(container, key) : undefined;
    if (!Array.isArray(container)) setMember(container, key, value);
    else if (typeof index === 'number') container[index] = value;
  }

  #delete({ segments, key }: PointerTarget): void {
    const container = this.#writable(segments);
    if (Array.isArray(container)) {
      const index = indexOf(container, key);
      if (typeof index === 'string') throw notApplicable(index);
      container.splice(index, 1);
    } else {
      if (!Object.hasOwn(container, key)) throw notApplicable(`Unable to remove nonexistent key: ${key}: missing value`);
      delete container[key];
    }
  }

  /** The container at the end of these segments; containers on the path are copied as needed. */
  #writable(segments: readonly string[]): Container {
    let at = this.#ownContainer(this.#root, (fresh) => {
      this.#root = fresh;
    });
    for (const segment of segments) {
      const parent = at;
      if (Array.isArray(parent)) {
        const index = Number(indexOf(parent, segment));
        at = this.#ownContainer(parent[index], (fresh) => {
          parent[index] = fresh;
        });
      } else {
        at = this.#ownContainer(member(parent, segment), (fresh) => setMember(parent, segment, fresh));
      }
    }
    return at;
  }

  #ownContainer(value: Json | undefined, put: (fresh: Json) => void): Container {
    if (this.#ownContainers.has(value as Container)) return value as Container;
    const fresh: Container = isJsonArray(value) ? [...value] : draftOf(isJsonObject(value) ? value : {});
    this.#ownContainers.add(fresh);
    put(fresh);
    return fresh;
  }

  /** A missing value is null as well, but later operations may descend into it. */
  #operationValue(value: Json | undefined): Json {
    return value === null ? this.#nullPlaceholder : (value ?? null);
  }

  #resolveNulls(container: Container): void {
    if (Array.isArray(container)) {
      for (const [index, item] of container.entries()) if (item === this.#nullPlaceholder) container[index] = null;
    } else for (const name of memberNames(container)) if (container[name] === this.#nullPlaceholder) setMember(container, name, null);
  }

  #releaseContainers(value: Json): void {
    if (typeof value !== 'object' || value === null) return;
    if (this.#ownContainers.has(value as Container)) this.#resolveNulls(value as Container);
    this.#ownContainers.delete(value as Container);
    for (const part of isJsonArray(value) ? value : Object.values(value)) if (part !== undefined) this.#releaseContainers(part);
  }
}

/** The target of a pointer: the path of its container, and the key in it. `missing`: the index does not exist in the list. */
interface PointerTarget {
  readonly segments: readonly string[];
  readonly key: string;
  readonly missing: boolean;
}

/** Prefixes errors with their context, like Go's wrapped errors. */
function withErrorContext<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PatchError) throw new PatchError(error.code, `${where}: ${error.message}`);
    throw error;
  }
}

/** Equality for `test`: upstream panics on null in a list. */
function equalForTest(found: Json, wanted: Json): boolean {
  if (isJsonArray(found) && isJsonArray(wanted))
    return found.length === wanted.length && found.every((item, index) => equalItems(item, wanted[index] ?? null));
  if (!isJsonObject(found) || !isJsonObject(wanted)) return sameJson(found, wanted);
  const names = memberNames(found);
  return names.length === memberNames(wanted).length && names.every((name) => equalMembers(found[name], member(wanted, name)));
}

function equalItems(found: Json, wanted: Json): boolean {
  if (found === null || wanted === null) throw new PatchError('panic', 'test of a list that holds null');
  return equalForTest(found, wanted);
}

function equalMembers(found: Json | undefined, wanted: Json | undefined): boolean {
  if (found === undefined || wanted === undefined) return false;
  return found === null || wanted === null ? found === wanted : equalForTest(found, wanted);
}
