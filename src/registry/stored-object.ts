import { type ApiObject, parseJson, StatusError, stringifyJson } from '../meta/index.ts';
import type { Entry } from '../storage/index.ts';

/**
 * An object as it stands in the store at one revision. Its text is made once a revision and shared by get, list, watch and the log;
 * parsing is for writes and selectors.
 */
export class StoredObject {
  readonly entry: Entry;
  #text: string | undefined;
  #object: ApiObject | undefined;

  constructor(entry: Entry, object?: ApiObject) {
    this.entry = entry;
    this.#object = object;
  }

  /** JSON in the storage version, with its resourceVersion. */
  get text(): string {
    this.#text ??= spliceVersion(this.entry.value, this.entry.revision);
    return this.#text;
  }

  /** @throws StatusError 500 StoreReadError when the stored text is no object */
  get object(): ApiObject {
    this.#object ??= parseStored(this.entry, this.text);
    return this.#object;
  }
}

const placeholder = '"resourceVersion":""';

/** The text that is kept: the version is not known before the write, so its place is left empty. */
export function storedText(object: ApiObject): string {
  const { name, generateName, namespace, uid, resourceVersion: _, ...rest } = object.metadata;
  return stringifyJson({ ...object, metadata: { name, generateName, namespace, uid, resourceVersion: '', ...rest } });
}

function spliceVersion(text: string, revision: number): string {
  // The first place is the object's own: only names and the uid come before it, and quotes inside texts are escaped.
  const at = text.indexOf(placeholder);
  return at < 0 ? text : `${text.slice(0, at + placeholder.length - 1)}${revision}${text.slice(at + placeholder.length - 1)}`;
}

function parseStored(entry: Entry, text: string): ApiObject {
  try {
    // Whole numbers of 16 digits and more may not fit a double: those need the exact reader.
    return (/\d{16}/.test(text) ? parseJson(text).value : JSON.parse(text)) as ApiObject;
  } catch (error) {
    throw new StatusError(500, 'StoreReadError', `unable to decode object at ${entry.key}`, undefined, error);
  }
}

/** One `StoredObject` an entry, for as long as the entry lives. */
export class StoredObjects {
  readonly #byEntry = new WeakMap<Entry, StoredObject>();

  of(entry: Entry, object?: ApiObject): StoredObject {
    let stored = this.#byEntry.get(entry);
    if (!stored) {
      stored = new StoredObject(entry, object);
      this.#byEntry.set(entry, stored);
    }
    return stored;
  }
}
