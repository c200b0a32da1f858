import { catalogTable } from './catalog.ts';
import {
  type ColumnType,
  compare,
  convert,
  type Expression,
  evaluate,
  hasAggregate,
  type Scope,
  type SqlSession,
  type SqlValue,
} from './expressions.ts';
import { bindParameters, inferParameters } from './parameters.ts';
import { parseStatement } from './parser.ts';
import { SqlError } from './sql-error.ts';
import type { ColumnDefinition, SelectItem, SelectStatement, Statement, TableName } from './statements.ts';
import { checkRow, type Table } from './tables.ts';
import { splitStatements } from './tokens.ts';
import { postgresVersion } from './version.ts';

export interface ResultColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export interface SqlResult {
  /** `INSERT 0 1`. */
  readonly tag: string;
  /** Undefined: the statement returns no rows. */
  readonly columns?: readonly ResultColumn[];
  readonly rows?: readonly (readonly SqlValue[])[];
  readonly notice?: string;
}

export interface PreparedStatement {
  readonly sql: string;
  /** Undefined: the text is empty. */
  readonly statement: Statement | undefined;
  readonly parameters: readonly ColumnType[];
  /** Undefined: the statement returns no rows. */
  readonly columns: readonly ResultColumn[] | undefined;
}

/** Characters of the prepared statements of a session. */
const maxPrepared = 64 * 1024 * 1024;

/** The databases and roles of a server. */
export interface ServerState {
  readonly databases: Map<string, Map<string, Table>>;
  /** Passwords by the name of the role. */
  readonly roles: Map<string, string>;
  /** Called after each change. */
  changed(): void;
}

/** The database of a session, with what its transaction began with. */
export class SqlEngine {
  readonly #state: ServerState;
  readonly #session: SqlSession;
  #snapshot: Map<string, Table> | undefined;
  #hasFailed = false;
  readonly #prepared = new Map<string, PreparedStatement>();
  /** The tables before a series of messages without BEGIN, which fails as a whole. */
  #seriesSnapshot: Map<string, Table> | undefined;

  constructor(state: ServerState, session: SqlSession) {
    this.#state = state;
    this.#session = session;
  }

  /** `I`: idle, `T`: in a transaction, `E`: in a failed one. */
  get transactionStatus(): 'I' | 'T' | 'E' {
    return this.#snapshot ? (this.#hasFailed ? 'E' : 'T') : 'I';
  }

  /** @throws SqlError */
  execute(sql: string): SqlResult {
    return this.#attempt(() => this.#runStatement(parseStatement(sql)));
  }

