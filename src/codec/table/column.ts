import { formatHumanDuration, type Product } from '../../meta/index.ts';
import type { metav1 } from '../../schema/api/index.ts';
import type { Decoded, ValidatedKinds } from '../../schema/index.ts';

export type Cell = string | number | bigint | boolean | null;

/** Context of a cell beyond its object. */
export interface CellContext {
  /** Milliseconds since 1970; ages are relative to it. */
  readonly nowMs: number;
  readonly product: Product;
}

/** The value of a cell; undefined for Go's zero value of the column's type. */
export type CellOf<T, Value extends Cell> = (object: T, context: CellContext) => Value | undefined;

/** One column of a table: its definition, and its cells. `T` is the decoded object of a row. */
export interface Column<T = unknown> {
  readonly name: string;
  readonly type: string;
  /** `name` for the column with the object's name, `date` etc. for custom columns, else empty. */
  readonly format: string;
  /** Absent for columns of built-in kinds, whose descriptions are loaded on demand. */
  readonly description?: string;
  /** 0 is always shown, higher values only in wide output. */
  readonly priority: number;
  /** Declared as a method, so that a column of one kind is an entry of a table of all kinds. */
  cell(object: T, context: CellContext): Cell;
}

/** `core.Pod` → `Pod`. Events have the columns of core events, in whose version they are stored. */
type KindOf<Type> = Type extends 'events.Event' ? never : Type extends `${string}.${infer Kind}` ? Kind : never;

type TypedColumns = { readonly [Type in keyof ValidatedKinds as KindOf<Type>]?: readonly Column<Decoded<ValidatedKinds[Type]>>[] };

/** Columns by kind. The columns of kinds outside of the table of types declare what they read. */
export type KindColumns = TypedColumns & { readonly [kind in UntypedKinds]?: readonly Column[] };

type UntypedKinds =
  | 'ClusterTrustBundle'
  | 'ComponentStatus'
  | 'NodeMetrics'
  | 'PodCertificateRequest'
  | 'PodMetrics'
  | 'Scale'
  | 'StorageVersionMigration';

/** What columns of all kinds read. */
export type NamedObject = Decoded<{ metadata: metav1.ObjectMeta }>;

function column<T, Value extends Cell>(name: string, type: string, cell: CellOf<T, Value>, zero: Value): Column<T> {
  return { name, type, format: '', priority: 0, cell: (object, context) => cell(object, context) ?? zero };
}

export function text<T>(name: string, cell: CellOf<T, string | number | bigint | boolean>): Column<T> {
  return column(name, 'string', cell, '');
}

export function integer<T>(name: string, cell: CellOf<T, number>): Column<T> {
  return column(name, 'integer', cell, 0);
}

export function boolean<T>(name: string, cell: CellOf<T, boolean | string>): Column<T> {
  return column(name, 'boolean', cell, false);
}

/** A column for wide output only; the server always returns its cells. */
export function wide<T>(narrow: Column<T>): Column<T> {
  return { ...narrow, priority: 1 };
}

/** The column with the object's name. */
export function nameColumn<T>(narrow: Column<T>): Column<T> {
  return { ...narrow, format: 'name' };
}

export const name: Column<NamedObject> = nameColumn(text('Name', ({ metadata }: NamedObject) => metadata?.name));
export const age: Column<NamedObject> = text('Age', ({ metadata }: NamedObject, { nowMs }) => ageOf(metadata?.creationTimestamp, nowMs));
/** Go's zero time stands for a missing one. */
export const createdAt: Column<NamedObject> = {
  ...text('Created At', ({ metadata }: NamedObject) => metadata?.creationTimestamp || '0001-01-01T00:00:00Z'),
  type: 'date',
};

/** The total number of items of lists and maps. */
export function sizeOf(...collections: readonly (object | null | undefined)[]): number {
  return collections.reduce((total: number, each) => total + Object.keys(each ?? {}).length, 0);
}

/** The names of a list's items, joined by commas. */
export function namesOf(items: readonly { readonly name?: string | undefined }[] | null | undefined): string {
  return (items ?? []).map(({ name }) => name ?? '').join();
}

/** The images of containers, joined by commas. */
export function imagesOf(containers: readonly { readonly image?: string | undefined }[] | null | undefined): string {
  return (containers ?? []).map(({ image }) => image ?? '').join();
}

export function ageOf(time: string | null | undefined, nowMs: number, unset = '<unknown>'): string {
  return time ? formatHumanDuration(nowMs - Date.parse(time)) : unset;
}

/** The first `max` items, and the number of further ones: `a,b,c + 2 more...`. */
export function truncateList(items: readonly string[], max: number, separator = ','): string {
  const shown = items.slice(0, max).join(separator);
  return items.length > max ? `${shown} + ${items.length - max} more...` : shown;
}

interface Condition {
  readonly type?: string | undefined;
  readonly status?: string | undefined;
}

/** The first condition of this type. */
export function conditionOf<T extends Condition>(conditions: readonly T[] | undefined, type: string): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function hasTrueCondition(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
