import { compareTexts, trimEnd } from '../../meta/index.ts';
import { SqlError } from './sql-error.ts';
import { postgresVersion } from './version.ts';

/** A value of a column. */
export type SqlValue = string | number | boolean | null;

export type ColumnType =
  | 'integer'
  | 'bigint'
  | 'numeric'
  | 'double precision'
  | 'text'
  | 'character varying'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'uuid'
  | 'jsonb';

export type Expression =
  | { readonly kind: 'literal'; readonly value: SqlValue }
  | { readonly kind: 'parameter'; readonly number: number; readonly at: number }
  | { readonly kind: 'column'; readonly name: string; readonly at: number }
  | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'in'; readonly operand: Expression; readonly values: readonly Expression[] }
  | { readonly kind: 'null'; readonly operand: Expression }
  | { readonly kind: 'cast'; readonly operand: Expression; readonly type: ColumnType }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[]; readonly isStar: boolean; readonly at: number };

/** Where an expression is evaluated. */
export interface Scope {
  /** @throws SqlError for an unknown column */
  column(name: string, at: number): SqlValue;
  /** The rows of an aggregate function; undefined: there may be none. */
  readonly rows?: readonly Scope[] | undefined;
  readonly session: SqlSession;
}

/** What functions without a table read. */
export interface SqlSession {
  readonly user: string;
  readonly database: string;
  readonly nowMs: number;
  newUuid(): string;
}

export const version: string = `PostgreSQL ${postgresVersion} on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit`;

/** `2026-01-01 00:00:00.123+00`. */
function formatTime(ms: number): string {
  const [day = '', time = ''] = new Date(ms).toISOString().slice(0, -1).split('T');
  return `${day} ${trimEnd(trimEnd(time.slice(8), '0'), '.') === '' ? time.slice(0, 8) : trimEnd(time, '0')}+00`;
}

const aggregates: ReadonlySet<string> = new Set(['count', 'sum', 'min', 'max', 'avg']);

export function hasAggregate(expression: Expression): boolean {
  switch (expression.kind) {
    case 'call':
      return aggregates.has(expression.name) || expression.args.some(hasAggregate);
    case 'unary':
    case 'cast':
    case 'null':
      return hasAggregate(expression.operand);
    case 'binary':
      return hasAggregate(expression.left) || hasAggregate(expression.right);
    case 'in':
      return [expression.operand, ...expression.values].some(hasAggregate);
    default:
      return false;
  }
}

/** @throws SqlError */
export function evaluate(expression: Expression, scope: Scope): SqlValue {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'parameter':
      throw new SqlError('42P02', `there is no parameter $${expression.number}`, { at: expression.at });
    case 'column':
      return scope.column(expression.name, expression.at);
    case 'unary': {
      const value = evaluate(expression.operand, scope);
      if (value === null) return null;
      return expression.operator === '-' ? -Number(value) : value !== true;
    }
    case 'null':
      return evaluate(expression.operand, scope) === null;
    case 'in': {
      const value = evaluate(expression.operand, scope);
      return value === null ? null : expression.values.some((one) => compare(value, evaluate(one, scope)) === 0);
    }
    case 'cast':
      return convert(evaluate(expression.operand, scope), expression.type);
    case 'call':
      return call(expression, scope);
    case 'binary':
      return binary(expression.operator, evaluate(expression.left, scope), evaluate(expression.right, scope));
    default:
      return expression satisfies never;
  }
}

/** Compares by number where both are numbers, else by text. */
export function compare(left: SqlValue, right: SqlValue): number {
  if (typeof left === 'number' || typeof right === 'number') return Number(left) - Number(right);
  return compareTexts(formatValue(left), formatValue(right));
}

function binary(operator: string, left: SqlValue, right: SqlValue): SqlValue {
  if (operator === 'and') return left === false || right === false ? false : left === null || right === null ? null : true;
  if (operator === 'or') return left === true || right === true ? true : left === null || right === null ? null : false;
  if (left === null || right === null) return null;
  switch (operator) {
    case '=':
      return compare(left, right) === 0;
    case '<>':
    case '!=':
      return compare(left, right) !== 0;
    case '<':
      return compare(left, right) < 0;
    case '<=':
      return compare(left, right) <= 0;
    case '>':
      return compare(left, right) > 0;
    case '>=':
      return compare(left, right) >= 0;
    case 'like':
    case 'ilike':
      return matchesLike(formatValue(left), formatValue(right), operator === 'ilike');
    case '||':
      return formatValue(left) + formatValue(right);
    default:
      return arithmetic(operator, Number(left), Number(right));
  }
}

