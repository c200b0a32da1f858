import { compareTexts } from '../../meta/index.ts';
import type { ServerState } from './execute.ts';
import type { SqlValue } from './expressions.ts';
import type { ColumnDefinition } from './statements.ts';
import type { Table } from './tables.ts';

const superuser = 'Superuser, Create role, Create DB, Replication, Bypass RLS';

/** The views of the server's catalog that psql reads here; undefined: there is no such view. */
export function catalogTable(name: string, { databases, roles }: ServerState, tables: ReadonlyMap<string, Table>): Table | undefined {
  const [owner = 'postgres'] = roles.keys();
  const sorted = [...tables.values()].sort((a, b) => compareTexts(a.name, b.name));
  switch (name) {
    case 'pg_database': {
      const names = [...databases.keys()].sort();
      return view(
        name,
        ['datname', 'owner', 'encoding', 'provider', 'datcollate', 'datctype'],
        names.map((one) => [one, owner, 'UTF8', 'libc', 'en_US.utf8', 'en_US.utf8']),
      );
    }
    case 'pg_tables':
      return view(
        name,
        ['schemaname', 'tablename', 'tableowner'],
        sorted.map((table) => ['public', table.name, table.owner]),
      );
    case 'pg_roles':
      return view(
        name,
        ['rolname', 'attributes'],
        [...roles.keys()].map((role, at) => [role, at === 0 ? superuser : '']),
      );
    case 'pg_attribute':
      return view(
        name,
        ['relname', 'attname', 'type', 'nullable', 'fallback'],
        sorted.flatMap((table) => table.columns.map((column) => attribute(table.name, column))),
      );
    default:
      return undefined;
  }
}

function attribute(table: string, { name, type, length, isNotNull, isSerial, fallback }: ColumnDefinition): readonly SqlValue[] {
  const shownType = length === undefined ? (type === 'timestamp' ? 'timestamp with time zone' : type) : `${type}(${length})`;
  const literal = fallback?.kind === 'literal' ? String(fallback.value) : fallback?.kind === 'call' ? `${fallback.name}()` : '';
  return [table, name, shownType, isNotNull ? 'not null' : '', isSerial ? `nextval('${table}_${name}_seq'::regclass)` : literal];
}

function view(name: string, columns: readonly string[], rows: (readonly SqlValue[])[]): Table {
  const column = (one: string): ColumnDefinition => ({
    name: one,
    type: 'text',
    length: undefined,
    isNotNull: false,
    isPrimary: false,
    isUnique: false,
    isSerial: false,
    fallback: undefined,
  });
  return { name, owner: '', columns: columns.map(column), rows, lastNumber: 0 };
}
