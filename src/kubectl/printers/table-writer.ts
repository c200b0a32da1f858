/** Column widths as in Go's tabwriter. */
export interface ColumnStyle {
  readonly minimum: number;
  readonly padding: number;
}

/** `kubectl get`, cf. cli-runtime GetNewTabWriter. */
const listStyle: ColumnStyle = { minimum: 6, padding: 3 };

/**
 * Aligns cells in columns as wide as the widest cell. The last cell of a line is not padded. Widths persist between flushes, so that rows
 * added by a watch stay aligned with the header.
 */
export class TableWriter {
  readonly #style: ColumnStyle;
  #widths: number[] = [];
  #lines: (readonly string[])[] = [];
  #needsSeparator = false;

  constructor(style: ColumnStyle = listStyle) {
    this.#style = style;
  }

  add(cells: readonly string[]): void {
    this.#lines.push(cells);
  }

  /** Writes an empty line before the next output. */
  separateNext(): void {
    this.#needsSeparator = true;
  }

  resetWidths(): void {
    this.#widths = [];
  }

  /** Returns the lines added since the last flush. */
  flush(): string {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0) return '';
    const separator = this.#needsSeparator ? '\n' : '';
    this.#needsSeparator = false;
    const { minimum, padding } = this.#style;
    for (const cells of lines) {
      for (const [index, cell] of cells.slice(0, -1).entries()) {
        this.#widths[index] = Math.max(this.#widths[index] ?? minimum, widthOf(cell) + padding);
      }
    }
    const pad = (cell: string, index: number, all: readonly string[]): string =>
      index === all.length - 1 ? cell : cell + ' '.repeat(Math.max(0, (this.#widths[index] ?? 0) - widthOf(cell)));
    return separator + lines.map((cells) => `${cells.map(pad).join('')}\n`).join('');
  }
}

function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : [...text].length;
}

/** Aligns all lines at once. */
export function alignColumns(lines: readonly (readonly string[])[], style: ColumnStyle = listStyle): string {
  const writer = new TableWriter(style);
  for (const line of lines) writer.add(line);
  return writer.flush();
}