function arithmetic(operator: string, left: number, right: number): number {
  if ((operator === '/' || operator === '%') && right === 0) throw new SqlError('22012', 'division by zero');
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '%':
      return left % right;
    default:
      return Number.isInteger(left) && Number.isInteger(right) ? Math.trunc(left / right) : left / right;
  }
}

/** LIKE without a regular expression: the pattern is given by users. */
function matchesLike(text: string, pattern: string, ignoresCase: boolean): boolean {
  const [value, mask] = ignoresCase ? [text.toLowerCase(), pattern.toLowerCase()] : [text, pattern];
  let [at, maskAt, star, resume] = [0, 0, -1, 0];
  while (at < value.length) {
    const char = mask[maskAt];
    if (char === '%') {
      star = maskAt++;
      resume = at;
    } else if (char === '_' || char === value[at]) {
      at++;
      maskAt++;
    } else if (star >= 0) {
      maskAt = star + 1;
      at = ++resume;
    } else return false;
  }
  return [...mask.slice(maskAt)].every((char) => char === '%');
}

const functions: Readonly<Record<string, (values: readonly SqlValue[], session: SqlSession) => SqlValue>> = {
  now: (_, { nowMs }) => formatTime(nowMs),
  version: () => version,
  current_database: (_, { database }) => database,
  current_user: (_, { user }) => user,
  gen_random_uuid: (_, session) => session.newUuid(),
  lower: ([first = null]) => (first === null ? null : formatValue(first).toLowerCase()),
  upper: ([first = null]) => (first === null ? null : formatValue(first).toUpperCase()),
  length: ([first = null]) => (first === null ? null : formatValue(first).length),
  coalesce: (values) => values.find((value) => value !== null) ?? null,
  abs: ([first = null]) => (first === null ? null : Math.abs(Number(first))),
  round: ([first = null, digits]) => (first === null ? null : Number(Number(first).toFixed(Number(digits ?? 0)))),
  concat: (values) => values.map(formatValue).join(''),
  pg_is_in_recovery: () => false,
};

function call({ name, args, isStar, at }: Extract<Expression, { readonly kind: 'call' }>, scope: Scope): SqlValue {
  if (aggregates.has(name)) return aggregate(name, args[0], isStar, scope);
  const values = args.map((arg) => evaluate(arg, scope));
  const run = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (run) return run(values, scope.session);
  const types = values.map((value) => (typeof value === 'number' ? 'integer' : typeof value === 'boolean' ? 'boolean' : 'unknown'));
  throw new SqlError('42883', `function ${name}(${types.join(', ')}) does not exist`, {
    at,
    hint: 'No function matches the given name and argument types. You might need to add explicit type casts.',
  });
}

function aggregate(name: string, operand: Expression | undefined, isStar: boolean, { rows }: Scope): SqlValue {
  if (!rows) throw new SqlError('42803', 'aggregate functions are not allowed here');
  if (isStar || !operand) return rows.length;
  const values = rows.map((row) => evaluate(operand, row)).filter((value) => value !== null);
  if (name === 'count') return values.length;
  if (values.length === 0) return null;
  const sum = (): number => values.reduce<number>((total, value) => total + Number(value), 0);
  if (name === 'sum') return sum();
  if (name === 'avg') return (sum() / values.length).toFixed(16);
  return values.reduce((best, value) => (compare(value, best) < 0 === (name === 'min') ? value : best));
}

/** The text of a value, as the protocol has it. */
export function formatValue(value: SqlValue): string {
  if (value === null) return '';
  return typeof value === 'boolean' ? (value ? 't' : 'f') : String(value);
}

/** A value as one of a type. @throws SqlError */
export function convert(value: SqlValue, type: ColumnType): SqlValue {
  if (value === null) return null;
  const invalid = (): SqlError => new SqlError('22P02', `invalid input syntax for type ${type}: "${formatValue(value)}"`);
  switch (type) {
    case 'integer':
    case 'bigint': {
      const number = Number(value);
      if (formatValue(value).trim() === '' || !Number.isFinite(number)) throw invalid();
      if (type === 'integer' && Math.abs(number) > 2 ** 31 - 1) throw new SqlError('22003', 'integer out of range');
      return Math.round(number);
    }
    case 'numeric':
    case 'double precision':
      if (formatValue(value).trim() === '' || !Number.isFinite(Number(value))) throw invalid();
      return Number(value);
    case 'boolean': {
      const text = formatValue(value).toLowerCase();
      if (/^(?:t|true|yes|on|1)$/.test(text)) return true;
      if (/^(?:f|false|no|off|0)$/.test(text)) return false;
      throw invalid();
    }
    default:
      return formatValue(value);
  }
}
