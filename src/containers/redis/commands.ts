import { CommandFailure, type Database } from './database.ts';
import { ok, type Reply, SimpleString } from './resp.ts';

/** What a command of data works with. */
export interface CommandContext {
  readonly database: Database;
  readonly nowMs: number;
  /** An index below `limit`. */
  random(limit: number): number;
}

type Run = (args: readonly string[], context: CommandContext) => Reply;

export interface DataCommand {
  /** The number of arguments; negative: at least as many. */
  readonly arity: number;
  readonly writes: boolean;
  readonly run: Run;
}

const read = (arity: number, run: Run): DataCommand => ({ arity, writes: false, run });
const write = (arity: number, run: Run): DataCommand => ({ arity, writes: true, run });

const syntaxError = (): CommandFailure => new CommandFailure('ERR syntax error');

function integer(text: string | undefined): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text ?? '') || !Number.isSafeInteger(value))
    throw new CommandFailure('ERR value is not an integer or out of range');
  return value;
}

/** Pairs of arguments. @throws CommandFailure for an odd number */
function pairsOf(args: readonly string[], command: string): readonly (readonly [string, string])[] {
  if (args.length % 2 !== 0) throw new CommandFailure(`ERR wrong number of arguments for '${command}' command`);
  return args.flatMap((arg, at) => (at % 2 === 0 ? [[arg, args[at + 1] ?? ''] as const] : []));
}

/** Indices that may count from the end, within a list of this length. */
function rangeOf(start: string | undefined, stop: string | undefined, length: number): readonly [from: number, to: number] {
  const absolute = (index: number): number => (index < 0 ? length + index : index);
  return [Math.max(0, absolute(integer(start))), absolute(integer(stop)) + 1];
}

const expiryOptions: Readonly<Record<string, (value: number, nowMs: number) => number>> = {
  EX: (value, nowMs) => nowMs + value * 1_000,
  PX: (value, nowMs) => nowMs + value,
  EXAT: (value) => value * 1_000,
  PXAT: (value) => value,
};

interface SetOptions {
  readonly flags: ReadonlySet<string>;
  readonly expiresMs: number | undefined;
}

/** `NX`, `EX 10` @throws CommandFailure */
function readSetOptions(options: readonly string[], nowMs: number): SetOptions {
  const flags = new Set<string>();
  let expiresMs: number | undefined;
  for (let at = 0; at < options.length; at++) {
    const name = options[at]?.toUpperCase() ?? '';
    const expiry = Object.hasOwn(expiryOptions, name) ? expiryOptions[name] : undefined;
    if (expiry) {
      const value = integer(options[++at]);
      if (value <= 0) throw new CommandFailure("ERR invalid expire time in 'set' command");
      expiresMs = expiry(value, nowMs);
    } else if (/^(?:NX|XX|GET|KEEPTTL)$/.test(name)) flags.add(name);
    else throw syntaxError();
  }
  if (flags.has('NX') && flags.has('XX')) throw syntaxError();
  return { flags, expiresMs };
}

const set: Run = ([key = '', text = '', ...options], { database, nowMs }) => {
  const { flags, expiresMs } = readSetOptions(options, nowMs);
  const before = flags.has('GET') ? (database.get(key, 'string')?.text ?? null) : null;
  const isRefused = (flags.has('NX') && database.has(key)) || (flags.has('XX') && !database.has(key));
  if (!isRefused) database.setText(key, text, flags.has('KEEPTTL') ? database.expiryOf(key) : expiresMs);
  return flags.has('GET') ? before : isRefused ? null : ok;
};

function increment(key: string, by: number, { database }: CommandContext): number {
  const value = database.getOrCreate(key, 'string');
  const sum = integer(value.text === '' ? '0' : value.text) + by;
  value.text = String(sum);
  return sum;
}

