import { formatHumanDuration, type Json, type JsonObject, recordAt } from '../../../meta/index.ts';
import type { metav1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { FilterableRow } from './row-filter.ts';

type Metadata = Decoded<metav1.ObjectMeta>;

export interface GridColumn {
  readonly name: string;
  /** 0 is always shown, others on demand (`kubectl get -o wide`). */
  readonly priority: number;
  readonly about: string;
}

/** A grid row: the cells of the Table and the object data that the shortcuts need. */
export interface GridRow extends FilterableRow {
  /** The uid. A recreated object has a different one. */
  readonly key: string;
  readonly namespace: string;
  readonly cells: readonly Json[];
  readonly createdMs: number;
  readonly metadata: JsonObject;
}

export function readColumns({ columnDefinitions }: Decoded<metav1.Table>): readonly GridColumn[] {
  return (columnDefinitions ?? []).map(({ name = '', priority = 0, description = '' }) => ({ name, priority, about: description }));
}

/** Parses a Table row with the metadata of its object. */
export function readRow({ cells, object }: Decoded<metav1.TableRow>): GridRow {
  return new TableRow(recordAt(object ?? {}, 'metadata'), cells ?? []);
}

/** Computes values lazily, since only a few of many rows are shown or filtered. */
class TableRow implements GridRow {
  readonly key: string;
  readonly name: string;
  readonly namespace: string;
  readonly cells: readonly Json[];
  readonly metadata: Metadata;
  #createdMs: number | undefined;
  #text: string | undefined;

  constructor(metadata: Metadata, cells: readonly Json[]) {
    this.name = metadata.name ?? String(cells[0] ?? '');
    this.namespace = metadata.namespace ?? '';
    this.key = metadata.uid ?? `${this.namespace}/${this.name}`;
    this.cells = cells;
    this.metadata = metadata;
  }

  get createdMs(): number {
    this.#createdMs ??= Date.parse(this.metadata.creationTimestamp ?? '') || 0;
    return this.#createdMs;
  }

  get text(): string {
    this.#text ??= `${this.namespace} ${this.cells.join(' ')}`.toLowerCase();
    return this.#text;
  }
}

/** The text of a cell. Ages are updated continuously. */
export function cellText(row: GridRow, at: number, column: GridColumn, nowMs: number): string {
  if (column.name === 'Age' && row.createdMs > 0) return formatHumanDuration(nowMs - row.createdMs);
  const cell = row.cells[at];
  return cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

/** Compares the values of a column: ages by time, values with a leading number by it and first, others as text. */
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

/** Compares by namespace, then by name, like a list. */
export function compareNames(a: GridRow, b: GridRow): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
