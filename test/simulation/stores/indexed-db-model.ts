import type { Environment } from '../environment.ts';

/** The part of a worker's process that its connection uses. */
export interface WorkerProcess {
  readonly isDead: boolean;
  kill(): void;
}

type Key = number | string | readonly Key[];
type Mode = 'readonly' | 'readwrite';
type Listener = () => void;

/** The events of a request, transaction or database: listeners are called without an event object, which `idb` does not read. */
class ModelTarget {
  readonly #listeners = new Map<string, Set<Listener>>();

  addEventListener(type: string, listener: Listener): void {
    const all = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, all.add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  dispatch(type: string): void {
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener();
  }
}

export class ModelRequest extends ModelTarget {
  result: unknown;
  error: DOMException | null = null;
  onupgradeneeded: Listener | undefined;
}

/** An object store's records, in the order of their keys. */
class Records {
  readonly #records: { key: Key; value: unknown }[];

  constructor(records: readonly { readonly key: Key; readonly value: unknown }[] = []) {
    this.#records = [...records];
  }

  copy(): Records {
    return new Records(this.#records);
  }

  select(range: ModelKeyRange | Key): readonly { readonly key: Key; readonly value: unknown }[] {
    return this.#records.filter(({ key }) => (range instanceof ModelKeyRange ? range.includes(key) : compareKeys(key, range) === 0));
  }

  put(key: Key, value: unknown): void {
    const at = this.#records.findIndex((record) => compareKeys(record.key, key) >= 0);
    const found = at < 0 ? undefined : this.#records[at];
    if (found && compareKeys(found.key, key) === 0) this.#records.splice(at, 1, { key, value });
    else this.#records.splice(at < 0 ? this.#records.length : at, 0, { key, value });
  }

  delete(range: ModelKeyRange | Key): void {
    for (const { key } of this.select(range))
      this.#records.splice(
        this.#records.findIndex((record) => record.key === key),
        1,
      );
  }
}

/** One database, which persists across the workers that open it. */
export class IndexedDbModel {
  readonly environment: Environment;
  readonly #stores = new Map<string, Records>();
  readonly #active = new Set<ModelTransaction>();

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** The `indexedDB` of one worker. Its incomplete transactions are rolled back when it dies. */
  factory(process: WorkerProcess): IDBFactory {
    const open = (): ModelRequest => {
      const request = new ModelRequest();
      this.step(() => {
        if (process.isDead) return;
        request.result = new ModelDatabase(this, process);
        if (this.#stores.size === 0) request.onupgradeneeded?.();
        request.dispatch('success');
      });
      return request;
    };
    return { open } as unknown as IDBFactory;
  }

  createStore(name: string): void {
    this.#stores.set(name, new Records());
  }

  records(name: string): Records {
    const records = this.#stores.get(name);
    if (!records) throw new DOMException(`no object store ${name}`, 'NotFoundError');
    return records;
  }

  /** Schedules a step of the browser: immediately or after a delay. */
  step(run: () => void): void {
    const { clock, random, once } = this.environment;
    clock.schedule(once(6) ? random.integer(6) : 0, run);
  }

  begin(transaction: ModelTransaction): void {
    this.#active.add(transaction);
    this.#startWaiting();
  }

  /** Ends a transaction: its writes become visible to later transactions atomically. */
  end(transaction: ModelTransaction, written: ReadonlyMap<string, Records>): void {
    for (const [name, records] of written) this.#stores.set(name, records);
    this.#active.delete(transaction);
    this.#startWaiting();
  }

  /** Transactions that write to the same stores run one after the other, in the order of their creation. */
  #startWaiting(): void {
    const before: ModelTransaction[] = [];
    for (const transaction of this.#active) {
      if (!before.some((other) => other.conflictsWith(transaction))) transaction.start();
      before.push(transaction);
    }
  }
}

class ModelDatabase extends ModelTarget {
  onversionchange: Listener | undefined;
  onclose: Listener | undefined;
  readonly #model: IndexedDbModel;
  readonly #process: WorkerProcess;

