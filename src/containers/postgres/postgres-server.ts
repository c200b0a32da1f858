import { trimEnd } from '../../meta/index.ts';
import type { Invocation } from '../../shell/index.ts';
import { listen, serveForever } from '../agnhost/http-server.ts';
import { SystemError } from '../files/file-error.ts';
import { readText } from '../network/host-names.ts';
import type { Applet } from '../process/applet.ts';
import type { Process } from '../process/process.ts';
import { type BackendServer, serveBackend } from './backend.ts';
import { DataFolder } from './data-folder.ts';
import { type ServerState, SqlEngine } from './execute.ts';
import { version } from './expressions.ts';
import { SqlError } from './sql-error.ts';
import { splitStatements } from './tokens.ts';

const noPassword = `Error: Database is uninitialized and superuser password is not specified.
       You must specify POSTGRES_PASSWORD to a non-empty value for the
       superuser. For example, "-e POSTGRES_PASSWORD=password" on "docker run".

       You may also use "POSTGRES_HOST_AUTH_METHOD=trust" to allow all
       connections without a password. This is *not* recommended.

       See PostgreSQL documentation about "trust":
       https://www.postgresql.org/docs/current/auth-trust.html
`;

const initializing = (folder: string): string => `The files belonging to this database system will be owned by user "postgres".
This user must also own the server process.

The database cluster will be initialized with locale "en_US.utf8".
The default database encoding has accordingly been set to "UTF8".
The default text search configuration will be set to "english".

Data page checksums are disabled.

fixing permissions on existing directory ${folder} ... ok
creating subdirectories ... ok
selecting dynamic shared memory implementation ... posix
selecting default "max_connections" ... 100
selecting default "shared_buffers" ... 128MB
selecting default time zone ... Etc/UTC
creating configuration files ... ok
running bootstrap script ... ok
performing post-bootstrap initialization ... ok
syncing data to disk ... ok


Success. You can now start the database server using:

    pg_ctl -D ${folder} -l logfile start

`;

/** A value of the environment, or the content of the file that `NAME_FILE` names. */
function setting(name: string, process: Process): string {
  const { environment } = process;
  const file = environment.get(`${name}_FILE`);
  return file === undefined ? (environment.get(name) ?? '') : trimEnd(readText(file, process), '\n');
}

/** The entry point of the image `postgres`: creates the data on the first start, then serves. */
export const postgresEntrypoint: Applet = async (invocation, process) => {
  const [command = 'postgres', ...rest] = invocation.args;
  if (command !== 'postgres' && !command.startsWith('-'))
    return invocation.shell.runWords([command, ...rest], invocation.state, invocation);
  const folder = new DataFolder(process);
  const state = stateOf(folder);
  if (folder.isInitialized) invocation.out('\nPostgreSQL Database directory appears to contain a database; Skipping initialization\n\n');
  else {
    const code = createData(folder, state, invocation, process);
    if (code !== 0) return code;
  }
  return serve(folder, state, invocation, process);
};

/** The server without the entry point. */
export const postgres: Applet = (invocation, process) => {
  const folder = new DataFolder(process);
  const state = stateOf(folder);
  if (folder.isInitialized) return serve(folder, state, invocation, process);
  invocation.err(
    `postgres: could not access directory "${folder.path}": No such file or directory\nRun initdb or pg_basebackup to initialize a PostgreSQL data directory.\n`,
  );
  return 2;
};

function stateOf(folder: DataFolder): ServerState {
  const state: ServerState = { databases: new Map(), roles: new Map(), changed: () => folder.save(state) };
  return state;
}

