import { formatValue, type SqlValue } from './expressions.ts';
import { SqlError } from './sql-error.ts';
import type { ColumnDefinition } from './statements.ts';

/** A table; rows have the values of its columns by their index. */
export interface Table {
  readonly name: string;
  readonly owner: string;
  columns: readonly ColumnDefinition[];
  rows: (readonly SqlValue[])[];
  /** The last number of its serial columns. */
  lastNumber: number;
}

/** A row as the message of an error shows it. */
const shown = (row: readonly SqlValue[]): string => row.map((value) => (value === null ? 'null' : formatValue(value))).join(', ');

/** Checks a row against the constraints of a table and other rows, among which it may be itself. @throws SqlError */
export function checkRow(table: Table, row: readonly SqlValue[], rows: readonly (readonly SqlValue[])[]): void {
  const { name, columns } = table;
  for (const [at, column] of columns.entries()) {
    const value = row[at] ?? null;
    if (column.isNotNull && value === null)
      throw new SqlError('23502', `null value in column "${column.name}" of relation "${name}" violates not-null constraint`, {
        detail: `Failing row contains (${shown(row)}).`,
      });
    if (column.length !== undefined && typeof value === 'string' && value.length > column.length)
      throw new SqlError('22001', `value too long for type character varying(${column.length})`);
    if (column.isUnique && value !== null && rows.some((other) => other !== row && other[at] === value))
      throw duplicate(`${name}_${column.name}_key`, [column], row, table);
  }
  const primary = columns.filter(({ isPrimary }) => isPrimary);
  const indices = primary.map((column) => columns.indexOf(column));
  if (primary.length > 0 && rows.some((other) => other !== row && indices.every((at) => other[at] === row[at])))
    throw duplicate(`${name}_pkey`, primary, row, table);
}

function duplicate(constraint: string, columns: readonly ColumnDefinition[], row: readonly SqlValue[], table: Table): SqlError {
  const names = columns.map(({ name }) => name).join(', ');
  const values = shown(columns.map((column) => row[table.columns.indexOf(column)] ?? null));
  return new SqlError('23505', `duplicate key value violates unique constraint "${constraint}"`, {
    detail: `Key (${names})=(${values}) already exists.`,
  });
}
