import { isJsonObject, type Json, setMember } from '../meta/index.ts';
import { indexOf, insertionIndex, pointerSegments, refused, stepInto } from './json-pointer.ts';
import { encodedBytes } from './json-size.ts';
import { type Draft, draftOf, isJsonArray, member, memberNames, sameJson } from './json-value.ts';
import { PatchError } from './patch-error.ts';

/** One operation as it was sent: a member of another type than text counts as absent where upstream says so. */
export interface JsonPatchOperation {
  readonly op: Json | undefined;
  readonly path: Json | undefined;
  readonly from: Json | undefined;
  /** undefined: no value was sent. */
  readonly value: Json | undefined;
}

export interface JsonPatchLimits {
  /** Operations in one patch. */
  readonly operations: number;
  /** How many bytes all `copy` operations of a patch may add. */
  readonly copyBytes: number;
}

/** cf. kube-apiserver handlers maxJSONPatchOperations, server options JSONPatchMaxCopyBytes. */
export const jsonPatchLimits: JsonPatchLimits = { operations: 10_000, copyBytes: 3 * 1024 * 1024 };

/**
 * Reads a request body as a patch. null is a patch without operations.
 * @throws PatchError `bad-patch`
 */
export function decodeJsonPatch(body: Json): readonly JsonPatchOperation[] {
  if (body === null) return [];
  if (!isJsonArray(body)) throw undecodable(body, 'value of type []handlers.jsonPatchOp');
  return body.map(decodeOperation);
}

/**
 * The same as the library reads it when nothing is validated: members may be of any type.
 * @throws PatchError `bad-patch`
 */
export function decodeLooseJsonPatch(body: Json): readonly JsonPatchOperation[] {
  if (body === null) return [];
  if (!isJsonArray(body)) throw undecodable(body, 'value of type jsonpatch.Patch');
  return body.map((item) => {
    const from = item === null ? {} : item;
    if (!isJsonObject(from)) throw undecodable(from, 'value of type jsonpatch.Operation');
    return { op: member(from, 'op'), path: member(from, 'path'), from: member(from, 'from'), value: member(from, 'value') };
  });
}

function decodeOperation(item: Json): JsonPatchOperation {
  const from = item === null ? {} : item;
  if (!isJsonObject(from)) throw undecodable(from, 'value of type handlers.jsonPatchOp');
  for (const name of ['op', 'path', 'from']) {
    const text = member(from, name);
    if (text !== undefined && text !== null && typeof text !== 'string') {
      throw undecodable(text, `struct field jsonPatchOp.${name} of type string`);
    }
  }
  return { op: member(from, 'op'), path: member(from, 'path'), from: member(from, 'from'), value: member(from, 'value') };
}

function undecodable(value: Json, target: string): PatchError {
  const type = isJsonArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
  return new PatchError('bad-patch', `json: cannot unmarshal ${type} into Go ${target}`);
}

/**
 * JSON Patch (RFC 6902) with what the real server's library adds and leaves out (cf. evanphx/json-patch v4):
 * indexes below zero count from the end, `replace` of a missing member adds it, a missing value is null, a pointer without a
 * leading slash loses its first segment, the root can be replaced but not added. Untouched parts are shared with the document.
 * @throws PatchError `too-many-operations` | `not-applicable` | `panic`
 */
