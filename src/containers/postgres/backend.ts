import type { Connection } from '../../network/index.ts';
import type { Process } from '../process/process.ts';
import { type ServerState, SqlEngine, type SqlResult } from './execute.ts';
import { ExtendedQuery, errorFields, sendColumns, sendNotice, sendRow } from './extended-query.ts';
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
    ['DateStyle', 'ISO, MDY'],
    ['IntervalStyle', 'postgres'],
    ['integer_datetimes', 'on'],
    ['standard_conforming_strings', 'on'],
  ] as const)
    await send(sink, 'S', new ContentWriter().text(name).text(value));
  const { env } = process.container;
  await send(sink, 'K', new ContentWriter().int32(process.pid).int32(env.random.integer(2 ** 31)));
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

async function serveQueries(
  reader: MessageReader,
  { sink }: Connection,
  { process, log }: BackendServer,
  engine: SqlEngine,
): Promise<void> {
  const ready = (): Promise<void> => send(sink, 'Z', new ContentWriter().bytes(Uint8Array.of(engine.transactionStatus.charCodeAt(0))));
  const extended = new ExtendedQuery(sink, engine);
  /** After an error of the extended protocol, messages are ignored until Sync. */
  let isSkipping = false;
  const report = async (error: unknown, sql: string | undefined): Promise<void> => {
    if (!(error instanceof SqlError)) throw error;
    log('ERROR', `${error.message}${error.more.at === undefined ? '' : ` at character ${error.more.at + 1}`}`);
    if (error.more.detail !== undefined) log('DETAIL', error.more.detail);
    if (sql !== undefined) log('STATEMENT', sql);
    await sendError(sink, error, 'ERROR');
  };
  await ready();
  for (let message = await reader.next(); message && message.type !== 'X'; message = await reader.next()) {
    await process.container.pause();
    if (message.type === 'S') {
      isSkipping = false;
      extended.sync();
      await ready();
    } else if (message.type === 'Q' && !isSkipping) {
      const sql = new ContentReader(message.content).text();
      await runQuery(sql, sink, engine).catch((error: unknown) => report(error, sql));
      await ready();
    } else if (!isSkipping) {
      const isKnown = await extended.handle(message).catch(async (error: unknown) => {
        isSkipping = true;
        await report(error, undefined);
        return true;
      });
      if (!isKnown) throw new SqlError('08P01', `invalid frontend message type ${message.type.charCodeAt(0)}`);
    }
  }
}

/** The simple query protocol: statements without parameters. @throws SqlError */
async function runQuery(sql: string, sink: Connection['sink'], engine: SqlEngine): Promise<void> {
  const statements = splitStatements(sql);
  if (statements.length === 0) await send(sink, 'I');
  for (const statement of statements) await sendResult(sink, engine.execute(statement));
}

async function sendResult(sink: Connection['sink'], { tag, columns, rows = [], notice }: SqlResult): Promise<void> {
  if (notice !== undefined) await sendNotice(sink, notice);
  if (columns) {
    await sendColumns(sink, columns);
    for (const row of rows) await sendRow(sink, row, columns);
  }
  await send(sink, 'C', new ContentWriter().text(tag));
}

function sendError(sink: Connection['sink'], { state, message, more }: SqlError, severity: string): Promise<void> {
  const position = more.at === undefined ? undefined : String(more.at + 1);
  return send(sink, 'E', errorFields({ S: severity, V: severity, C: state, M: message, D: more.detail, H: more.hint, P: position }));
}
