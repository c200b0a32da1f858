import {
  type ApiObject,
  attachedValues,
  internalError,
  isJsonObject,
  type Json,
  JsonSyntaxError,
  parseJson,
  stringifyJson,
} from '../meta/index.ts';
import { type Entry, unreadableReason } from '../storage/index.ts';
import { CorruptObjectError } from './corrupt-object.ts';

/** Limit of decoded objects in the cache, besides their texts: an object takes three times the memory of its text. */
const maxCachedObjects = 2_000;

/**
 * A stored object at one revision. Its text is encoded once and shared by get, list, watch and the log; only writes and selectors
 * parse it.
 */
export class StoredObject {
  readonly entry: Entry;
  readonly #objects: StoredObjects;
  #cachedObject: ApiObject | undefined;
  #labels: Readonly<Record<string, string>> | undefined;

  constructor(entry: Entry, objects: StoredObjects, object?: ApiObject) {
    this.entry = entry;
    this.#objects = objects;
    if (object) this.#cache(object);
  }

  /** JSON in the storage version, with its resourceVersion. @throws CorruptObjectError when the text obviously is no JSON object */
  get text(): string {
    const { value, revision } = this.entry;
    if (!value.startsWith('{') || !value.endsWith('}')) this.#parse(value);
    return insertResourceVersion(value, revision);
  }

  /** @throws CorruptObjectError when the stored text is no object */
  get object(): ApiObject {
    return this.#cache(this.#cachedObject ?? this.#parse(this.text));
  }

  /** Retained when the object is evicted, because selectors match all objects of a collection. @throws CorruptObjectError when the stored text is no object */
  get labels(): Readonly<Record<string, string>> {
    return this.#labels ?? this.object.metadata.labels ?? noLabels;
  }

  /** @throws CorruptObjectError when the stored text is no object */
  requireReadable(): void {
    // An object with labels in memory was decoded before.
    if (!this.#labels) this.#cache(this.#parse(this.text));
  }

  /** When the object was not used recently, or is replaced; later reads parse the text. */
  evict(): void {
    this.#cachedObject = undefined;
  }

  #cache(object: ApiObject): ApiObject {
    this.#cachedObject = object;
    this.#labels ??= object.metadata.labels ?? noLabels;
    this.#objects.markUsed(this);
    return object;
  }