function createData(folder: DataFolder, state: ServerState, { out, err }: Invocation, process: Process): number {
  const password = setting('POSTGRES_PASSWORD', process);
  const user = setting('POSTGRES_USER', process) || 'postgres';
  const database = setting('POSTGRES_DB', process) || user;
  if (password === '' && process.environment.get('POSTGRES_HOST_AUTH_METHOD') !== 'trust') {
    err(noPassword);
    return 1;
  }
  if (folder.names.length > 0) {
    err(
      `initdb: error: directory "${folder.path}" exists but is not empty\ninitdb: hint: If you want to create a new database system, either remove or empty the directory "${folder.path}" or run initdb with an argument other than "${folder.path}".\n`,
    );
    return 1;
  }
  try {
    folder.initialize();
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    err(`initdb: error: could not create directory "${folder.path}": ${error.message}\n`);
    return 1;
  }
  out(initializing(folder.path));
  state.roles.set(user, password);
  for (const name of ['postgres', 'template0', 'template1', database]) state.databases.set(name, new Map());
  if (database !== 'postgres') out('CREATE DATABASE\n\n\n');
  const code = runInitScripts(state, user, database, out, err, process);
  if (code !== 0) return code;
  state.changed();
  out('\nPostgreSQL init process complete; ready for start up.\n\n');
  return 0;
}

const scripts = '/docker-entrypoint-initdb.d';

/** Runs the scripts of SQL in the order of their names; the first error ends the container. */
function runInitScripts(
  state: ServerState,
  user: string,
  database: string,
  out: Invocation['out'],
  err: Invocation['err'],
  process: Process,
): number {
  const { files, env } = process.container;
  const names = files.find(scripts, process.user) ? files.list(scripts, process.user) : [];
  if (names.length === 0) out(`/usr/local/bin/docker-entrypoint.sh: ignoring ${scripts}/*\n`);
  const session = { user, database, nowMs: env.clock.nowMs(), newUuid: () => env.random.uuid() };
  const engine = new SqlEngine(state, session);
  for (const name of names) {
    const path = `${scripts}/${name}`;
    if (!name.endsWith('.sql') || files.find(path, process.user)?.inode.type === 'directory') {
      out(`/usr/local/bin/docker-entrypoint.sh: ignoring ${path}\n`);
      continue;
    }
    out(`/usr/local/bin/docker-entrypoint.sh: running ${path}\n`);
    try {
      for (const statement of splitStatements(new TextDecoder().decode(files.read(path, process.user))))
        out(`${engine.execute(statement).tag}\n`);
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      err(`psql:${path}: ERROR:  ${error.message}\n`);
      return 3;
    }
    out('\n\n');
  }
  return 0;
}

function serve(folder: DataFolder, state: ServerState, { err }: Invocation, process: Process): Promise<number> | number {
  const { env } = process.container;
  const stamp = (): string => `${new Date(env.clock.nowMs()).toISOString().replace('T', ' ').replace('Z', ' UTC')} [${process.pid}]`;
  const log = (level: string, text: string): void => void err(`${stamp()} ${level}:  ${text}\n`);
  log('LOG', `starting ${version}`);
  if (state.roles.size === 0 && !folder.load(state)) {
    log('FATAL', `could not open file "base/data.json": the data directory "${folder.path}" is damaged`);
    return 1;
  }
  const server: BackendServer = { state, process, log, isTrusting: process.environment.get('POSTGRES_HOST_AUTH_METHOD') === 'trust' };
  if (listen(5432, { accept: (connection) => serveBackend(connection, server) }, process) !== undefined) {
    log('LOG', 'could not bind IPv4 address "0.0.0.0": Address already in use');
    log('FATAL', 'could not create any TCP/IP sockets');
    return 1;
  }
  log('LOG', 'listening on IPv4 address "0.0.0.0", port 5432');
  log('LOG', 'listening on IPv6 address "::", port 5432');
  log('LOG', 'listening on Unix socket "/var/run/postgresql/.s.PGSQL.5432"');
  log('LOG', 'database system is ready to accept connections');
  const shutDown = (kind: string) => (): void => {
    log('LOG', `received ${kind} shutdown request`);
    log('LOG', 'shutting down');
    log('LOG', 'database system is shut down');
    process.end({ code: 0 });
  };
  return serveForever(process, {
    TERM: shutDown('smart'),
    INT: shutDown('fast'),
    QUIT: shutDown('immediate'),
    HUP: () => log('LOG', 'received SIGHUP, reloading configuration files'),
  });
}