  constructor(model: IndexedDbModel, process: WorkerProcess) {
    super();
    this.#model = model;
    this.#process = process;
  }

  createObjectStore(name: string): void {
    this.#model.createStore(name);
  }

  transaction(names: readonly string[], mode: Mode): ModelTransaction {
    const transaction = new ModelTransaction(this.#model, this.#process, names, mode);
    this.#model.begin(transaction);
    return transaction;
  }

  close(): void {}
}

interface QueuedRequest {
  readonly request: ModelRequest;
  readonly run: () => unknown;
}

export class ModelTransaction extends ModelTarget {
  error: DOMException | null = null;
  readonly objectStoreNames: readonly string[];
  readonly #model: IndexedDbModel;
  readonly #process: WorkerProcess;
  readonly #mode: Mode;
  readonly #queue: QueuedRequest[] = [];
  readonly #written = new Map<string, Records>();
  #isStarted = false;
  #isOver = false;

  constructor(model: IndexedDbModel, process: WorkerProcess, names: readonly string[], mode: Mode) {
    super();
    this.#model = model;
    this.#process = process;
    this.objectStoreNames = names;
    this.#mode = mode;
  }

  objectStore(name: string): ModelObjectStore {
    return new ModelObjectStore(this, name);
  }

  conflictsWith(other: ModelTransaction): boolean {
    const writes = this.#mode === 'readwrite' || other.#mode === 'readwrite';
    return writes && this.objectStoreNames.some((name) => other.objectStoreNames.includes(name));
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#model.step(() => this.#next());
  }

  abort(): void {
    if (this.#isOver) throw new DOMException('the transaction is over', 'InvalidStateError');
    this.#fail(null);
  }

  /** A copy of a store's records that only this transaction changes. */
  writable(name: string): Records {
    const records = this.#written.get(name) ?? this.#model.records(name).copy();
    this.#written.set(name, records);
    return records;
  }

  readable(name: string): Records {
    return this.#written.get(name) ?? this.#model.records(name);
  }

  request(run: () => unknown): ModelRequest {
    if (this.#isOver) throw new DOMException('the transaction is over', 'TransactionInactiveError');
    const request = new ModelRequest();
    this.#queue.push({ request, run });
    return request;
  }

  #next(): void {
    if (this.#isOver) return;
    const next = this.#queue.shift();
    if (this.#process.isDead) this.#rollBack();
    else if (next) this.#execute(next);
    else this.#complete();
  }

  #execute({ request, run }: QueuedRequest): void {
    this.#maybeKill('amid a transaction');
    try {
      if (this.#mode === 'readwrite') this.#disturb();
      request.result = run();
      request.dispatch('success');
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      request.error = error;
      request.dispatch('error');
      this.#fail(error);
      return;
    }
    // Code that awaits this result makes its requests before the transaction continues.
    this.#model.step(() => this.#next());
  }

  #maybeKill(when: string): void {
    const { faults, once, coverage, record } = this.#model.environment;
    if (!faults.enabled || this.#mode === 'readonly' || !once(300)) return;
    record('indexeddb', `FAULT the worker is killed ${when}`);
    coverage.count(`indexeddb: workers killed ${when}`);
    this.#process.kill();
  }

  /** @throws DOMException */
  #disturb(): void {
    const { faults, once, coverage } = this.#model.environment;
    if (!faults.enabled || !once(150)) return;
    const name = once(2) ? 'QuotaExceededError' : 'UnknownError';
    faults.inject('indexeddb', name);
    coverage.count(`indexeddb: ${name}`);
    throw new DOMException('injected', name);
  }

  #complete(): void {
    const { faults, once, coverage } = this.#model.environment;
    if (faults.enabled && this.#mode === 'readwrite' && once(150)) {
      faults.inject('indexeddb', 'a transaction is aborted at its end');
      coverage.count('indexeddb: transactions aborted at their end');
      this.#fail(new DOMException('injected', once(2) ? 'QuotaExceededError' : 'AbortError'));
      return;
    }
    this.#isOver = true;
    this.#model.end(this, this.#written);
    this.#maybeKill('after a transaction');
    // Complete in the database, even when the worker is dead by then.
    this.#model.step(() => {
      if (!this.#process.isDead) this.dispatch('complete');
    });
  }

