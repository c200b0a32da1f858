import { errorMessage, type Pace } from '../../env/index.ts';
import { type ApiObject, type JsonObject, StatusError, withMetadata } from '../../meta/index.ts';
import {
  type Change,
  type Commit,
  type CompactedCommit,
  type Entry,
  type KeySpace,
  KeySpaceError,
  type RangeQuery,
  type RangeResult,
  type WatchQuery,
  type Write,
} from '../../storage/index.ts';
import { parseStoredJson, UnversionedObject } from '../stored-object.ts';
import type { CustomObjectCodec } from './custom-object-codec.ts';

/** Converts objects of one kind to an apiVersion; the result has their order. @throws StatusError */
export type ConvertObjects = (objects: readonly JsonObject[], apiVersion: string) => Promise<readonly JsonObject[]>;

export interface ConvertingKeySpaceOptions {
  readonly inner: KeySpace;
  /** The version in which entries are read and written. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly storageVersion: string;
  /** The decoded object of an entry, in its stored version. @throws CorruptObjectError */
  readonly objectOf: (entry: Entry) => ApiObject;
  readonly codec: Pick<CustomObjectCodec, 'readStored' | 'prunedFor'>;
  readonly convert: ConvertObjects;
  readonly pace: Pace;
}

/**
 * A view of the entries of a custom resource in one of its versions, converted by a webhook: reads, writes and watches convert between
 * this version and the one of each stored object. An entry is converted once. As in the real server, defaults are those of the stored
 * version, and the result of the webhook is pruned by the schema of its version.
 */
export class ConvertingKeySpace implements KeySpace {
  readonly #options: ConvertingKeySpaceOptions;
  readonly #inner: KeySpace;
  readonly #converted = new WeakMap<Entry, Entry>();

  constructor(options: ConvertingKeySpaceOptions) {
    this.#options = options;
    this.#inner = options.inner;
  }

  revision(): Promise<number> {
    return this.#inner.revision();
  }

  observedRevision(): Promise<number> {
    return this.#inner.observedRevision();
  }

  compact(revision: number): Promise<void> {
    return this.#inner.compact(revision);
  }

  compactedRevision(): Promise<number> {
    return this.#inner.compactedRevision();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async get(key: string, at?: number): Promise<Entry | undefined> {
    return this.#convertEntry(await this.#inner.get(key, at));
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    const result = await this.#inner.range(query);
    try {
      return { ...result, entries: await this.#convertEntries(result.entries) };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      // As a watch cache whose first list has failed.
      const { apiVersion, kind } = this.#options;
      const why = `failed to list ${apiVersion}, Kind=${kind}: ${error.message}`;
      throw new StatusError(429, 'TooManyRequests', `storage is (re)initializing: ${why}`, { retryAfterSeconds: 1 }, error);
    }
  }

  async commit(write: Write): Promise<Commit> {
    const value = write.value === undefined ? undefined : await this.#toStorage(write.value);
    try {
      return await this.#convertChange(await this.#inner.commit({ ...write, value }));
    } catch (error) {
      if (!(error instanceof KeySpaceError) || error.actual === undefined) throw error;
      throw new KeySpaceError(error.code, error.message, { actual: await this.#convertEntry(error.actual), cause: error });
    }
  }

  async findCommit(requestId: string): Promise<Commit | CompactedCommit | undefined> {
    const commit = await this.#inner.findCommit(requestId);
    return commit && !('isCompacted' in commit) ? this.#convertChange(commit) : commit;
  }

  /** Changes are converted one batch after the other. A conversion that fails ends the watch. */
  async watch(query: WatchQuery): Promise<() => void> {
    let isEnded = false;
    let last: Promise<void> = Promise.resolve();
    let stopInner = (): void => undefined;
    const end = (): void => {
      isEnded = true;
      stopInner();
    };
    const fail = (error: KeySpaceError): void => {
      if (isEnded) return;
      end();
      query.onError(error);
    };
    const inOrder = (step: () => Promise<void> | void): void => {
      last = last
        .then(() => (isEnded ? undefined : step()))
        .catch((error: unknown) => fail(new KeySpaceError('unavailable', errorMessage(error), { cause: error })));
    };
    stopInner = await this.#inner.watch({
      ...query,
      deliver: (changes, revision) =>
        inOrder(async () => {
          const converted: Change[] = [];
          for (const change of changes) converted.push(await this.#convertChange(change));
          if (!isEnded) query.deliver(converted, revision);
        }),
      onError: (error) => inOrder(() => fail(error)),
    });
    await last;
    return end;
  }

  async #convertChange<T extends Commit>(change: T): Promise<T> {
    const [entry, previous] = [await this.#convertEntry(change.entry), await this.#convertEntry(change.previous)];
    return { ...change, entry, previous };
  }

  /** Converts an object of the same kind in any version. */
  async inVersion(object: ApiObject): Promise<ApiObject> {
    const { apiVersion } = this.#options;
    return object.apiVersion === apiVersion ? object : ((await this.#convert([object], apiVersion))[0] ?? object);
  }

  async #convertEntry(entry: Entry | undefined): Promise<Entry | undefined> {
    return entry && (await this.#convertEntries([entry]))[0];
  }

  async #convertEntries(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const { apiVersion, codec, objectOf, pace } = this.#options;
    const foreign: { readonly entry: Entry; readonly object: ApiObject }[] = [];
    for (const entry of entries) {
      if (this.#converted.has(entry)) continue;
      await pace();
      const object = codec.readStored(objectOf(entry));
      if (object.apiVersion === apiVersion) this.#converted.set(entry, withObject(entry, object));
      else foreign.push({ entry, object });
    }
    const results = await this.#convert(
      foreign.map(({ object }) => object),
      apiVersion,
    );
    for (const [index, { entry, object }] of foreign.entries()) this.#converted.set(entry, withObject(entry, results[index] ?? object));
    return entries.map((entry) => this.#converted.get(entry) ?? entry);
  }

  async #toStorage(value: string): Promise<string> {
    const { apiVersion, storageVersion } = this.#options;
    if (apiVersion === storageVersion) return value;
    const object = parseStoredJson(value) as ApiObject;
    const [converted = object] = await this.#convert([object], storageVersion);
    return new UnversionedObject(converted).text;
  }

  async #convert(objects: readonly ApiObject[], apiVersion: string): Promise<readonly ApiObject[]> {
    if (objects.length === 0) return [];
    const { convert, codec, pace } = this.#options;
    const converted: ApiObject[] = [];
    const sent = objects.map((object) => withMetadata(object, { resourceVersion: undefined }));
    for (const object of await convert(sent, apiVersion)) {
      await pace();
      converted.push(codec.prunedFor(object, apiVersion));
    }
    return converted;
  }
}

function withObject(entry: Entry, object: ApiObject): Entry {
  return { ...entry, value: new UnversionedObject(object).text };
}
