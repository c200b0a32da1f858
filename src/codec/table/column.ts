import { formatHumanDuration, type Product } from '../../meta/index.ts';
import { columnDescriptions } from './descriptions.ts';
import { isSet, listAt, numberAt, textAt, valueAt } from './read.ts';

export type Cell = string | number | bigint | boolean | null;

/** Context of a cell beyond its object. */
export interface CellContext {
  /** Milliseconds since 1970; ages are relative to it. */
  readonly nowMs: number;
  readonly product: Product;
}

export type CellOf = (object: unknown, context: CellContext) => Cell;

/** One column of a table: its definition, and its cells. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** `name` for the column with the object's name, `date` etc. for custom columns, else empty. */
  readonly format: string;
  readonly description: string;
  /** 0 is always shown, higher values only in wide output. */
  readonly priority: number;
  readonly cell: CellOf;
}

function column(name: string, type: string, cell: CellOf): Column {
  return { name, type, format: '', description: columnDescriptions[name] ?? '', priority: 0, cell };
}

export function text(name: string, cell: CellOf): Column {
  return column(name, 'string', cell);
}

export function integer(name: string, cell: CellOf): Column {
  return column(name, 'integer', cell);
}

export function boolean(name: string, cell: CellOf): Column {
  return column(name, 'boolean', cell);
}

/** A column for wide output only; the server always returns its cells. */
export function wide(narrow: Column): Column {
  return { ...narrow, priority: 1 };
}

/** The column with the object's name. */
export function nameColumn(narrow: Column): Column {
  return { ...narrow, format: 'name' };
}

export const name: Column = nameColumn(text('Name', field('metadata.name')));
export const age: Column = text('Age', since('metadata.creationTimestamp'));
/** Go's zero time stands for a missing one. */
export const createdAt: Column = column('Created At', 'date', field('metadata.creationTimestamp', '0001-01-01T00:00:00Z'));

/** The text of a field, or `unset`. */
export function field(path: string, unset = ''): CellOf {
  return (object) => textAt(object, path) || unset;
}

/** The number of a field, or zero. */
export function count(path: string): CellOf {
  return (object) => numberAt(object, path);
}

/** The number or text of a field, or `unset`. */
export function either(path: string, unset: Cell): CellOf {
  return (object) => {
    const value = valueAt(object, path);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
      ? value
      : unset;
  };
}

/** The total number of items of lists and maps. */
export function sizeOf(...paths: readonly string[]): CellOf {
  return (object) =>
    paths.reduce((total, path) => {
      const value = valueAt(object, path);
      if (Array.isArray(value)) return total + value.length;
      return total + (isSet(value) && typeof value === 'object' ? Object.keys(value as object).length : 0);
    }, 0);
}

/** One field of every item, joined by commas. */
export function joinField(path: string, item?: string, unset = ''): CellOf {
  return (object) =>
    listAt(object, path)
      .map((each) => (item === undefined ? String(each) : textAt(each, item)))
      .join(',') || unset;
}

/** The age of the time in a field, or `unset`. */
export function since(path: string, unset = '<unknown>'): CellOf {
  return (object, { nowMs }) => ageOf(textAt(object, path), nowMs, unset);
}

export function ageOf(time: string, nowMs: number, unset = '<unknown>'): string {
  return time === '' ? unset : formatHumanDuration(nowMs - Date.parse(time));
}

/** The first `max` items, and the number of further ones: `a,b,c + 2 more...`. */
export function truncateList(items: readonly string[], max: number, separator = ','): string {
  const shown = items.slice(0, max).join(separator);
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown;
}