export function applyJsonPatch(document: Json, patch: readonly JsonPatchOperation[], limits: JsonPatchLimits = jsonPatchLimits): Json {
  const steps = applyJsonPatchInSteps(document, patch, limits);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same in steps of one operation, between which others can have their turns: an item of a long list moves all that follow. */
export function* applyJsonPatchInSteps(
  document: Json,
  patch: readonly JsonPatchOperation[],
  limits: JsonPatchLimits = jsonPatchLimits,
): Generator<void, Json> {
  if (patch.length > limits.operations) {
    const text = `The allowed maximum operations in a JSON patch is ${limits.operations}, got ${patch.length}`;
    throw new PatchError('too-many-operations', text);
  }
  const run = new PatchRun(document, limits.copyBytes);
  for (const operation of patch) {
    run.apply(operation);
    yield;
  }
  return run.result();
}

type Container = Draft | Json[];

/** One patch being applied: containers are copied when first written to, then written in place. */
class PatchRun {
  #root: Json;
  /** Stands for a null that an operation has set, since upstream breaks down when a later one looks into it. */
  readonly #sentNull: Json = Object.freeze({});
  readonly #copyLimit: number;
  #copied = 0;
  /** Containers made in this run. */
  readonly #own = new Set<Container>();

  constructor(document: Json, copyLimit: number) {
    this.#root = document;
    this.#copyLimit = copyLimit;
  }

  result(): Json {
    for (const container of this.#own) this.#settleNulls(container);
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
        throw refused(`Unexpected kind: ${typeof operation.op === 'string' ? operation.op : 'unknown'}`);
    }
  }

  #add({ path, value }: JsonPatchOperation): void {
    if (typeof path !== 'string') throw refused('add operation failed to decode path: missing value');
    const place = this.#find(path);
    if (!place) throw refused(`add operation does not apply: doc is missing path: "${path}": missing value`);
    within(`error in add for path: '${path}'`, () => this.#insert(place, this.#sent(value)));
  }

  #remove({ path }: JsonPatchOperation): void {
    if (typeof path !== 'string') throw refused('remove operation failed to decode path: missing value');
    const place = this.#find(path);
    if (!place) throw refused(`remove operation does not apply: doc is missing path: "${path}": missing value`);
    within(`error in remove for path: '${path}'`, () => this.#delete(place));
  }

  #replace({ path, value }: JsonPatchOperation): void {
    if (typeof path !== 'string') throw refused('replace operation failed to decode path: operation missing path field: missing value');
    if (path === '') {
      this.#replaceRoot(value);
      return;
    }
    const place = this.#find(path);
    if (!place) throw refused(`replace operation does not apply: doc is missing path: ${path}: missing value`);
    if (place.missing) throw refused(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    this.#write(place, this.#sent(value));
  }

  /** A scalar is no document: the real server then leaves the document as it was, without an error. */
  #replaceRoot(value: Json | undefined): void {
    if (value === undefined) throw new PatchError('panic', 'replace of the whole document without a value');
    if (isJsonObject(value) || isJsonArray(value)) this.#root = value;
  }

  #move({ from, path }: JsonPatchOperation): void {
    const source = this.#source('move', from);
    const value = within(`error in move for path: '${source.key}'`, () => this.#read(source));
    within(`error in move for path: '${source.key}'`, () => this.#delete(source));
    if (typeof path !== 'string') throw refused('move operation failed to decode path: operation missing path field: missing value');
    const place = this.#find(path);
    if (!place) throw refused(`move operation does not apply: doc is missing destination path: ${path}: missing value`);
    within(`error in move for path: '${path}'`, () => this.#insert(place, value ?? null));
  }

  #copy({ from, path }: JsonPatchOperation): void {
    const source = this.#source('copy', from);
    const read = within(`error in copy for from: '${String(from)}'`, () => this.#read(source)) ?? null;
    const value = read === this.#sentNull ? null : read;
    if (typeof path !== 'string') throw refused('copy operation failed to decode path: missing value');
    const place = this.#find(path);
    if (!place) throw refused(`copy operation does not apply: doc is missing destination path: ${path}: missing value`);
    if (value !== null) this.#copied += encodedBytes(value, this.#copyLimit - this.#copied);
    if (this.#copied > this.#copyLimit) {
      const sizes = `the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${this.#copyLimit}`;
      throw refused(`Unable to complete the copy, ${sizes}`);
    }
    // From now on both places hold it, so neither may write into it.
    this.#disown(value);
    within('error while adding value during copy', () => this.#insert(place, value));
  }

  #test({ path, value }: JsonPatchOperation): void {
    if (typeof path !== 'string') throw refused('test operation failed to decode path: operation missing path field: missing value');
    const place = path === '' ? undefined : this.#find(path);
    if (path !== '' && !place) throw refused(`test operation does not apply: is missing path: ${path}: missing value`);
    const read = place ? within(`error in test for path: '${path}'`, () => this.#read(place)) : this.#root;
    const found = read === this.#sentNull ? null : (read ?? null);
    if (value === undefined && read !== this.#sentNull && (found === null || path === ''))
      throw new PatchError('panic', 'test without a value');
    if (value === undefined || !equalForTest(found, value)) throw refused(`testing value ${path} failed: test failed`);
  }

  #source(kind: 'move' | 'copy', from: Json | undefined): Place {
    if (typeof from !== 'string') throw refused(`${kind} operation failed to decode from: operation, missing from field: missing value`);
    const source = this.#find(from);
    if (!source) throw refused(`${kind} operation does not apply: doc is missing from path: ${from}: missing value`);
    return source;
  }

  /** The container that holds what the pointer names; undefined when there is none. */
  #find(pointer: string): Place | undefined {
    const segments = pointerSegments(pointer);
    const key = segments.pop();
    if (key === undefined) return undefined;
    let at: Json | undefined = this.#root;
    for (const segment of segments) {
      at = stepInto(at, segment);
      if (at === this.#sentNull) throw new PatchError('panic', 'a look into a null that the patch has set');
      if (at === undefined || at === null) return undefined;
    }
    if (!isJsonArray(at) && !isJsonObject(at)) return undefined;
    // What was looked into is told apart from what was taken over whole.
    this.#writable(segments);
    return { segments, key, missing: isJsonArray(at) && typeof indexOf(at, key) === 'string' };
  }

  #read({ segments, key }: Place): Json | undefined {
    const container = segments.reduce<Json | undefined>(stepInto, this.#root);
    if (!isJsonArray(container)) return isJsonObject(container) ? member(container, key) : undefined;
    const index = indexOf(container, key);
    if (typeof index === 'string') throw refused(index);
    return container[index];
  }

  #insert({ segments, key }: Place, value: Json): void {
    const container = this.#writable(segments);
    if (!Array.isArray(container)) setMember(container, key, value);
    else if (key === '-') container.push(value);
    else container.splice(insertionIndex(container, key), 0, value);
  }

  #write({ segments, key }: Place, value: Json): void {
    const container = this.#writable(segments);
    const index = Array.isArray(container) ? indexOf(container, key) : undefined;
    if (!Array.isArray(container)) setMember(container, key, value);
    else if (typeof index === 'number') container[index] = value;
  }

  #delete({ segments, key }: Place): void {
    const container = this.#writable(segments);
    if (Array.isArray(container)) {
      const index = indexOf(container, key);
      if (typeof index === 'string') throw refused(index);
      container.splice(index, 1);
    } else {
      if (!Object.hasOwn(container, key)) throw refused(`Unable to remove nonexistent key: ${key}: missing value`);
      delete container[key];
    }
  }

  /** The container at the end of these segments, made this run's own along the way. */
  #writable(segments: readonly string[]): Container {
    let at = this.#owned(this.#root, (fresh) => {
      this.#root = fresh;
    });
    for (const segment of segments) {
      const parent = at;
      if (Array.isArray(parent)) {
        const index = Number(indexOf(parent, segment));
        at = this.#owned(parent[index], (fresh) => {
          parent[index] = fresh;
        });
      } else {
        at = this.#owned(member(parent, segment), (fresh) => setMember(parent, segment, fresh));
      }
    }
    return at;
  }

  #owned(value: Json | undefined, put: (fresh: Json) => void): Container {
    if (this.#own.has(value as Container)) return value as Container;
    const fresh: Container = isJsonArray(value) ? [...value] : draftOf(isJsonObject(value) ? value : {});
    this.#own.add(fresh);
    put(fresh);
    return fresh;
  }

  /** A missing value is null, too, but one that can be looked into. */
  #sent(value: Json | undefined): Json {
    return value === null ? this.#sentNull : (value ?? null);
  }

  #settleNulls(container: Container): void {
    if (Array.isArray(container)) {
      for (const [index, item] of container.entries()) if (item === this.#sentNull) container[index] = null;
    } else for (const name of memberNames(container)) if (container[name] === this.#sentNull) setMember(container, name, null);
  }

  #disown(value: Json): void {
    if (typeof value !== 'object' || value === null) return;
    if (this.#own.has(value as Container)) this.#settleNulls(value as Container);
    this.#own.delete(value as Container);
    for (const part of isJsonArray(value) ? value : Object.values(value)) if (part !== undefined) this.#disown(part);
  }
}

/** Where a pointer leads: the container's segments and the key in it. `missing`: an index the list does not have. */
interface Place {
  readonly segments: readonly string[];
  readonly key: string;
  readonly missing: boolean;
}

/** Tells where an error happened, as Go's wrapped errors do. */
function within<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof PatchError) throw new PatchError(error.code, `${where}: ${error.message}`);
    throw error;
  }
}

/** Equality as `test` sees it: upstream breaks down over null in a list. */
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
