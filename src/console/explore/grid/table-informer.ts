import { listAndWatch } from '../../../client/index.ts';
import { type ApiResource, resourcePath } from '../../../kubectl/index.ts';
import { type JsonObject, objectsAt } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { errorText } from '../api.ts';
import { SortedRows } from './sorted-rows.ts';
import { compareNames, type GridColumn, type GridRow, readColumns, readRow } from './table-rows.ts';

export interface TableQuery {
  readonly type: ApiResource;
  readonly namespace: string;
  readonly labelSelector: string;
}

/** Display time of a deleted row, struck through. */
const deletedMs = 3_000;
/** Highlight time of a changed row. */
const freshMs = 1_200;
/** Rows of a request; as many as kubectl requests. */
const pageSize = 500;

/** Watches the objects of a type as the server's Table. */
export class TableInformer {
  columns: readonly GridColumn[] = [];
  readonly rows: SortedRows<GridRow> = new SortedRows<GridRow>(compareNames);
  state: 'listing' | 'watching' | 'waiting' = 'listing';
  /** The error of the watch, or empty. */
  failure = '';
  listed = false;
  /** The times of changes and of deletes. */
  readonly #changedAt = new Map<string, number>();
  readonly #deletedAt = new Map<string, number>();
  readonly #model: ConsoleModel;
  readonly #onChange: () => void;
  readonly #life = new AbortController();

  constructor(model: ConsoleModel, { type, namespace, labelSelector }: TableQuery, onChange: () => void) {
    this.#model = model;
    this.#onChange = onChange;
    const accept = `application/json;as=Table;v=v1;g=${model.product.names.metaGroup},application/json`;
    void listAndWatch(
      {
        api: model.internalApi,
        clock: model.env.clock,
        path: resourcePath(type, namespace),
        headers: [['accept', accept]],
        pageSize,
        ...(labelSelector === '' ? {} : { query: { labelSelector } }),
      },
      {
        onListed: (rows, _version, list) => this.#onList(rows, list),
        onPage: (rows, page) => this.#onPage(rows, page),
        onEvent: ({ type: change, object }) => this.#onEvent(change, object),
        onStateChange: (state, cause) => this.#onState(state, cause),
      },
      this.#life.signal,
    );
  }

  close(): void {
    this.#life.abort();
  }

  /** The current mark of a row: deleted, recently changed, or none. */
  rowMark({ key }: GridRow, nowMs: number): 'deleted' | 'fresh' | '' {
    if (this.#deletedAt.has(key)) return 'deleted';
    return nowMs - (this.#changedAt.get(key) ?? 0) < freshMs ? 'fresh' : '';
  }

  /** Shows the rows of a long list as they arrive. */
  #onPage(rows: readonly JsonObject[], page: JsonObject): void {
    this.columns = readColumns(page);
    for (const row of rows) this.rows.put(readRow(row));
    this.#onChange();
  }

  #onList(rows: readonly JsonObject[], list: JsonObject): void {
    this.columns = readColumns(list);
    this.#deletedAt.clear();
    this.rows.replace(rows.map(readRow));
    this.listed = true;
    this.failure = '';
    this.#onChange();
  }

  #onEvent(change: 'ADDED' | 'MODIFIED' | 'DELETED', table: JsonObject): void {
    const now = this.#model.env.clock.nowMs();
    for (const row of objectsAt(table, 'rows').map(readRow)) {
      if (change === 'DELETED') this.#markDeleted(row, now);
      else {
        this.rows.put(row);
        this.#changedAt.set(row.key, now);
      }
    }
    if (this.#changedAt.size > 5_000) for (const [key, at] of this.#changedAt) if (now - at > freshMs) this.#changedAt.delete(key);
    this.#onChange();
  }

  #markDeleted({ key }: GridRow, now: number): void {
    if (this.rows.get(key) === undefined) return;
    this.#deletedAt.set(key, now);
    const { signal } = this.#life;
    void this.#model.env.clock.sleep(deletedMs, signal).then(
      () => {
        if (!this.#deletedAt.delete(key)) return;
        this.rows.delete(key);
        this.#onChange();
      },
      () => undefined,
    );
  }

  #onState(state: TableInformer['state'], cause: unknown): void {
    this.state = state;
    if (state === 'waiting' && cause instanceof Error && 'status' in cause) this.failure = errorText(cause);
    else if (state === 'watching') this.failure = '';
    this.#onChange();
  }
}
