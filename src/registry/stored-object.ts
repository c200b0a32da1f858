import { type ApiObject, isJsonObject, type Json, JsonSyntaxError, parseJson, stringifyJson } from '../meta/index.ts';
import type { Entry } from '../storage/index.ts';
import { CorruptObjectError } from './corrupt-object.ts';

/** How many objects are kept as they were read, besides their texts: an object takes three times the room of its text. */
const maxCachedObjects = 2_000;

/**
 * An object as it stands in the store at one revision. Its text is made once and shared by get, list, watch and the log; parsing is
 * for writes and selectors.
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

  /** JSON in the storage version, with its resourceVersion. @throws CorruptObjectError when it is plainly no object */
  get text(): string {
    const { value, revision } = this.entry;
    if (!value.startsWith('{') || !value.endsWith('}')) this.#parse(value);
    return insertResourceVersion(value, revision);
  }

  /** @throws CorruptObjectError when the stored text is no object */
  get object(): ApiObject {
    return this.#cache(this.#cachedObject ?? this.#parse(this.text));
  }

  /** For selectors, which ask all objects of a collection. @throws CorruptObjectError when the stored text is no object */
  get labels(): Readonly<Record<string, string>> {
    return this.#labels ?? this.object.metadata.labels ?? noLabels;
  }

  /** @throws CorruptObjectError when the stored text is no object */
  requireReadable(): void {
    // Who has labels was read before.
    if (!this.#labels) this.#cache(this.#parse(this.text));
  }

  /** Nobody has asked for a long time. */
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
    try {
      const value = parseStoredJson(text);
      if (isJsonObject(value) && isJsonObject(value['metadata'])) return value as ApiObject;
    } catch (error) {
      throw new CorruptObjectError(this.entry, describeSyntaxError(text), { named: this.#objects.reportsCorruptKeys, cause: error });
    }
    throw new CorruptObjectError(this.entry, `Object 'Kind' is missing in '${text}'`, { named: this.#objects.reportsCorruptKeys });
  }
}

/** What a stored text says. @throws SyntaxError, JsonSyntaxError */
export function parseStoredJson(text: string): Json {
  // Whole numbers of 16 digits and more may not fit a double: those need the exact reader.
  return /\d{16}/.test(text) ? parseJson(text).value : (JSON.parse(text) as Json);
}

/** What the real server says of a text that is no JSON; the platform's own reader has other words. */
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

/** What tells an object apart; its version comes right after. */
const identityMembers = ['name', 'generateName', 'namespace', 'uid'] as const;

/** An object on its way into the store: its version is not known before the write, so its place is left empty until then. */
export class UnversionedObject {
  /** What is kept. */
  readonly text: string;
  readonly #object: ApiObject;
  readonly #metadata: Record<string, unknown> = {};
  #revision: number | undefined;

  /**
   * `checkLength` is called with the length of what is written so far, and may throw. `writing`: whether long lists are written in parts,
   * between which it is called too; they have to be looked for.
   */
  constructor(object: ApiObject, checkLength?: (length: number) => void, writing: ListEncoding = 'whole lists') {
    const before = object.metadata as Readonly<Record<string, unknown>>;
    for (const name of identityMembers) if (before[name] !== undefined) this.#metadata[name] = before[name];
    this.#metadata['resourceVersion'] = '';
    for (const name of Object.keys(before)) if (!Object.hasOwn(this.#metadata, name)) this.#metadata[name] = before[name];
    this.#object = { ...object, metadata: this.#metadata as ApiObject['metadata'] };
    this.text = encodeMembers(this.#object, checkLength, writing);
  }

  /** The object, once its version is known: the very one the first time. */
  withRevision(revision: number): ApiObject {
    const resourceVersion = String(revision);
    if (this.#revision !== undefined && this.#revision !== revision)
      return { ...this.#object, metadata: { ...this.#object.metadata, resourceVersion } };
    this.#revision = revision;
    this.#metadata['resourceVersion'] = resourceVersion;
    return this.#object;
  }
}

/** Lists of more items are written in parts of so many. */
const itemsPerPart = 1_000;
/** Larger lists are looked for in values of that depth. */
const maxSearchDepth = 4;

/** Defaults of definitions may make an object larger than any body: its lists are written in parts. */
export type ListEncoding = 'whole lists' | 'lists in parts';

/** JSON of an object in parts, so that what is too large is not written to its end. */
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

/** Whether a value is a list to be written in parts, or has one among its members. */
function hasLongList(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null || depth > maxSearchDepth) return false;
  if (Array.isArray(value)) return value.length > itemsPerPart;
  for (const name of Object.keys(value)) if (hasLongList((value as Readonly<Record<string, unknown>>)[name], depth + 1)) return true;
  return false;
}

function insertResourceVersion(text: string, revision: number): string {
  // The first place is the object's own: only names and the uid come before it, and quotes inside texts are escaped.
  const at = text.indexOf(placeholder);
  return at < 0 ? text : `${text.slice(0, at + placeholder.length - 1)}${revision}${text.slice(at + placeholder.length - 1)}`;
}

/** One `StoredObject` an entry, for as long as the entry lives. */
export class StoredObjects {
  /** Errors tell under which key there is no object. */
  readonly reportsCorruptKeys: boolean;
  readonly #byEntry = new WeakMap<Entry, StoredObject>();
  /** By key; see `expect`. */
  readonly #pendingWrites = new Map<string, UnversionedObject>();
  /** Those used since the last turn of the guard, and those used in the one before. */
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

  /** A write begins. Whoever hears of it, be it before its writer, finds the object that is at hand instead of reading its text back. */
  addPendingWrite(key: string, object: UnversionedObject): void {
    this.#pendingWrites.set(key, object);
  }

  /** The write is over; another writer of the same object may have come meanwhile. */
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