const expire =
  (unitMs: number, isAbsolute = false): Run =>
  ([key = '', value], { database, nowMs }) => {
    const untilMs = integer(value) * unitMs + (isAbsolute ? 0 : nowMs);
    return database.expire(key, untilMs) ? 1 : 0;
  };

const timeToLive =
  (unitMs: number): Run =>
  ([key = ''], { database, nowMs }) => {
    const untilMs = database.expiryOf(key);
    return !database.has(key) ? -2 : untilMs === undefined ? -1 : Math.round((untilMs - nowMs) / unitMs);
  };

const count = (keys: readonly string[], test: (key: string) => boolean): number => keys.filter(test).length;

const strings: Readonly<Record<string, DataCommand>> = {
  SET: write(-2, set),
  GET: read(1, ([key = ''], { database }) => database.get(key, 'string')?.text ?? null),
  SETNX: write(2, ([key = '', text = ''], context) => (set([key, text, 'NX'], context) === null ? 0 : 1)),
  SETEX: write(3, ([key = '', seconds = '', text = ''], context) => set([key, text, 'EX', seconds], context)),
  PSETEX: write(3, ([key = '', ms = '', text = ''], context) => set([key, text, 'PX', ms], context)),
  GETSET: write(2, ([key = '', text = ''], context) => set([key, text, 'GET'], context)),
  GETDEL: write(1, ([key = ''], { database }) => {
    const text = database.get(key, 'string')?.text ?? null;
    database.delete(key);
    return text;
  }),
  MSET: write(-2, (args, { database }) => {
    for (const [key, text] of pairsOf(args, 'mset')) database.setText(key, text);
    return ok;
  }),
  MGET: read(-1, (keys, { database }) =>
    keys.map((key) => (database.typeOf(key) === 'string' ? (database.get(key, 'string')?.text ?? null) : null)),
  ),
  APPEND: write(2, ([key = '', text = ''], { database }) => {
    const value = database.getOrCreate(key, 'string');
    value.text += text;
    return value.text.length;
  }),
  STRLEN: read(1, ([key = ''], { database }) => database.get(key, 'string')?.text.length ?? 0),
  GETRANGE: read(3, ([key = '', start, stop], { database }) => {
    const text = database.get(key, 'string')?.text ?? '';
    return text.slice(...rangeOf(start, stop, text.length));
  }),
  INCR: write(1, ([key = ''], context) => increment(key, 1, context)),
  DECR: write(1, ([key = ''], context) => increment(key, -1, context)),
  INCRBY: write(2, ([key = '', by], context) => increment(key, integer(by), context)),
  DECRBY: write(2, ([key = '', by], context) => increment(key, -integer(by), context)),
  INCRBYFLOAT: write(2, ([key = '', by], { database }) => {
    const value = database.getOrCreate(key, 'string');
    const sum = Number(value.text || '0') + Number(by);
    if (!Number.isFinite(sum)) throw new CommandFailure('ERR value is not a valid float');
    value.text = String(sum);
    return value.text;
  }),
};

const keys: Readonly<Record<string, DataCommand>> = {
  DEL: write(-1, (names, { database }) => count(names, (key) => database.delete(key))),
  UNLINK: write(-1, (names, { database }) => count(names, (key) => database.delete(key))),
  EXISTS: read(-1, (names, { database }) => count(names, (key) => database.has(key))),
  TYPE: read(1, ([key = ''], { database }) => new SimpleString(database.typeOf(key))),
  KEYS: read(1, ([pattern], { database }) => database.keys(pattern)),
  /** All keys at once. */
  SCAN: read(-1, ([, ...options], { database }) => {
    const at = options.findIndex((option) => option.toUpperCase() === 'MATCH');
    return ['0', database.keys(at < 0 ? undefined : options[at + 1])];
  }),
  RANDOMKEY: read(0, (_, { database, random }) => {
    const all = database.keys();
    return all[random(all.length)] ?? null;
  }),
  RENAME: write(2, ([from = '', to = ''], { database }) => {
    if (!database.rename(from, to)) throw new CommandFailure('ERR no such key');
    return ok;
  }),
  EXPIRE: write(2, expire(1_000)),
  PEXPIRE: write(2, expire(1)),
  EXPIREAT: write(2, expire(1_000, true)),
  PEXPIREAT: write(2, expire(1, true)),
  TTL: read(1, timeToLive(1_000)),
  PTTL: read(1, timeToLive(1)),
  PERSIST: write(1, ([key = ''], { database }) => (database.expiryOf(key) !== undefined && database.expire(key, undefined) ? 1 : 0)),
  DBSIZE: read(0, (_, { database }) => database.keys().length),
  FLUSHDB: write(0, (_, { database }) => {
    database.clear();
    return ok;
  }),
};

