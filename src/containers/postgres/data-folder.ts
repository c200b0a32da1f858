import { SystemError } from '../files/file-error.ts';
import type { Process } from '../process/process.ts';
import type { ServerState } from './execute.ts';
import type { Table } from './tables.ts';
import { postgresMajor } from './version.ts';

/** What the folder has in the file of a database. */
interface SavedServer {
  readonly roles: readonly (readonly [string, string])[];
  readonly databases: readonly (readonly [string, readonly Table[]])[];
}

/** The data of a server, in the folder PGDATA. */
export class DataFolder {
  readonly path: string;
  readonly #process: Process;

  constructor(process: Process) {
    this.#process = process;
    this.path = process.environment.get('PGDATA') ?? '/var/lib/postgresql/data';
  }

  get isInitialized(): boolean {
    const { container, user } = this.#process;
    return (container.files.find(`${this.path}/PG_VERSION`, user)?.size ?? 0) > 0;
  }

  /** The names in the folder; empty when there is none. */
  get names(): readonly string[] {
    const { container, user } = this.#process;
    return container.files.find(this.path, user)?.inode.type === 'directory' ? container.files.list(this.path, user) : [];
  }

  /** Creates the folder and those that a server has. @throws SystemError */
  initialize(): void {
    const { container, user } = this.#process;
    let path = '';
    for (const part of [...this.path.split('/').slice(1), 'base']) {
      path += `/${part}`;
      if (!container.files.find(path, user)) container.files.makeDirectory(path, user, 0o700);
    }
    for (const [name, text] of [
      ['PG_VERSION', `${postgresMajor}\n`],
      ['postgresql.conf', "listen_addresses = '*'\nmax_connections = 100\n"],
      ['pg_hba.conf', 'local   all             all                                     trust\nhost all all all scram-sha-256\n'],
    ] as const)
      container.files.write(`${this.path}/${name}`, text, user, 0o600);
  }

  /** @throws SystemError */
  save({ databases, roles }: ServerState): void {
    const { container, user } = this.#process;
    const saved: SavedServer = { roles: [...roles], databases: [...databases].map(([name, tables]) => [name, [...tables.values()]]) };
    container.files.write(`${this.path}/base/data.json`, JSON.stringify(saved), user, 0o600);
  }

  /** Reads what was saved; false: it cannot be read. */
  load(state: ServerState): boolean {
    const { container, user } = this.#process;
    try {
      const text = new TextDecoder().decode(container.files.read(`${this.path}/base/data.json`, user));
      const { databases, roles } = JSON.parse(text) as SavedServer;
      for (const [name, password] of roles) state.roles.set(name, password);
      for (const [name, tables] of databases) state.databases.set(name, new Map(tables.map((table) => [table.name, table])));
      return true;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof SystemError) return false;
      throw error;
    }
  }
}