  #fail(error: DOMException | null): void {
    this.error = error;
    this.#isOver = true;
    this.#model.end(this, new Map());
    for (const { request } of this.#queue.splice(0)) {
      request.error = new DOMException('aborted', 'AbortError');
      request.dispatch('error');
    }
    this.#model.step(() => {
      if (!this.#process.isDead) this.dispatch('abort');
    });
  }

  /** Its worker is dead: the transaction is rolled back without an event. */
  #rollBack(): void {
    if (this.#written.size > 0) this.#model.environment.coverage.count('indexeddb: transactions cut by a kill');
    this.#isOver = true;
    this.#model.end(this, new Map());
  }
}

export class ModelObjectStore {
  readonly #transaction: ModelTransaction;
  readonly #name: string;

  constructor(transaction: ModelTransaction, name: string) {
    this.#transaction = transaction;
    this.#name = name;
  }

  get(key: Key): ModelRequest {
    return this.#transaction.request(() => this.#records().select(key)[0]?.value);
  }

  getAll(range: ModelKeyRange): ModelRequest {
    return this.#transaction.request(() =>
      this.#records()
        .select(range)
        .map(({ value }) => value),
    );
  }

  getAllKeys(range: ModelKeyRange): ModelRequest {
    return this.#transaction.request(() =>
      this.#records()
        .select(range)
        .map(({ key }) => key),
    );
  }

  count(range: ModelKeyRange): ModelRequest {
    return this.#transaction.request(() => this.#records().select(range).length);
  }

  put(value: unknown, key: Key): ModelRequest {
    return this.#transaction.request(() => this.#transaction.writable(this.#name).put(key, value));
  }

  delete(range: ModelKeyRange | Key): ModelRequest {
    return this.#transaction.request(() => this.#transaction.writable(this.#name).delete(range));
  }

  #records(): Records {
    return this.#transaction.readable(this.#name);
  }
}

export class ModelKeyRange {
  readonly #includes: (key: Key) => boolean;

  private constructor(includes: (key: Key) => boolean) {
    this.#includes = includes;
  }

  includes(key: Key): boolean {
    return this.#includes(key);
  }

  static lowerBound(bound: Key, isOpen = false): ModelKeyRange {
    return new ModelKeyRange((key) => compareKeys(key, bound) >= (isOpen ? 1 : 0));
  }

  static upperBound(bound: Key, isOpen = false): ModelKeyRange {
    return new ModelKeyRange((key) => compareKeys(key, bound) <= (isOpen ? -1 : 0));
  }

  static bound(lower: Key, upper: Key, isLowerOpen = false, isUpperOpen = false): ModelKeyRange {
    const [from, to] = [ModelKeyRange.lowerBound(lower, isLowerOpen), ModelKeyRange.upperBound(upper, isUpperOpen)];
    return new ModelKeyRange((key) => from.includes(key) && to.includes(key));
  }
}

/** Numbers, then texts, then lists (Indexed Database API, 2.4 "Keys"). */
function compareKeys(a: Key, b: Key): number {
  const rank = (key: Key): number => (typeof key === 'number' ? 0 : typeof key === 'string' ? 1 : 2);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'object' && typeof b === 'object') {
    for (const [index, item] of a.entries()) {
      const other = b[index];
      if (other === undefined) return 1;
      const order = compareKeys(item, other);
      if (order !== 0) return order;
    }
    return a.length - b.length;
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `idb` recognizes the platform's objects by these classes, which Node lacks. */
export function installIndexedDbClasses(): void {
  class Unused {
    advance(): void {}
    continue(): void {}
    continuePrimaryKey(): void {}
  }
  Object.assign(globalThis, {
    IDBRequest: ModelRequest,
    IDBDatabase: ModelDatabase,
    IDBTransaction: ModelTransaction,
    IDBObjectStore: ModelObjectStore,
    IDBKeyRange: ModelKeyRange,
    IDBIndex: Unused,
    IDBCursor: Unused,
  });
}
