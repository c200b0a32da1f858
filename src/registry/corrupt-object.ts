import { type GroupResource, StatusError } from '../meta/index.ts';
import type { Entry } from '../storage/index.ts';

/** How many corrupt objects a list names at most (upstream corruptObjErrAggregatorFactory). */
const maxReported = 100;

/** What is stored under a key is no object. */
export class CorruptObjectError extends StatusError {
  readonly entry: Entry;
  /** What is wrong with it, with its revision. */
  readonly why: string;

  /** `named`: told with its key, which the gate AllowUnsafeMalformedObjectDeletion asks for, so that it can be deleted. */
  constructor(entry: Entry, why: string, { named, cause }: { readonly named: boolean; readonly cause?: unknown }) {
    const undecodable = `object not decodable revision=${entry.revision}: ${why}`;
    // A single object is named below the root of all keys.
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

  /** There is no point in looking for more. */
  get isFull(): boolean {
    return this.#found.length > maxReported;
  }

  /** @throws StatusError 500 when there were any */
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

/** The error that a watch gets when a corrupt object is deleted. */
export function corruptDeletionError(error: CorruptObjectError): StatusError {
  return new StatusError(500, 'StoreReadError', `saw a DELETED event, but object data is corrupt - ${error.why}`, undefined, error);
}
