import { formatHumanDuration, type Json, type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
import type { FilterableRow } from './row-filter.ts';

export interface GridColumn {
  readonly name: string;
  /** 0 is always shown, the rest on demand (`kubectl get -o wide`). */
  readonly priority: number;
  readonly about: string;
}

/** One object in the grid: the server's cells, and what the keys need of the object itself. */
export interface GridRow extends FilterableRow {
  /** Its uid: one that was deleted and made again is another. */
  readonly key: string;
  readonly namespace: string;
  readonly cells: readonly Json[];
  readonly createdMs: number;
  readonly metadata: JsonObject;
}

export function readColumns(table: JsonObject): readonly GridColumn[] {
  return objectsAt(table, 'columnDefinitions').map((one) => ({
    name: String(one['name']),
    priority: Number(one['priority'] ?? 0),
    about: String(one['description'] ?? ''),
  }));
}

/** A row of the server's Table, with the metadata of its object. */
export function readRow(row: JsonObject): GridRow {
  const metadata = recordAt(recordAt(row, 'object'), 'metadata');
  const cells: readonly Json[] = Array.isArray(row['cells']) ? row['cells'] : [];
  return new TableRow(metadata, cells);
}

/** Of very many only few are shown or looked through: what that takes is found out when it is asked for. */
class TableRow implements GridRow {
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly cells: readonly Json[];
  readonly metadata: JsonObject;
  #createdMs: number | undefined;
  #text: string | undefined;

  constructor(metadata: JsonObject, cells: readonly Json[]) {
    this.name = String(metadata['name'] ?? cells[0] ?? '');
    this.namespace = String(metadata['namespace'] ?? '');
    this.key = String(metadata['uid'] ?? `${this.namespace}/${this.name}`);
    this.cells = cells;
    this.metadata = metadata;
  }

  get createdMs(): number {
    this.#createdMs ??= Date.parse(String(this.metadata['creationTimestamp'] ?? '')) || 0;
    return this.#createdMs;
  }

  get text(): string {
    this.#text ??= `${this.namespace} ${this.cells.join(' ')}`.toLowerCase();
    return this.#text;
  }
}

/** What a cell shows; ages go on while one looks. */
export function cellText(row: GridRow, at: number, column: GridColumn, nowMs: number): string {
  if (column.name === 'Age' && row.createdMs > 0) return formatHumanDuration(nowMs - row.createdMs);
  const cell = row.cells[at];
  return cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** By a column's values: ages by time, what begins with a number by that and before the rest, the rest as text. */
export function compareCells(at: number, column: GridColumn): (a: GridRow, b: GridRow) => number {
  if (column.name === 'Age') return (a, b) => b.createdMs - a.createdMs;
  return (a, b) => {
    const [left, right] = [String(a.cells[at] ?? ''), String(b.cells[at] ?? '')];
    const [first, second] = [numberOf(left), numberOf(right)];
    if (first !== second) return first - second;
    return left < right ? -1 : left > right ? 1 : 0;
  };
}

function numberOf(text: string): number {
  const number = Number.parseFloat(text);
  return Number.isNaN(number) ? Number.MAX_VALUE : number;
}

/** As lists come: by namespace, then by name. */
export function compareNames(a: GridRow, b: GridRow): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
