import { type GroupResource, StatusError } from '../meta/index.ts';
import type { Entry } from '../storage/index.ts';

/** Limit of corrupt objects that a list error names (upstream corruptObjErrAggregatorFactory). */
const maxReported = 100;

/** The stored value of a key cannot be decoded as an object. */
export class CorruptObjectError extends StatusError {
  readonly entry: Entry;
  /** The decoding error with the revision. */
  readonly why: string;

  /** `named`: the message contains the key, as with the gate AllowUnsafeMalformedObjectDeletion, so that a client can delete the object. */
  constructor(entry: Entry, why: string, { named, cause }: { readonly named: boolean; readonly cause?: unknown }) {
    const undecodable = `object not decodable revision=${entry.revision}: ${why}`;
    // Upstream's error of a single object omits the prefix of all keys.
    const text = storageError(entry.key.replace(/^\/registry/, ''), undecodable);
    if (named) super(500, 'InternalError', `Internal error occurred: ${text}`, { causes: [{ message: text }] }, cause);
    else super(500, '', why, undefined, cause);
    this.name = 'CorruptObjectError';
    this.entry = entry;
    this.why = undecodable;
  }
}

function storageError(key: string, why: string): string {
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
}

/** Collects the corrupt objects of a list, so that one error reports all of them. */
export class CorruptObjects {
  readonly #found: CorruptObjectError[] = [];

  add(error: CorruptObjectError): void {
    this.#found.push(error);
  }

  /** Further errors would not be reported. */
  get isFull(): boolean {
    return this.#found.length > maxReported;
  }

  /** @throws StatusError 500 when objects were added */
  throwIfAny({ group, name }: GroupResource): void {
    if (this.#found.length === 0) return;
    const causes = this.#found.slice(0, maxReported).map(({ entry: { key }, why }) => ({
      reason: 'UnexpectedServerResponse',
      message: storageError(key, why),
      field: key,
    }));
    const more =
      this.#found.length > maxReported ? [{ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' }] : [];
    const qualified = group === '' ? name : `${name}.${group}`;
    throw new StatusError(500, 'StoreReadError', `failed to read one or more ${qualified} from the storage`, {
      name: 'list',
      ...(group === '' ? {} : { group }),
      kind: name,
      causes: [...causes, ...more],
    });
  }
}

/** The error event of a watch when a corrupt object is deleted. */
export function corruptDeletionError(error: CorruptObjectError): StatusError {
  return new StatusError(500, 'StoreReadError', `saw a DELETED event, but object data is corrupt - ${error.why}`, undefined, error);
}
