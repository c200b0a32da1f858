import { type Connection, NetworkError } from '../../network/index.ts';
import { type Invocation, linesOf } from '../../shell/index.ts';
import { SystemError } from '../files/file-error.ts';
import { lookUpHost } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { Tty } from '../process/tty.ts';
import { parseOptions } from '../programs/options.ts';
import { formatTable, type QueryTable } from './format-table.ts';
import { ContentReader, ContentWriter, MessageReader, protocolVersion, send } from './messages.ts';
import { type MetaQuery, metaQuery } from './meta-commands.ts';
import { splitStatements } from './tokens.ts';
import { typeIds } from './value-formats.ts';
import { postgresVersion } from './version.ts';

/** The severity and the text of a message. */
const headOf = (fields: ReadonlyMap<string, string>): string => `${fields.get('S')}:  ${fields.get('M')}`;

/** An error of the server that ends the connection. */
class ServerError extends Error {}

interface Target {
  readonly host: string;
  readonly isLocal: boolean;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
}

function targetOf(values: ReadonlyMap<string, string>, operands: readonly string[], { environment }: Invocation): Target {
  const [first = '', second] = operands;
  const url = /^postgres(?:ql)?:\/\//.test(first) ? new URL(first.replace(/^postgres(?:ql)?:/, 'http:')) : undefined;
  const host = url?.hostname ?? values.get('h') ?? values.get('host') ?? environment.get('PGHOST') ?? '';
  const user = url?.username || (values.get('U') ?? values.get('username') ?? second ?? environment.get('PGUSER') ?? 'root');
  const named = url ? url.pathname.slice(1) : (values.get('d') ?? values.get('dbname') ?? (first || undefined));
  return {
    host: host === '' ? '127.0.0.1' : host,
    isLocal: host === '' || host.startsWith('/'),
    port: Number(url?.port || (values.get('p') ?? values.get('port') ?? environment.get('PGPORT') ?? 5432)),
    user,
    database: named || (environment.get('PGDATABASE') ?? user),
    password: url?.password ? decodeURIComponent(url.password) : environment.get('PGPASSWORD'),
  };
}

/** `psql [-h HOST] [-p PORT] [-U USER] [-d DATABASE] [-Atq] [-c SQL]… [-f FILE]`; without both it reads from the input. */
export const psql: Applet = async (invocation, process) => {
  const { flags, values, lists, operands } = parseOptions(invocation.args, [
    'h',
    'p',
    'U',
    'd',
    'c',
    'f',
    'v',
    'F',
    'host',
    'port',
    'username',
    'dbname',
    'command',
    'file',
  ]);
  if (flags.has('V') || flags.has('version')) {
    invocation.out(`psql (PostgreSQL) ${postgresVersion}\n`);
    return 0;
  }
  const target = targetOf(values, operands, invocation);
  const client = await connect(target, invocation, process);
  if (typeof client === 'number') return client;
  const style = {
    isAligned: !(flags.has('A') || flags.has('no-align')),
    hasHead: !(flags.has('t') || flags.has('tuples-only')),
    separator: values.get('F') ?? '|',
  };
  const run = new QueryRunner(client, invocation, { ...style, isQuiet: flags.has('q') || flags.has('quiet') }, target);
  const commands = [...(lists.get('c') ?? []), ...(lists.get('command') ?? [])];
  const file = values.get('f') ?? values.get('file');
  try {
    if (commands.length > 0) {
      let isGood = true;
      for (const command of commands) isGood = await run.text(command);
      return isGood ? 0 : 1;
    }
    if (file !== undefined) return await runFile(file, run, invocation, process);
    return await run.input();
  } finally {
    await send(client.connection.sink, 'X').catch(() => {});
    await client.connection.sink.close();
  }
};

async function runFile(file: string, run: QueryRunner, { path, err }: Invocation, { container, user }: Process): Promise<number> {
  try {
    const text = new TextDecoder().decode(container.files.read(path(file), user));
    for (const statement of splitStatements(text)) await run.text(statement);
    return 0;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    err(`psql: error: ${file}: ${error.message}\n`);
    return 1;
  }
}

interface Client {
  readonly connection: Connection;
  readonly reader: MessageReader;
}