const push =
  (add: (items: string[], values: readonly string[]) => void): Run =>
  ([key = '', ...values], { database }) => {
    const { items } = database.getOrCreate(key, 'list');
    add(items, values);
    return items.length;
  };

/** Takes elements from one end of a list. */
export function takeFrom(end: 'left' | 'right', key: string, howMany: number, database: Database): readonly string[] {
  const items = database.get(key, 'list')?.items ?? [];
  const taken = end === 'left' ? items.splice(0, howMany) : items.splice(Math.max(0, items.length - howMany), howMany).reverse();
  database.removeEmpty(key);
  return taken;
}

const pop =
  (end: 'left' | 'right'): Run =>
  ([key = '', howMany], { database }) => {
    const taken = takeFrom(end, key, howMany === undefined ? 1 : integer(howMany), database);
    if (howMany === undefined) return taken[0] ?? null;
    return taken.length === 0 ? null : taken;
  };

const lists: Readonly<Record<string, DataCommand>> = {
  LPUSH: write(
    -2,
    push((items, values) => items.unshift(...[...values].reverse())),
  ),
  RPUSH: write(
    -2,
    push((items, values) => items.push(...values)),
  ),
  LPOP: write(-1, pop('left')),
  RPOP: write(-1, pop('right')),
  LLEN: read(1, ([key = ''], { database }) => database.get(key, 'list')?.items.length ?? 0),
  LRANGE: read(3, ([key = '', start, stop], { database }) => {
    const items = database.get(key, 'list')?.items ?? [];
    return items.slice(...rangeOf(start, stop, items.length));
  }),
  LINDEX: read(2, ([key = '', index], { database }) => database.get(key, 'list')?.items.at(integer(index)) ?? null),
  LSET: write(3, ([key = '', index, text = ''], { database }) => {
    const items = database.get(key, 'list')?.items;
    if (!items) throw new CommandFailure('ERR no such key');
    const at = integer(index) < 0 ? items.length + integer(index) : integer(index);
    if (at < 0 || at >= items.length) throw new CommandFailure('ERR index out of range');
    items[at] = text;
    return ok;
  }),
  LREM: write(3, ([key = '', limit, text], { database }) => {
    const items = database.get(key, 'list')?.items ?? [];
    const most = integer(limit);
    const found = items.flatMap((item, at) => (item === text ? [at] : []));
    const removed = most === 0 ? found : most > 0 ? found.slice(0, most) : found.slice(most);
    for (const at of [...removed].reverse()) items.splice(at, 1);
    database.removeEmpty(key);
    return removed.length;
  }),
  LTRIM: write(3, ([key = '', start, stop], { database }) => {
    const items = database.get(key, 'list')?.items ?? [];
    items.splice(0, items.length, ...items.slice(...rangeOf(start, stop, items.length)));
    database.removeEmpty(key);
    return ok;
  }),
};

const fieldsOf = (key: string, database: Database): ReadonlyMap<string, string> => database.get(key, 'hash')?.fields ?? new Map();

const setFields: Run = ([key = '', ...rest], { database }) => {
  const pairs = pairsOf(rest, 'hset');
  const { fields } = database.getOrCreate(key, 'hash');
  const before = fields.size;
  for (const [field, text] of pairs) fields.set(field, text);
  return fields.size - before;
};

