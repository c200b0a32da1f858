import { expect, test } from 'vitest';
import type { Connection } from '../../network/index.ts';
import { createLoopback } from '../pod/loopback.test-support.ts';
import { TestSandbox } from '../pod/sandbox.test-support.ts';
import { ContentReader, ContentWriter, MessageReader, protocolVersion, send } from './messages.ts';

/** A driver that sends messages, and shows those of the server as text. */
class Client {
  readonly pod: TestSandbox;
  readonly #connection: Connection;
  readonly #reader: MessageReader;
  readonly #received: string[] = [];

  private constructor(pod: TestSandbox, connection: Connection) {
    this.pod = pod;
    this.#connection = connection;
    this.#reader = new MessageReader(connection.source);
    void this.#receive();
  }

  static async open(): Promise<Client> {
    const network = createLoopback();
    const pod = new TestSandbox({}, {}, network);
    await pod.start({ env: [{ name: 'POSTGRES_HOST_AUTH_METHOD', value: 'trust' }] }, 'docker.io/library/postgres');
    await pod.advance(1);
    const client = new Client(pod, await network.namespace.connect({ address: '10.244.0.2', port: 5432 }));
    const start = new ContentWriter().int32(protocolVersion).text('user').text('postgres').text('');
    await send(client.#connection.sink, '', start);
    await client.flush();
    return client;
  }

  async #receive(): Promise<void> {
    for (let message = await this.#reader.next(); message; message = await this.#reader.next())
      this.#received.push(describe(message.type, new ContentReader(message.content)));
  }

  /** Sends messages, and returns what the server has answered. */
  async flush(...messages: readonly (readonly [type: string, content: ContentWriter])[]): Promise<readonly string[]> {
    for (const [type, content] of messages) await send(this.#connection.sink, type, content);
    await this.pod.advance(0.1);
    return this.#received.splice(0);
  }
}

const fieldsOf = (reader: ContentReader): string => {
  const fields: string[] = [];
  for (let letter = reader.bytes(1)[0]; letter; letter = reader.bytes(1)[0]) fields.push(String.fromCharCode(letter) + reader.text());
  return fields.filter((field) => /^[CMD]/.test(field)).join(' ');
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const printable = (bytes: Uint8Array): string =>
  bytes.some((byte) => byte < 32 || byte > 126) ? `0x${hex(bytes)}` : new TextDecoder().decode(bytes);

function describe(type: string, reader: ContentReader): string {
  const list = (item: () => string): string => Array.from({ length: reader.int16() }, item).join(' ');
  const column = (): string => {
    const name = reader.text();
    reader.bytes(6);
    const id = reader.int32();
    reader.bytes(6);
    return `${name}:${id}${reader.int16() === 1 ? ':binary' : ''}`;
  };
  const cell = (): string => {
    const length = reader.int32();
    return length < 0 ? 'null' : printable(reader.bytes(length));
  };
  const contents: Readonly<Record<string, () => string>> = {
    C: () => reader.text(),
    D: () => list(cell),
    E: () => fieldsOf(reader),
    T: () => list(column),
    Z: () => printable(reader.bytes(1)),
    t: () => list(() => String(reader.int32())),
  };
  return `${type} ${contents[type]?.() ?? ''}`.trimEnd();
}

const encoder = new TextEncoder();
const text = (value: string | null): Uint8Array | null => (value === null ? null : encoder.encode(value));

const query = (sql: string) => ['Q', new ContentWriter().text(sql)] as const;
const sync = ['S', new ContentWriter()] as const;

function parse(name: string, sql: string, types: readonly number[] = []) {
  const content = new ContentWriter().text(name).text(sql).int16(types.length);
  for (const type of types) content.int32(type);
  return ['P', content] as const;
}

interface Bound {
  readonly portal?: string;
  readonly formats?: readonly number[];
  readonly results?: readonly number[];
}

function bind(name: string, values: readonly (Uint8Array | null)[], { portal = '', formats = [], results = [] }: Bound = {}) {
  const content = new ContentWriter().text(portal).text(name).int16(formats.length);
  for (const format of formats) content.int16(format);
  content.int16(values.length);
  for (const value of values) {
    if (value) content.int32(value.length).bytes(value);
    else content.int32(-1);
  }
  content.int16(results.length);
  for (const format of results) content.int16(format);
  return ['B', content] as const;
}

const named = (type: 'C' | 'D', kind: 'S' | 'P', name = '') => [type, new ContentWriter().bytes(encoder.encode(kind)).text(name)] as const;
const execute = (portal = '', most = 0) => ['E', new ContentWriter().text(portal).int32(most)] as const;

async function openWithTable(): Promise<Client> {
  const client = await Client.open();
  await client.flush(
    query(
      "CREATE TABLE t (id serial PRIMARY KEY, name text NOT NULL, age int, ok boolean); INSERT INTO t (name, age, ok) VALUES ('ann', 30, true), ('bob', NULL, false), ('carl', 25, true)",
    ),
  );
  return client;
}

test('a statement is parsed, bound, described and executed', async () => {
  const client = await openWithTable();
  const sql = 'SELECT id, name, age, ok FROM t WHERE age >= $1 AND ok = $2 ORDER BY id LIMIT $3';
  const values = [text('25'), text('t'), text('10')];
  expect(await client.flush(parse('', sql), bind('', values), named('D', 'P'), execute(), sync)).toEqual([
    '1',
    '2',
    'T id:23 name:25 age:23 ok:16',
    'D 1 ann 30 t',
    'D 3 carl 25 t',
    'C SELECT 2',
    'Z I',
  ]);
});

test('the types of parameters are those of their places, or declared ones', async () => {
  const client = await openWithTable();
  const types = async (sql: string, declared: readonly number[] = []): Promise<readonly string[]> =>
    client.flush(parse('', sql, declared), named('D', 'S'), sync);
  expect(await types('SELECT * FROM t WHERE id = $1 AND name LIKE $2')).toEqual(['1', 't 23 25', 'T id:23 name:25 age:23 ok:16', 'Z I']);
  expect(await types('INSERT INTO t (name, age) VALUES ($1, $2), ($3, DEFAULT) RETURNING id')).toEqual([
    '1',
    't 25 23 25',
    'T id:23',
    'Z I',
  ]);
  expect(await types('UPDATE t SET age = $2, ok = $3 WHERE id IN ($1)')).toEqual(['1', 't 23 23 16', 'n', 'Z I']);
  expect(await types('SELECT $1::uuid, $2 + 1, $3', [0, 0, 1184])).toEqual([
    '1',
    't 2950 23 1184',
    'T ?column?:2950 ?column?:23 ?column?:1184',
    'Z I',
  ]);
  expect(await types('BEGIN')).toEqual(['1', 't', 'n', 'Z I']);
});

test('named statements are executed again with other values, until they are closed', async () => {
  const client = await openWithTable();
  const insert = (name: string | null, age: string | null) => [bind('ins', [text(name), text(age)]), execute()] as const;
  expect(
    await client.flush(parse('ins', 'INSERT INTO t (name, age) VALUES ($1, $2)'), ...insert('dora', '7'), ...insert('eve', null), sync),
  ).toEqual(['1', '2', 'C INSERT 0 1', '2', 'C INSERT 0 1', 'Z I']);
  expect(await client.flush(query('SELECT name, age FROM t WHERE id > 3'))).toEqual([
    'T name:25 age:23',
    'D dora 7',
    'D eve null',
    'C SELECT 2',
    'Z I',
  ]);
  expect(await client.flush(parse('ins', 'SELECT 1'), sync)).toEqual(['E C42P05 Mprepared statement "ins" already exists', 'Z I']);
  expect(await client.flush(named('C', 'S', 'ins'), named('C', 'S', 'none'), bind('ins', []), sync)).toEqual([
    '3',
    '3',
    'E C26000 Mprepared statement "ins" does not exist',
    'Z I',
  ]);
});

test('after an error, messages are ignored until Sync, and the series has no effect', async () => {
  const client = await openWithTable();
  const add = parse('', "INSERT INTO t (name) VALUES ('x')");
  expect(
    await client.flush(add, bind('', []), execute(), parse('', 'SELECT nothing FROM none'), bind('', []), execute(), query('SELECT 1')),
  ).toEqual(['1', '2', 'C INSERT 0 1', 'E C42P01 Mrelation "none" does not exist']);
  expect(await client.flush(sync, query('SELECT count(*) FROM t'))).toEqual(['Z I', 'T count:20', 'D 3', 'C SELECT 1', 'Z I']);
});

test('an error in a transaction fails it until its end', async () => {
  const client = await openWithTable();
  await client.flush(query('BEGIN'));
  expect(await client.flush(parse('', 'SELECT 1/$1::int'), bind('', [text('0')]), execute(), sync)).toEqual([
    '1',
    '2',
    'E C22012 Mdivision by zero',
    'Z E',
  ]);
  expect(await client.flush(parse('', 'SELECT 1'), sync, parse('', 'ROLLBACK'), bind('', []), execute(), sync)).toEqual([
    'E C25P02 Mcurrent transaction is aborted, commands ignored until end of transaction block',
    'Z E',
    '1',
    '2',
    'C ROLLBACK',
    'Z I',
  ]);
});

test.each([
  ['SELECT $1::int', [text('x')], 'E C22P02 Minvalid input syntax for type integer: "x"'],
  ['SELECT $1, $2', [text('x')], 'E C08P01 Mbind message supplies 1 parameters, but prepared statement "" requires 2'],
])('values that do not fit %s are refused', async (sql, values, error) => {
  const client = await Client.open();
  expect(await client.flush(parse('', sql), bind('', values), execute(), sync)).toEqual(['1', error, 'Z I']);
});

test('messages that cannot be read are errors, and the connection stays open', async () => {
  const client = await Client.open();
  expect(await client.flush(parse('', 'SELECT 1; SELECT 2'), sync, parse('', ''), bind('', []), named('D', 'P'), execute(), sync)).toEqual([
    'E C42601 Mcannot insert multiple commands into a prepared statement',
    'Z I',
    '1',
    '2',
    'n',
    'I',
    'Z I',
  ]);
  expect(await client.flush(parse('', 'SELECT 1'), ['B', new ContentWriter().text('').text('').int16(9)], sync)).toEqual([
    '1',
    'E C08P01 Minsufficient data left in message',
    'Z I',
  ]);
});

test('a message of another type ends the connection', async () => {
  const client = await Client.open();
  expect(await client.flush(['B', new ContentWriter().text('').text('').int16(0)], sync)).toEqual([
    'E C26000 Munnamed prepared statement does not exist',
    'Z I',
  ]);
  expect(await client.flush(['y', new ContentWriter()])).toEqual(['E C08P01 Minvalid frontend message type 121']);
});

test('a portal with a limit is suspended and resumed, and ends with its transaction', async () => {
  const client = await openWithTable();
  await client.flush(query('BEGIN'));
  const cursor = [parse('', 'SELECT name FROM t ORDER BY id'), bind('', [], { portal: 'c' }), execute('c', 2)] as const;
  expect(await client.flush(...cursor, sync)).toEqual(['1', '2', 'D ann', 'D bob', 's', 'Z T']);
  expect(await client.flush(execute('c', 2), execute('c', 2), sync)).toEqual(['D carl', 'C SELECT 1', 'C SELECT 0', 'Z T']);
  await client.flush(query('COMMIT'), sync);
  expect(await client.flush(execute('c'), sync)).toEqual(['E C34000 Mportal "c" does not exist', 'Z I']);
});

test('values in binary format are read and written', async () => {
  const client = await openWithTable();
  const sql =
    "SELECT $1::int, $2::bigint, $3::boolean, $4, $5::numeric, '2026-01-01 00:00:00+00'::timestamptz, '2000-01-02'::date, 0.5::float";
  const values = [
    Uint8Array.of(0, 0, 1, 0),
    Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255),
    Uint8Array.of(1),
    text('text'),
    text('-12345.678'),
  ];
  const answers = await client.flush(parse('', sql), bind('', values, { formats: [1, 1, 1, 1, 0], results: [1] }), execute(), sync);
  expect(answers.slice(2)).toEqual([
    'D 0x00000100 0xffffffffffffffff 0x01 text 0x0003000140000003000109291a7c 0x0002ea470ae86000 0x00000001 0x3fe0000000000000',
    'C SELECT 1',
    'Z I',
  ]);
});

test('statements are prepared in SQL, and shared with the protocol', async () => {
  const client = await openWithTable();
  expect(
    await client.flush(
      query('PREPARE adults (int) AS SELECT name FROM t WHERE age > $1'),
      query('EXECUTE adults(26)'),
      query('EXECUTE adults'),
      query('SELECT $1'),
      bind('adults', [text('20')]),
      execute(),
      sync,
      query('DEALLOCATE adults'),
      query('EXECUTE adults(1)'),
      query('DEALLOCATE ALL'),
    ),
  ).toEqual([
    'C PREPARE',
    'Z I',
    'T name:25',
    'D ann',
    'C SELECT 1',
    'Z I',
    'E C42601 Mwrong number of parameters for prepared statement "adults" DExpected 1 parameters but got 0.',
    'Z I',
    'E C42P02 Mthere is no parameter $1',
    'Z I',
    '2',
    'D ann',
    'D carl',
    'C SELECT 2',
    'Z I',
    'C DEALLOCATE',
    'Z I',
    'E C26000 Mprepared statement "adults" does not exist',
    'Z I',
    'C DEALLOCATE ALL',
    'Z I',
  ]);
});