  #parse(text: string): ApiObject {
    const reason = unreadableReason(text);
    if (reason !== undefined) throw internalError(reason);
    try {
      const value = parseStoredJson(text);
      if (isJsonObject(value) && isJsonObject(value['metadata'])) return value as ApiObject;
    } catch (error) {
      throw new CorruptObjectError(this.entry, describeSyntaxError(text), { named: this.#objects.reportsCorruptKeys, cause: error });
    }
    throw new CorruptObjectError(this.entry, `Object 'Kind' is missing in '${text}'`, { named: this.#objects.reportsCorruptKeys });
  }
}

/** Parses a stored text. @throws SyntaxError, JsonSyntaxError */
export function parseStoredJson(text: string): Json {
  // Integers of 16 digits and more may not fit a double: those need the exact parser.
  return /\d{16}/.test(text) ? parseJson(text).value : (JSON.parse(text) as Json);
}

/** The error message of kube-apiserver for a text that is no JSON; that of `JSON.parse` is different. */
function describeSyntaxError(text: string): string {
  try {
    parseJson(text);
    return 'unexpected end of JSON input';
  } catch (error) {
    if (error instanceof JsonSyntaxError) return `couldn't get version/kind; json parse error: ${error.message}`;
    throw error;
  }
}

const noLabels: Readonly<Record<string, string>> = {};

const placeholder = '"resourceVersion":""';

/** Members before `resourceVersion` in the stored text. */
const identityMembers = ['name', 'generateName', 'namespace', 'uid'] as const;

/** An object to be stored: its resourceVersion is unknown before the commit, so it is an empty string until then. */
export class UnversionedObject {
  /** The stored text. */
  readonly text: string;
  readonly #object: ApiObject;
  readonly #metadata: Record<string, unknown> = {};
  #revision: number | undefined;

  /**
   * `checkLength` is called with the length of the text encoded so far, and may throw. `writing`: whether long lists are encoded in parts,
   * with a call of `checkLength` after each; finding them costs time.
   */
  constructor(object: ApiObject, checkLength?: (length: number) => void, writing: ListEncoding = 'whole lists') {
    const before = object.metadata as Readonly<Record<string, unknown>>;
    for (const name of identityMembers) if (before[name] !== undefined) this.#metadata[name] = before[name];
    this.#metadata['resourceVersion'] = '';
    for (const name of Object.keys(before)) if (!Object.hasOwn(this.#metadata, name)) this.#metadata[name] = before[name];
    this.#object = { ...object, metadata: this.#metadata as ApiObject['metadata'] };
    this.text = encodeMembers(this.#object, checkLength, writing);
  }

  /** Returns the object with its resourceVersion: the same object on the first call, a copy for another revision. */
  withRevision(revision: number): ApiObject {
    const resourceVersion = String(revision);
    if (this.#revision !== undefined && this.#revision !== revision)
      return { ...this.#object, metadata: { ...this.#object.metadata, resourceVersion } };
    this.#revision = revision;
    this.#metadata['resourceVersion'] = resourceVersion;
    return this.#object;
  }
}

/** Longer lists are encoded in parts of this many items. */
const itemsPerPart = 1_000;
/** Nesting depth up to which long lists are searched for. */
const maxSearchDepth = 4;

/** Defaults of a definition can make an object larger than any request body: then its lists are encoded in parts. */
export type ListEncoding = 'whole lists' | 'lists in parts';

/** Encodes an object as JSON in parts, so that the encoding of an object that is too large stops early. */
function encodeMembers(object: ApiObject, checkLength: (length: number) => void = () => {}, listEncoding: ListEncoding): string {
  let text = '';
  const writeList = (items: readonly unknown[]): void => {
    for (let first = 0; first < items.length; first += itemsPerPart) {
      text += `${first === 0 ? '[' : ','}${stringifyJson(items.slice(first, first + itemsPerPart)).slice(1, -1)}`;
      checkLength(text.length);
    }
    text += ']';
  };
  const writeMembers = (members: Readonly<Record<string, unknown>>, depth: number): void => {
    let separator = '{';
    for (const name of Object.keys(members)) {
      const member = members[name];
      if (member === undefined) continue;
      text += `${separator}${JSON.stringify(name)}:`;
      separator = ',';
      if (depth === 0 && name === 'metadata') writeMembers(member as Readonly<Record<string, unknown>>, 1);
      else if (listEncoding === 'whole lists' || !hasLongList(member, depth)) text += stringifyJson(member);
      else if (Array.isArray(member)) writeList(member);
      else writeMembers(member as Readonly<Record<string, unknown>>, depth + 1);
      checkLength(text.length);
    }
    text += separator === '{' ? '{}' : '}';
  };
  writeMembers(object as Readonly<Record<string, unknown>>, 0);
  return text;
}

/** Whether a value is a long list or contains one. */
function hasLongList(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxSearchDepth) return false;
  if (Array.isArray(value)) return value.length > itemsPerPart;
  for (const name of Object.keys(value)) if (hasLongList((value as Readonly<Record<string, unknown>>)[name], depth + 1)) return true;
  return false;
}

function insertResourceVersion(text: string, revision: number): string {
  // The first occurrence is the object's own: only names and the uid precede it, and quotes inside strings are escaped.
  const at = text.indexOf(placeholder);
  return at < 0 ? text : `${text.slice(0, at + placeholder.length - 1)}${revision}${text.slice(at + placeholder.length - 1)}`;
}

/** Cache of one `StoredObject` per entry, for the lifetime of the entry. */
export class StoredObjects {
  /** Errors contain the keys of corrupt objects. */
  readonly reportsCorruptKeys: boolean;
  readonly #byEntry = attachedValues<Entry, StoredObject>();
  /** By key; see `addPendingWrite`. */
  readonly #pendingWrites = new Map<string, UnversionedObject>();
  /** Objects used in the current generation of the cache, and those used in the previous one. */
  #recentlyUsed = new Set<StoredObject>();
  #previouslyUsed = new Set<StoredObject>();

  constructor(nameCorrupt: boolean) {
    this.reportsCorruptKeys = nameCorrupt;
  }

  forEntry(entry: Entry): StoredObject {
    let stored = this.#byEntry.get(entry);
    if (!stored) {
      const coming = this.#pendingWrites.get(entry.key);
      stored = new StoredObject(entry, this, coming?.text === entry.value ? coming.withRevision(entry.revision) : undefined);
      this.#byEntry.set(entry, stored);
    }
    return stored;
  }

  /** Before a commit: watchers, which may be notified before the writer, get the object in memory instead of parsing its text. */
  addPendingWrite(key: string, object: UnversionedObject): void {
    this.#pendingWrites.set(key, object);
  }

  /** After a commit; another write of the same object may have begun meanwhile. */
  removePendingWrite(key: string, object: UnversionedObject): void {
    if (this.#pendingWrites.get(key) === object) this.#pendingWrites.delete(key);
  }

  markUsed(stored: StoredObject): void {
    this.#recentlyUsed.add(stored);
    if (this.#recentlyUsed.size < maxCachedObjects / 2) return;
    for (const old of this.#previouslyUsed) if (!this.#recentlyUsed.has(old)) old.evict();
    this.#previouslyUsed = this.#recentlyUsed;
    this.#recentlyUsed = new Set();
  }
}