/** The connection after its start, or the exit code. */
async function connect(target: Target, { err, signal }: Invocation, process: Process): Promise<Client | number> {
  const { host, isLocal, port, user, database, password } = target;
  const { network } = process.container.listeners;
  const [address] = await lookUpHost(host, process);
  if (address === undefined) {
    err(`psql: error: could not translate host name "${host}" to address: Name or service not known\n`);
    return 2;
  }
  const socket = `connection to server on socket "/var/run/postgresql/.s.PGSQL.${port}" failed: `;
  const place = isLocal ? socket : `connection to server at "${host}" (${address}), port ${port} failed: `;
  try {
    if (!network) throw new NetworkError('EHOSTUNREACH', 'Network is unreachable');
    const connection = await network.connect({ address, port }, { signal });
    const reader = new MessageReader(connection.source);
    const start = new ContentWriter()
      .int32(protocolVersion)
      .text('user')
      .text(user)
      .text('database')
      .text(database)
      .bytes(Uint8Array.of(0));
    await send(connection.sink, '', start);
    for (let message = await reader.next(); message; message = await reader.next()) {
      if (message.type === 'Z') return { connection, reader };
      if (message.type === 'E') throw new ServerError(headOf(fieldsOf(message.content)));
      if (message.type !== 'R' || new ContentReader(message.content).int32() === 0) continue;
      if (password === undefined) {
        err(`psql: error: ${place}fe_sendauth: no password supplied\n`);
        await connection.sink.close();
        return 2;
      }
      await send(connection.sink, 'p', new ContentWriter().text(password));
    }
    err(`psql: error: ${place}server closed the connection unexpectedly\n`);
  } catch (error) {
    if (error instanceof ServerError) err(`psql: error: ${place}${error.message}\n`);
    else if (error instanceof NetworkError) err(`psql: error: ${place}${refusal(error, isLocal)}`);
    else throw error;
  }
  return 2;
}

function refusal({ code, message }: NetworkError, isLocal: boolean): string {
  if (code === 'ETIMEDOUT') return 'Connection timed out\n\tIs the server running on that host and accepting TCP/IP connections?\n';
  if (code !== 'ECONNREFUSED') return `${message}\n`;
  return isLocal
    ? 'No such file or directory\n\tIs the server running locally and accepting connections on that socket?\n'
    : 'Connection refused\n\tIs the server running on that host and accepting TCP/IP connections?\n';
}

function fieldsOf(content: Uint8Array): ReadonlyMap<string, string> {
  const reader = new ContentReader(content);
  const fields = new Map<string, string>();
  while (!reader.isAtEnd) {
    const letter = String.fromCharCode(reader.bytes(1)[0] ?? 0);
    if (letter === '\0') break;
    fields.set(letter, reader.text());
  }
  return fields;
}

interface OutputStyle {
  readonly isAligned: boolean;
  readonly hasHead: boolean;
  readonly isQuiet: boolean;
  readonly separator: string;
}

/** Runs statements and commands of psql, and prints their results. */
class QueryRunner {
  readonly #client: Client;
  readonly #invocation: Invocation;
  readonly #style: OutputStyle;
  readonly #target: Target;

  constructor(client: Client, invocation: Invocation, style: OutputStyle, target: Target) {
    this.#client = client;
    this.#invocation = invocation;
    this.#style = style;
    this.#target = target;
  }

