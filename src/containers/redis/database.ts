import type { Clock } from '../../env/index.ts';
import { globToRegExp } from '../../shell/index.ts';
import { ErrorReply } from './resp.ts';

/** A value with its type by the name of `TYPE`. */
export type Value =
  | { readonly type: 'string'; text: string }
  | { readonly type: 'list'; readonly items: string[] }
  | { readonly type: 'hash'; readonly fields: Map<string, string> }
  | { readonly type: 'set'; readonly members: Set<string> };

type ValueOf<Type extends Value['type']> = Extract<Value, { readonly type: Type }>;

interface Entry {
  readonly value: Value;
  expiresMs: number | undefined;
}

/** Thrown by commands; the reply is its message. */
export class CommandFailure extends Error {
  get reply(): ErrorReply {
    return new ErrorReply(this.message);
  }
}

const wrongType = (): CommandFailure => new CommandFailure('WRONGTYPE Operation against a key holding the wrong kind of value');

const empty: { readonly [Type in Value['type']]: () => ValueOf<Type> } = {
  string: () => ({ type: 'string', text: '' }),
  list: () => ({ type: 'list', items: [] }),
  hash: () => ({ type: 'hash', fields: new Map() }),
  set: () => ({ type: 'set', members: new Set() }),
};

/** The keys of one database, whose time is that of the clock. */
export class Database {
  readonly #entries = new Map<string, Entry>();
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  /** @throws CommandFailure for a value of another type */
  get<Type extends Value['type']>(key: string, type: Type): ValueOf<Type> | undefined {
    const value = this.#entry(key)?.value;
    if (value && value.type !== type) throw wrongType();
    return value as ValueOf<Type> | undefined;
  }

  /** As `get`, but creates the value when there is none. */
  getOrCreate<Type extends Value['type']>(key: string, type: Type): ValueOf<Type> {
    const known = this.get(key, type);
    if (known) return known;
    const value = empty[type]() as ValueOf<Type>;
    this.#entries.set(key, { value, expiresMs: undefined });
    return value;
  }

  /** Replaces a value of any type. */
  setText(key: string, text: string, expiresMs?: number): void {
    this.#entries.set(key, { value: { type: 'string', text }, expiresMs });
  }

  /** Removes collections without elements, as after each command that takes elements out. */
  removeEmpty(key: string): void {
    const value = this.#entry(key)?.value;
    const size =
      value?.type === 'list'
        ? value.items.length
        : value?.type === 'hash'
          ? value.fields.size
          : value?.type === 'set'
            ? value.members.size
            : 1;
    if (size === 0) this.#entries.delete(key);
  }

  typeOf(key: string): Value['type'] | 'none' {
    return this.#entry(key)?.value.type ?? 'none';
  }

  has(key: string): boolean {
    return this.#entry(key) !== undefined;
  }

  delete(key: string): boolean {
    return this.has(key) && this.#entries.delete(key);
  }

  rename(from: string, to: string): boolean {
    const entry = this.#entry(from);
    if (!entry) return false;
    this.#entries.delete(from);
    this.#entries.set(to, entry);
    return true;
  }

  /** Undefined: no such key, or it does not expire. */
  expiryOf(key: string): number | undefined {
    return this.#entry(key)?.expiresMs;
  }

  expire(key: string, expiresMs: number | undefined): boolean {
    const entry = this.#entry(key);
    if (!entry) return false;
    entry.expiresMs = expiresMs;
    return true;
  }

  get isEmpty(): boolean {
    for (const key of this.#entries.keys()) if (this.has(key)) return false;
    return true;
  }

  /** The keys that match a pattern; without one, all of them. */
  keys(pattern?: string): readonly string[] {
    const keys = [...this.#entries.keys()].filter((key) => this.has(key));
    if (pattern === undefined) return keys;
    const regExp = globToRegExp(pattern);
    return keys.filter((key) => regExp.test(key));
  }

  clear(): void {
    this.#entries.clear();
  }

  /** All entries as JSON data. */
  save(): unknown {
    return this.keys().map((key) => {
      const { value, expiresMs } = this.#entries.get(key) as Entry;
      const content =
        value.type === 'string'
          ? value.text
          : value.type === 'list'
            ? value.items
            : value.type === 'hash'
              ? [...value.fields]
              : [...value.members];
      return [key, value.type, content, expiresMs ?? null];
    });
  }

  load(saved: unknown): void {
    for (const [key, type, content, expiresMs] of saved as [string, Value['type'], never, number | null][]) {
      const value: Value =
        type === 'string'
          ? { type, text: content }
          : type === 'list'
            ? { type, items: content }
            : type === 'hash'
              ? { type, fields: new Map(content) }
              : { type, members: new Set(content) };
      this.#entries.set(key, { value, expiresMs: expiresMs ?? undefined });
    }
  }

  #entry(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry?.expiresMs === undefined || entry.expiresMs > this.#clock.nowMs()) return entry;
    this.#entries.delete(key);
    return undefined;
  }
}
