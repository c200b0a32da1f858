import type { Connection } from '../../network/index.ts';
import type { Process } from '../process/process.ts';
import { type ServerState, SqlEngine, type SqlResult } from './execute.ts';
import { type ColumnType, formatValue } from './expressions.ts';
import { ContentReader, ContentWriter, MessageReader, protocolVersion, send, sslRequest } from './messages.ts';
import { SqlError } from './sql-error.ts';
import { splitStatements } from './tokens.ts';
import { postgresVersion } from './version.ts';

export interface BackendServer {
  readonly state: ServerState;
  readonly process: Process;
  /** Whether connections from other addresses need no password. */
  readonly isTrusting: boolean;
  log(level: string, text: string): void;
}

/** The object identifiers of types. */
export const typeIds: Readonly<Record<ColumnType, number>> = {
  boolean: 16,
  bigint: 20,
  integer: 23,
  text: 25,
  'double precision': 701,
  'character varying': 1043,
  date: 1082,
  timestamp: 1184,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
};

/** Serves a connection until one of its ends closes it. */
export async function serveBackend(connection: Connection, server: BackendServer): Promise<void> {
  const { sink } = connection;
  const reader = new MessageReader(connection.source);
  try {
    const session = await startSession(reader, connection, server);
    if (session) await serveQueries(reader, connection, server, session);
  } catch (error) {
    if (error instanceof SqlError) await sendError(sink, error, 'FATAL').catch(() => {});
    // Otherwise the client has closed the connection.
  } finally {
    await sink.close();
  }
}

async function startSession(reader: MessageReader, { sink, remote }: Connection, server: BackendServer): Promise<SqlEngine | undefined> {
  const { state, process } = server;
  let start = await reader.first();
  if (start && new ContentReader(start).int32() === sslRequest) {
    await sink.write(Uint8Array.of('N'.charCodeAt(0)));
    start = await reader.first();
  }
  if (!start) return undefined;
  const content = new ContentReader(start);
  if (content.int32() !== protocolVersion) throw new SqlError('0A000', 'unsupported frontend protocol');
  const parameters = new Map<string, string>();
  while (!content.isAtEnd) {
    const name = content.text();
    if (name !== '') parameters.set(name, content.text());
  }
  const user = parameters.get('user') ?? '';
  const database = parameters.get('database') ?? user;
  const fatal = (state: string, text: string): SqlError => {
    server.log('FATAL', text);
    return new SqlError(state, text);
  };
  const isLocal = /^(?:127\.|::1$)/.test(remote.address);
  if (!isLocal && !server.isTrusting) {
    await send(sink, 'R', new ContentWriter().int32(3));
    const message = await reader.next();
    if (!message) return undefined;
    const password = new ContentReader(message.content).text();
    if (state.roles.get(user) !== password || password === '') throw fatal('28P01', `password authentication failed for user "${user}"`);
  }
  if (!state.roles.has(user)) throw fatal('28000', `role "${user}" does not exist`);
  if (!state.databases.has(database)) throw fatal('3D000', `database "${database}" does not exist`);
  await send(sink, 'R', new ContentWriter().int32(0));
  for (const [name, value] of [
    ['server_version', postgresVersion],
    ['server_encoding', 'UTF8'],
    ['client_encoding', 'UTF8'],
    ['TimeZone', 'Etc/UTC'],
  ] as const)
    await send(sink, 'S', new ContentWriter().text(name).text(value));
  const { env } = process.container;
  const session = {
    user,
    database,
    newUuid: () => env.random.uuid(),
    get nowMs() {
      return env.clock.nowMs();
    },
  };
  return new SqlEngine(state, session);
}

async function serveQueries(reader: MessageReader, { sink }: Connection, server: BackendServer, engine: SqlEngine): Promise<void> {
  const ready = (): Promise<void> => send(sink, 'Z', new ContentWriter().bytes(Uint8Array.of(engine.transactionStatus.charCodeAt(0))));
  await ready();
  for (let message = await reader.next(); message && message.type !== 'X'; message = await reader.next()) {
    if (message.type === 'Q') await runQuery(new ContentReader(message.content).text(), sink, server, engine);
    else await sendError(sink, new SqlError('0A000', 'the extended query protocol is not supported'), 'ERROR');
    await ready();
    await server.process.container.pause();
  }
}

/** Sends the results of statements until one of them fails. */
async function runQuery(sql: string, sink: Connection['sink'], { log }: BackendServer, engine: SqlEngine): Promise<void> {
  try {
    const statements = splitStatements(sql);
    if (statements.length === 0) await send(sink, 'I');
    for (const statement of statements) await sendResult(sink, engine.execute(statement));
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    const { at, detail } = error.more;
    log('ERROR', `${error.message}${at === undefined ? '' : ` at character ${at + 1}`}`);
    if (detail !== undefined) log('DETAIL', detail);
    log('STATEMENT', sql);
    await sendError(sink, error, 'ERROR');
  }
}

async function sendResult(sink: Connection['sink'], { tag, columns, rows = [], notice }: SqlResult): Promise<void> {
  if (notice !== undefined) {
    const [severity = '', text = ''] = notice.split(/:\s+/, 2);
    await send(sink, 'N', errorFields({ S: severity, C: '00000', M: text }));
  }
  if (columns) {
    const head = new ContentWriter().int16(columns.length);
    for (const { name, type } of columns) head.text(name).int32(0).int16(0).int32(typeIds[type]).int16(-1).int32(-1).int16(0);
    await send(sink, 'T', head);
    for (const row of rows) {
      const content = new ContentWriter().int16(row.length);
      for (const value of row) {
        const bytes = new TextEncoder().encode(formatValue(value));
        if (value === null) content.int32(-1);
        else content.int32(bytes.length).bytes(bytes);
      }
      await send(sink, 'D', content);
    }
  }
  await send(sink, 'C', new ContentWriter().text(tag));
}

function errorFields(fields: Readonly<Record<string, string | undefined>>): ContentWriter {
  const content = new ContentWriter();
  for (const [letter, value] of Object.entries(fields))
    if (value !== undefined) content.bytes(Uint8Array.of(letter.charCodeAt(0))).text(value);
  return content.bytes(Uint8Array.of(0));
}

function sendError(sink: Connection['sink'], { state, message, more }: SqlError, severity: string): Promise<void> {
  const position = more.at === undefined ? undefined : String(more.at + 1);
  return send(sink, 'E', errorFields({ S: severity, V: severity, C: state, M: message, D: more.detail, H: more.hint, P: position }));
}
