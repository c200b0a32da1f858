import { formatGoValue, formatHumanDuration, type Json, type JsonObject, objectsAt } from '../../../meta/index.ts';
import type { metav1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { type ApiResource, formatGroupKind } from '../../api/discovery.ts';
import type { TableWriter } from '../../printers/table-writer.ts';
import type { Call } from '../../program/command.ts';
import { metadataOf, nameOf } from '../../resources/info.ts';

export interface TablePrinterOptions {
  readonly resource: ApiResource;
  /** Names as `pod/web`. */
  readonly withKind: boolean;
  readonly withNamespace: boolean;
}

type Column = Decoded<metav1.TableColumnDefinition>;

/** The length of the longest event, MODIFIED: aligns later lines with the first. */
const eventWidth = 8;

/** Prints tables of the server, with the columns that flags add. */
export class TablePrinter {
  readonly #call: Call;
  readonly #options: TablePrinterOptions;
  /** The columns of the last header. */
  #header: string | undefined;

  constructor(call: Call, options: TablePrinterOptions) {
    this.#call = call;
    this.#options = options;
  }

  /** `event` is printed as the first column (`--output-watch-events`). */
  print(object: JsonObject, writer: TableWriter, event?: string): void {
    const table: Decoded<metav1.Table> = object['kind'] === 'Table' ? object : createTable(object, this.#call.shell.clock.nowMs());
    const columns = table.columnDefinitions ?? [];
    const shown = columns.map(({ priority = 0 }) => this.#call.flags.text('output') === 'wide' || priority === 0);
    const rows = table.rows ?? [];
    if (rows.length === 0) return;
    const header = JSON.stringify(columns);
    if (this.#header !== header && !this.#call.flags.bool('no-headers')) {
      writer.add(
        this.#columnNames(
          columns.filter((_, index) => shown[index]),
          event !== undefined,
        ),
      );
    }
    this.#header = header;
    for (const row of rows) writer.add(this.#row(row, columns, shown, event));
  }

  #columnNames(columns: readonly Column[], withEvent: boolean): string[] {
    const { flags } = this.#call;
    return [
      ...(withEvent ? ['EVENT'.padEnd(eventWidth)] : []),
      ...(this.#options.withNamespace ? ['NAMESPACE'] : []),
      ...columns.map(({ name = '' }) => name.toUpperCase()),
      ...flags.list('label-columns').map((label) => (label.split('/').at(-1) ?? '').toUpperCase()),
      ...(flags.bool('show-labels') ? ['LABELS'] : []),
    ];
  }

  #row(row: Decoded<metav1.TableRow>, columns: readonly Column[], shown: readonly boolean[], event: string | undefined): string[] {
    const { flags } = this.#call;
    const { metadata }: Decoded<metav1.PartialObjectMetadata> = row.object ?? {};
    const { labels = {}, namespace = '' } = metadata ?? {};
    const cells = row.cells ?? [];
    const all = Object.keys(labels)
      .sort()
      .map((label) => `${label}=${labels[label]}`);
    const added = [
      ...flags.list('label-columns').map((label) => (Object.hasOwn(labels, label) ? (labels[label] ?? '') : '')),
      ...(flags.bool('show-labels') ? [all.join(',') || '<none>'] : []),
    ];
    // Cells without a column, as those of IPAddresses, take the place of the labels. Cf. cli-runtime printRows.
    const printed = [...cells, ...added].slice(0, columns.length + added.length);
    return [
      ...(event === undefined ? [] : [event.padEnd(eventWidth)]),
      ...(this.#options.withNamespace ? [namespace] : []),
      ...printed.flatMap((cell, index) => (shown[index] !== false ? [this.#cell(cell, columns[index])] : [])),
    ];
  }

  #cell(cell: Json, column: Column | undefined): string {
    const text = cell === null ? '' : firstLine(formatGoValue(cell));
    if (!this.#options.withKind || column?.format !== 'name') return text;
    return `${formatGroupKind(this.#options.resource).toLowerCase()}/${text}`;
  }
}

/** Cuts a cell at its first line break. */
function firstLine(text: string): string {
  const end = text.search(/[\f\n\r]/);
  return end < 0 ? text : `${text.slice(0, end)}...`;
}

/** The columns of `--server-print=false`: name and age. */
function createTable(object: JsonObject, nowMs: number): JsonObject {
  const items = Array.isArray(object['items']) ? objectsAt(object, 'items') : [object];
  const age = (item: JsonObject): string => {
    const created = Date.parse(String(metadataOf(item)['creationTimestamp'] ?? ''));
    return Number.isNaN(created) ? '<unknown>' : formatHumanDuration(nowMs - created);
  };
  return {
    kind: 'Table',
    columnDefinitions: [
      { name: 'Name', format: 'name', priority: 0 },
      { name: 'Age', priority: 0 },
    ],
    rows: items.map((item) => ({ cells: [nameOf(item), age(item)], object: item })),
  };
}