  /** Prepares a statement under a name; the one without a name is replaced. @throws SqlError */
  prepare(name: string, sql: string, types: readonly (ColumnType | undefined)[]): void {
    this.#attempt(() => {
      const [text, ...others] = splitStatements(sql);
      if (others.length > 0) throw new SqlError('42601', 'cannot insert multiple commands into a prepared statement');
      if (name === '') this.#prepared.delete(name);
      this.#addPrepared(name, sql, text === undefined ? undefined : parseStatement(text), types);
    });
  }

  /** @throws SqlError when there is none */
  prepared(name: string): PreparedStatement {
    return this.#attempt(() => {
      const prepared = this.#prepared.get(name);
      if (prepared) return prepared;
      throw new SqlError(
        '26000',
        name === '' ? 'unnamed prepared statement does not exist' : `prepared statement "${name}" does not exist`,
      );
    });
  }

  /** Drops a prepared statement, if there is one. */
  deallocate(name: string): void {
    this.#prepared.delete(name);
  }

  /** Runs a prepared statement. @throws SqlError */
  run({ statement, columns }: PreparedStatement, values: readonly SqlValue[]): SqlResult {
    return this.#attempt(() => {
      if (!statement) return { tag: '' };
      if (!this.#snapshot) this.#seriesSnapshot ??= this.#copyTables();
      const result = this.#runStatement(values.length === 0 ? statement : bindParameters(statement, values));
      return columns ? { ...result, columns } : result;
    });
  }

  /** Ends a series of messages. After an error, what it has changed without BEGIN is undone. */
  endSeries(state: 'done' | 'failed'): void {
    const before = this.#seriesSnapshot;
    this.#seriesSnapshot = undefined;
    if (state === 'done') return;
    if (this.#snapshot) this.#hasFailed = true;
    else if (before) {
      this.#state.databases.set(this.#session.database, before);
      this.#state.changed();
    }
  }

  /** An error ends the transaction. */
  #attempt<Result>(run: () => Result): Result {
    try {
      return run();
    } catch (error) {
      if (this.#snapshot) this.#hasFailed = true;
      throw error;
    }
  }

  #runStatement(statement: Statement): SqlResult {
    this.#checkTransaction(statement);
    const result = this.#run(statement);
    if (!this.#snapshot && !/^(?:select|show|accepted|prepare|execute|deallocate)$/.test(statement.kind)) this.#state.changed();
    return result;
  }

  #checkTransaction({ kind }: Statement): void {
    if (this.#hasFailed && kind !== 'rollback' && kind !== 'commit')
      throw new SqlError('25P02', 'current transaction is aborted, commands ignored until end of transaction block');
  }

  #addPrepared(name: string, sql: string, statement: Statement | undefined, types: readonly (ColumnType | undefined)[]): void {
    if (statement) this.#checkTransaction(statement);
    if (this.#prepared.has(name)) throw new SqlError('42P05', `prepared statement "${name}" already exists`);
    const used = [...this.#prepared.values()].reduce((sum, other) => sum + other.sql.length, sql.length);
    if (used > maxPrepared) throw new SqlError('53200', 'out of memory');
    this.#prepared.set(name, { sql, statement, ...this.#analyze(statement, types) });
  }

  /** The types of the parameters and of the result. */
  #analyze(
    statement: Statement | undefined,
    types: readonly (ColumnType | undefined)[],
  ): Pick<PreparedStatement, 'parameters' | 'columns'> {
    if (!statement || statement.kind === 'prepare') return { parameters: [], columns: undefined };
    if (statement.kind === 'show') return { parameters: [], columns: [{ name: statement.name, type: 'text' }] };
    if (statement.kind === 'execute') return { parameters: [], columns: this.prepared(statement.name).columns };
    const target = 'table' in statement ? statement.table : undefined;
    const table = target && this.#table(target);
    const known = (expression: Expression): ColumnType | undefined =>
      expression.kind === 'parameter' || (expression.kind === 'literal' && expression.value === null)
        ? undefined
        : typeOf(expression, table, []);
    const parameters = inferParameters(statement, table, types, known);
    const items = statement.kind === 'select' ? statement.items : 'returning' in statement ? statement.returning : [];
    return { parameters, columns: items.length === 0 ? undefined : columnsOf(expand(items, table), table, parameters) };
  }

  #executePrepared({ name, values }: Extract<Statement, { readonly kind: 'execute' }>): SqlResult {
    const { parameters, statement } = this.prepared(name);
    if (values.length !== parameters.length)
      throw new SqlError('42601', `wrong number of parameters for prepared statement "${name}"`, {
        detail: `Expected ${parameters.length} parameters but got ${values.length}.`,
      });
    const converted = values.map((value, at) => convert(evaluate(value, this.#scope(undefined, [])), parameters[at] ?? 'text'));
    return statement ? this.#runStatement(bindParameters(statement, converted)) : { tag: '' };
  }

  /** Rows are replaced and never changed. */
  #copyTables(): Map<string, Table> {
    return new Map([...this.#tables].map(([name, table]) => [name, { ...table }]));
  }

  get #tables(): Map<string, Table> {
    const tables = this.#state.databases.get(this.#session.database);
    if (!tables) throw new SqlError('3D000', `database "${this.#session.database}" does not exist`);
    return tables;
  }

  #table({ name, at }: TableName): Table {
    const table = this.#tables.get(name) ?? catalogTable(name, this.#state, this.#tables);
    if (!table) throw new SqlError('42P01', `relation "${name}" does not exist`, { at });
    return table;
  }

  #run(statement: Statement): SqlResult {
    switch (statement.kind) {
      case 'select':
        return this.#select(statement);
      case 'insert':
        return this.#insert(statement);
      case 'update':
        return this.#update(statement);
      case 'delete':
        return this.#delete(statement);
      case 'create table':
        return this.#createTable(statement);
      case 'drop table':
        return this.#dropTables(statement);
      case 'truncate':
        this.#table(statement.table).rows = [];
        return { tag: 'TRUNCATE TABLE' };
      case 'add column':
        return this.#addColumn(statement);
      case 'create database':
        if (this.#state.databases.has(statement.name)) throw new SqlError('42P04', `database "${statement.name}" already exists`);
        this.#state.databases.set(statement.name, new Map());
        return { tag: 'CREATE DATABASE' };
      case 'drop database':
        if (!this.#state.databases.delete(statement.name) && !statement.isOptional)
          throw new SqlError('3D000', `database "${statement.name}" does not exist`);
        return { tag: 'DROP DATABASE' };
      case 'create role':
        return this.#createRole(statement);
      case 'begin':
      case 'commit':
      case 'rollback':
        return this.#transaction(statement.kind);
      case 'prepare':
        this.#addPrepared(statement.name, statement.sql, statement.statement, statement.types);
        return { tag: 'PREPARE' };
      case 'execute':
        return this.#executePrepared(statement);
      case 'deallocate':
        return this.#deallocateNamed(statement.name);
      case 'show':
        return this.#show(statement.name);
      case 'accepted':
        return { tag: statement.tag };
      default:
        return statement satisfies never;
    }
  }

  #deallocateNamed(name: string | undefined): SqlResult {
    if (name === undefined) {
      this.#prepared.clear();
      return { tag: 'DEALLOCATE ALL' };
    }
    // One that does not exist is an error here.
    this.prepared(name);
    this.deallocate(name);
    return { tag: 'DEALLOCATE' };
  }

  #createRole({ name, password, tag }: Extract<Statement, { readonly kind: 'create role' }>): SqlResult {
    const { roles } = this.#state;
    if (tag === 'CREATE ROLE' && roles.has(name)) throw new SqlError('42710', `role "${name}" already exists`);
    if (tag === 'ALTER ROLE' && !roles.has(name)) throw new SqlError('42704', `role "${name}" does not exist`);
    roles.set(name, password ?? roles.get(name) ?? '');
    return { tag };
  }

  #transaction(kind: 'begin' | 'commit' | 'rollback'): SqlResult {
    const { databases } = this.#state;
    const snapshot = this.#snapshot;
    const isUndone = kind === 'rollback' || this.#hasFailed;
    if (kind === 'begin') {
      this.#snapshot = this.#copyTables();
      return { tag: 'BEGIN' };
    }
    if (isUndone && snapshot) databases.set(this.#session.database, snapshot);
    this.#snapshot = undefined;
    this.#hasFailed = false;
    return { tag: isUndone ? 'ROLLBACK' : 'COMMIT', ...(snapshot ? {} : { notice: 'WARNING:  there is no transaction in progress' }) };
  }

  #show(name: string): SqlResult {
    const settings: Readonly<Record<string, string>> = {
      server_version: postgresVersion,
      max_connections: '100',
      data_directory: '/var/lib/postgresql/data',
      port: '5432',
      timezone: 'Etc/UTC',
      server_encoding: 'UTF8',
    };
    const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (value === undefined) throw new SqlError('42704', `unrecognized configuration parameter "${name}"`);
    return { tag: 'SHOW', columns: [{ name, type: 'text' }], rows: [[value]] };
  }

  #createTable({ name, isOptional, columns }: Extract<Statement, { readonly kind: 'create table' }>): SqlResult {
    const tag = 'CREATE TABLE';
    if (this.#tables.has(name)) {
      if (isOptional) return { tag, notice: `NOTICE:  relation "${name}" already exists, skipping` };
      throw new SqlError('42P07', `relation "${name}" already exists`);
    }
    const repeated = columns.find((column, at) => columns.findIndex((other) => other.name === column.name) < at);
    if (repeated) throw new SqlError('42701', `column "${repeated.name}" specified more than once`);
    this.#tables.set(name, { name, owner: this.#session.user, columns, rows: [], lastNumber: 0 });
    return { tag };
  }

  #dropTables({ tables, isOptional }: Extract<Statement, { readonly kind: 'drop table' }>): SqlResult {
    let notice: string | undefined;
    for (const { name } of tables) {
      if (this.#tables.delete(name)) continue;
      if (!isOptional) throw new SqlError('42P01', `table "${name}" does not exist`);
      notice = `NOTICE:  table "${name}" does not exist, skipping`;
    }
    return { tag: 'DROP TABLE', ...(notice === undefined ? {} : { notice }) };
  }

  #addColumn({ table: target, column }: Extract<Statement, { readonly kind: 'add column' }>): SqlResult {
    const table = this.#table(target);
    if (table.columns.some(({ name }) => name === column.name))
      throw new SqlError('42701', `column "${column.name}" of relation "${table.name}" already exists`);
    table.columns = [...table.columns, column];
    table.rows = table.rows.map((row) => [...row, this.#fallback(column, table)]);
    return { tag: 'ALTER TABLE' };
  }

  #fallback({ isSerial, fallback, type }: ColumnDefinition, table: Table): SqlValue {
    if (isSerial) return ++table.lastNumber;
    return fallback ? convert(evaluate(fallback, this.#scope(undefined, [])), type) : null;
  }

  #insert({ table: target, columns, rows, returning }: Extract<Statement, { readonly kind: 'insert' }>): SqlResult {
    const table = this.#table(target);
    const places = columns?.map((column) =>
      columnIndex(table, column, `column "${column.name}" of relation "${table.name}" does not exist`),
    );
    const added = rows.map((values) => {
      const indices = places ?? values.map((_, at) => at);
      if (values.length > (places?.length ?? table.columns.length))
        throw new SqlError('42601', 'INSERT has more expressions than target columns');
      if (places && values.length < places.length) throw new SqlError('42601', 'INSERT has more target columns than expressions');
      const row = table.columns.map((column, at): SqlValue => {
        const value = values[indices.indexOf(at)];
        return value === undefined || value === 'default'
          ? this.#fallback(column, table)
          : convert(evaluate(value, this.#scope(undefined, [])), column.type);
      });
      checkRow(table, row, table.rows);
      return row;
    });
    // Rows of one statement may be equal to each other, too.
    const before: (readonly SqlValue[])[] = [];
    for (const row of added) {
      checkRow(table, row, before);
      before.push(row);
    }
    table.rows = [...table.rows, ...added];
    return { tag: `INSERT 0 ${added.length}`, ...this.#returned(returning, table, added) };
  }

  #update({ table: target, values, where, returning }: Extract<Statement, { readonly kind: 'update' }>): SqlResult {
    const table = this.#table(target);
    const places = values.map(([column]) =>
      columnIndex(table, column, `column "${column.name}" of relation "${table.name}" does not exist`),
    );
    const changed: (readonly SqlValue[])[] = [];
    const rows = table.rows.map((row) => {
      const scope = this.#scope(table, row);
      if (where && evaluate(where, scope) !== true) return row;
      const next = [...row];
      for (const [at, [, expression]] of values.entries()) {
        const place = places[at] ?? 0;
        next[place] = convert(evaluate(expression, scope), table.columns[place]?.type ?? 'text');
      }
      changed.push(next);
      return next;
    });
    for (const row of changed) checkRow(table, row, rows);
    table.rows = rows;
    return { tag: `UPDATE ${changed.length}`, ...this.#returned(returning, table, changed) };
  }

  #delete({ table: target, where, returning }: Extract<Statement, { readonly kind: 'delete' }>): SqlResult {
    const table = this.#table(target);
    const isDeleted = (row: readonly SqlValue[]): boolean => !where || evaluate(where, this.#scope(table, row)) === true;
    const removed = new Set(table.rows.filter(isDeleted));
    table.rows = table.rows.filter((row) => !removed.has(row));
    return { tag: `DELETE ${removed.size}`, ...this.#returned(returning, table, [...removed]) };
  }

  #returned(items: readonly SelectItem[], table: Table, rows: readonly (readonly SqlValue[])[]): Pick<SqlResult, 'columns' | 'rows'> {
    if (items.length === 0) return {};
    const expanded = expand(items, table);
    return {
      columns: columnsOf(expanded, table),
      rows: rows.map((row) => expanded.map(({ expression }) => evaluate(expression, this.#scope(table, row)))),
    };
  }

  #select({ items, table: target, where, order, limit, offset, isDistinct }: SelectStatement): SqlResult {
    const table = target && this.#table(target);
    const expanded = expand(items, table);
    const scopes = (table ? table.rows : [[]])
      .map((row) => this.#scope(table, row))
      .filter((scope) => !where || evaluate(where, scope) === true);
    // A name in ORDER BY may be one of the result.
    const ordered = order.map(({ by, isDescending }) => {
      const named = by.kind === 'column' ? expanded.find(({ name }) => name === by.name) : undefined;
      const numbered = by.kind === 'literal' && typeof by.value === 'number' ? expanded[by.value - 1] : undefined;
      return { by: (named ?? numbered)?.expression ?? by, isDescending };
    });
    const sorted = [...scopes].sort((left, right) => {
      for (const { by, isDescending } of ordered) {
        const result = compareNulls(evaluate(by, left), evaluate(by, right));
        if (result !== 0) return isDescending ? -result : result;
      }
      return 0;
    });
    const isAggregated = expanded.some(({ expression }) => hasAggregate(expression));
    const grouped = isAggregated ? [{ ...this.#scope(table, undefined), rows: sorted }] : sorted;
    let rows = grouped.map((scope) => expanded.map(({ expression }) => evaluate(expression, scope)));
    if (isDistinct) rows = [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
    const number = (expression: Expression | undefined): number | undefined =>
      expression ? Number(evaluate(expression, this.#scope(undefined, []))) : undefined;
    const from = number(offset) ?? 0;
    const most = number(limit);
    rows = rows.slice(from, most === undefined ? undefined : from + most);
    return {
      tag: `SELECT ${rows.length}`,
      columns: columnsOf(expanded, table),
      rows,
    };
  }

  /** Without a row, columns may be used in aggregate functions only. */
  #scope(table: Table | undefined, row: readonly SqlValue[] | undefined): Scope {
    return {
      session: this.#session,
      column: (name, at) => {
        const index = table ? columnIndex(table, { name, at }, `column "${name}" does not exist`) : -1;
        if (index < 0) throw new SqlError('42703', `column "${name}" does not exist`, { at });
        if (!row)
          throw new SqlError(
            '42803',
            `column "${table?.name}.${name}" must appear in the GROUP BY clause or be used in an aggregate function`,
            { at },
          );
        return row[index] ?? null;
      },
    };
  }
}

function columnIndex(table: Table, { name, at }: TableName, message: string): number {
  const index = table.columns.findIndex((column) => column.name === name);
  if (index < 0) throw new SqlError('42703', message, { at });
  return index;
}

/** NULL is after everything else. */
const compareNulls = (left: SqlValue, right: SqlValue): number =>
  left === null || right === null ? Number(left === null) - Number(right === null) : compare(left, right);

type NamedExpression = Exclude<SelectItem, '*'>;

function expand(items: readonly SelectItem[], table: Table | undefined): readonly NamedExpression[] {
  return items.flatMap((item): readonly NamedExpression[] => {
    if (item !== '*') return [item];
    if (!table) throw new SqlError('42601', 'SELECT * with no tables specified is not valid');
    return table.columns.map(({ name }) => ({ name, expression: { kind: 'column', name, at: 0 } }));
  });
}

const columnsOf = (
  items: readonly NamedExpression[],
  table: Table | undefined,
  parameters: readonly ColumnType[] = [],
): readonly ResultColumn[] => items.map(({ expression, name }) => ({ name, type: typeOf(expression, table, parameters) }));

function typeOf(expression: Expression, table: Table | undefined, parameters: readonly ColumnType[]): ColumnType {
  switch (expression.kind) {
    case 'literal':
      return typeOfLiteral(expression.value);
    case 'parameter':
      return parameters[expression.number - 1] ?? 'text';
    case 'column':
      return table?.columns.find(({ name }) => name === expression.name)?.type ?? 'text';
    case 'cast':
      return expression.type;
    case 'call':
      return typeOfCall(expression.name, expression.args, table, parameters);
    case 'unary':
      return expression.operator === 'not' ? 'boolean' : typeOf(expression.operand, table, parameters);
    case 'binary':
      return typeOfBinary(expression, table, parameters);
    default:
      return 'boolean';
  }
}

function typeOfBinary(
  { operator, left }: Extract<Expression, { readonly kind: 'binary' }>,
  table: Table | undefined,
  parameters: readonly ColumnType[],
): ColumnType {
  if (/^[-+*/%]$/.test(operator)) return typeOf(left, table, parameters);
  return operator === '||' ? 'text' : 'boolean';
}

function typeOfLiteral(value: SqlValue): ColumnType {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'numeric';
  return typeof value === 'boolean' ? 'boolean' : 'text';
}

/** Functions whose result has one type. */
const typesOfResults: ReadonlyMap<string, ColumnType> = new Map<string, ColumnType>([
  ['count', 'bigint'],
  ['length', 'bigint'],
  ['sum', 'numeric'],
  ['avg', 'numeric'],
  ['abs', 'numeric'],
  ['round', 'numeric'],
  ['now', 'timestamp'],
]);

function typeOfCall(name: string, [first]: readonly Expression[], table: Table | undefined, parameters: readonly ColumnType[]): ColumnType {
  const hasTypeOfFirst = /^(?:min|max|coalesce)$/.test(name) && first !== undefined;
  return hasTypeOfFirst ? typeOf(first, table, parameters) : (typesOfResults.get(name) ?? 'text');
}