  /** Runs the text of `-c`; false: there was an error. */
  async text(text: string): Promise<boolean> {
    return text.trimStart().startsWith('\\') ? (await this.#meta(text.trim())) !== 'failed' : this.#query(text);
  }

  /** Runs what the input has, with a prompt on a terminal. */
  async input(): Promise<number> {
    const { input, out } = this.#invocation;
    const isTty = input instanceof Tty;
    const { database } = this.#target;
    if (isTty) out(`psql (${postgresVersion})\nType "help" for help.\n\n`);
    let pending = '';
    const prompt = (): void => void (isTty && out(`${database}${pending === '' ? '=' : '-'}# `));
    prompt();
    for await (const line of linesOf(input)) {
      if (pending === '' && line.trimStart().startsWith('\\')) {
        if ((await this.#meta(line.trim())) === 'quit') return 0;
      } else {
        pending += `${line}\n`;
        // A statement ends with a semicolon at the end of a line.
        if (/;\s*$/.test(pending)) {
          await this.#query(pending.trim());
          pending = '';
        } else if (pending.trim() === '') pending = '';
      }
      prompt();
    }
    if (pending.trim() !== '') await this.#query(pending.trim());
    if (isTty) out('\\q\n');
    return 0;
  }

  async #meta(command: string): Promise<'done' | 'failed' | 'quit'> {
    const [name = '', ...args] = command.split(/\s+/);
    const { user, database, isLocal, host, port } = this.#target;
    if (name === '\\q') return 'quit';
    if (name === '\\conninfo') {
      const place = isLocal ? 'via socket in "/var/run/postgresql"' : `on host "${host}"`;
      this.#invocation.out(`You are connected to database "${database}" as user "${user}" ${place} at port "${port}".\n`);
      return 'done';
    }
    const query = metaQuery(name, args[0]);
    if (query === undefined) {
      this.#invocation.err(`invalid command ${name}\nTry \\? for help.\n`);
      return 'failed';
    }
    return (await this.#query(query.sql, query)) ? 'done' : 'failed';
  }

  async #query(sql: string, { title, none, hasCount = true }: Partial<MetaQuery> = {}): Promise<boolean> {
    const { connection, reader } = this.#client;
    const { out, err } = this.#invocation;
    await send(connection.sink, 'Q', new ContentWriter().text(sql));
    let table: QueryTable | undefined;
    let isGood = true;
    for (let message = await reader.next(); message; message = await reader.next()) {
      const content = new ContentReader(message.content);
      switch (message.type) {
        case 'T':
          table = { columns: readColumns(content), rows: [] };
          break;
        case 'D':
          table?.rows.push(readRow(content));
          break;
        case 'C': {
          const tag = content.text();
          if (table && none !== undefined && table.rows.length === 0) err(`${none}\n`);
          else if (table) out(formatTable(table, { ...this.#style, title, hasCount: this.#style.hasHead && hasCount }));
          if ((!table || /^(?:INSERT|UPDATE|DELETE)/.test(tag)) && !this.#style.isQuiet) out(`${tag}\n`);
          table = undefined;
          break;
        }
        case 'N':
          err(`${headOf(fieldsOf(message.content))}\n`);
          break;
        case 'E':
          err(formatError(fieldsOf(message.content), sql));
          isGood = false;
          break;
        case 'Z':
          return isGood;
      }
    }
    err(
      'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n\tbefore or while processing the request.\nconnection to server was lost\n',
    );
    return false;
  }
}

const numericTypes: ReadonlySet<number> = new Set([typeIds.integer, typeIds.bigint, typeIds.numeric, typeIds['double precision']]);

function readColumns(content: ContentReader): QueryTable['columns'] {
  return Array.from({ length: content.int16() }, () => {
    const name = content.text();
    content.bytes(6);
    const isNumeric = numericTypes.has(content.int32());
    content.bytes(8);
    return { name, isNumeric };
  });
}

function readRow(content: ContentReader): readonly (string | null)[] {
  return Array.from({ length: content.int16() }, () => {
    const length = content.int32();
    return length < 0 ? null : new TextDecoder().decode(content.bytes(length));
  });
}

/** The message, and the line of the statement with a mark below the place. */
function formatError(fields: ReadonlyMap<string, string>, sql: string): string {
  const lines = [headOf(fields)];
  const position = Number(fields.get('P') ?? 0);
  if (position > 0) {
    const before = sql.slice(0, position - 1);
    const number = before.split('\n').length;
    const start = before.lastIndexOf('\n') + 1;
    const head = `LINE ${number}: `;
    lines.push(head + (sql.slice(start).split('\n')[0] ?? ''), `${' '.repeat(head.length + before.length - start)}^`);
  }
  if (fields.has('D')) lines.push(`DETAIL:  ${fields.get('D')}`);
  if (fields.has('H')) lines.push(`HINT:  ${fields.get('H')}`);
  return `${lines.join('\n')}\n`;
}