const hashes: Readonly<Record<string, DataCommand>> = {
  HSET: write(-3, setFields),
  HMSET: write(-3, (args, context) => {
    setFields(args, context);
    return ok;
  }),
  HSETNX: write(3, ([key = '', field = '', text = ''], context) =>
    fieldsOf(key, context.database).has(field) ? 0 : setFields([key, field, text], context),
  ),
  HGET: read(2, ([key = '', field = ''], { database }) => fieldsOf(key, database).get(field) ?? null),
  HMGET: read(-2, ([key = '', ...names], { database }) => names.map((field) => fieldsOf(key, database).get(field) ?? null)),
  HGETALL: read(1, ([key = ''], { database }) => [...fieldsOf(key, database)].flat()),
  HDEL: write(-2, ([key = '', ...names], { database }) => {
    const fields = database.get(key, 'hash')?.fields;
    const removed = count(names, (field) => fields?.delete(field) ?? false);
    database.removeEmpty(key);
    return removed;
  }),
  HEXISTS: read(2, ([key = '', field = ''], { database }) => (fieldsOf(key, database).has(field) ? 1 : 0)),
  HKEYS: read(1, ([key = ''], { database }) => [...fieldsOf(key, database).keys()]),
  HVALS: read(1, ([key = ''], { database }) => [...fieldsOf(key, database).values()]),
  HLEN: read(1, ([key = ''], { database }) => fieldsOf(key, database).size),
  HINCRBY: write(3, ([key = '', field = '', by], { database }) => {
    const sum = integer(fieldsOf(key, database).get(field) ?? '0') + integer(by);
    database.getOrCreate(key, 'hash').fields.set(field, String(sum));
    return sum;
  }),
};

const membersOf = (key: string, database: Database): ReadonlySet<string> => database.get(key, 'set')?.members ?? new Set();

const sets: Readonly<Record<string, DataCommand>> = {
  SADD: write(-2, ([key = '', ...added], { database }) => {
    const { members } = database.getOrCreate(key, 'set');
    const before = members.size;
    for (const member of added) members.add(member);
    return members.size - before;
  }),
  SREM: write(-2, ([key = '', ...names], { database }) => {
    const members = database.get(key, 'set')?.members;
    const removed = count(names, (member) => members?.delete(member) ?? false);
    database.removeEmpty(key);
    return removed;
  }),
  SPOP: write(1, ([key = ''], { database, random }) => {
    const members = database.get(key, 'set')?.members ?? new Set<string>();
    const member = [...members][random(members.size)];
    if (member === undefined) return null;
    members.delete(member);
    database.removeEmpty(key);
    return member;
  }),
  SMEMBERS: read(1, ([key = ''], { database }) => [...membersOf(key, database)]),
  SISMEMBER: read(2, ([key = '', member = ''], { database }) => (membersOf(key, database).has(member) ? 1 : 0)),
  SCARD: read(1, ([key = ''], { database }) => membersOf(key, database).size),
  SINTER: read(-1, ([key = '', ...others], { database }) =>
    [...membersOf(key, database)].filter((member) => others.every((other) => membersOf(other, database).has(member))),
  ),
  SUNION: read(-1, (names, { database }) => [...new Set(names.flatMap((key) => [...membersOf(key, database)]))]),
  SDIFF: read(-1, ([key = '', ...others], { database }) =>
    [...membersOf(key, database)].filter((member) => !others.some((other) => membersOf(other, database).has(member))),
  ),
};

/** The commands of data, by their names in capitals. */
export const dataCommands: Readonly<Record<string, DataCommand>> = { ...strings, ...keys, ...lists, ...hashes, ...sets };

/** Whether a command is called with the right number of arguments. */
export const hasArity = (arity: number, args: readonly string[]): boolean => (arity < 0 ? args.length >= -arity : args.length === arity);
