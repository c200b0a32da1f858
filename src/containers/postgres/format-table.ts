export interface QueryTable {
  readonly columns: readonly { readonly name: string; readonly isNumeric: boolean }[];
  readonly rows: (readonly (string | null)[])[];
}

export interface TableStyle {
  readonly isAligned: boolean;
  readonly hasHead: boolean;
  /** Whether the number of rows is below them. */
  readonly hasCount: boolean;
  readonly separator: string;
  readonly title?: string | undefined;
}

/** The rows of a query as psql prints them. */
export function formatTable({ columns, rows }: QueryTable, { isAligned, hasHead, hasCount, separator, title }: TableStyle): string {
  const count = rows.length === 1 ? '(1 row)' : `(${rows.length} rows)`;
  const texts = rows.map((row) => row.map((value) => value ?? ''));
  const names = columns.map(({ name }) => name);
  if (!isAligned) {
    const lines = [...(hasHead ? [names] : []), ...texts].map((row) => `${row.join(separator)}\n`);
    return lines.join('') + (hasCount ? `${count}\n` : '');
  }
  const widths = columns.map(({ name }, at) => Math.max(hasHead ? name.length : 0, ...texts.map((row) => row[at]?.length ?? 0)));
  const center = (text: string, width: number): string => {
    const left = Math.floor((width - text.length) / 2);
    return ' '.repeat(left) + text + ' '.repeat(width - text.length - left);
  };
  const line = (cells: readonly string[]): string => cells.join('|');
  const total = widths.reduce((sum, width) => sum + width + 3, -1);
  const head = [
    ...(title === undefined ? [] : [center(title, total).trimEnd()]),
    line(names.map((name, at) => ` ${center(name, widths[at] ?? 0)} `)),
    widths.map((width) => '-'.repeat(width + 2)).join('+'),
  ];
  const body = texts.map((row) =>
    line(
      row.map((text, at) => {
        const width = widths[at] ?? 0;
        const isLast = at === row.length - 1;
        if (columns[at]?.isNumeric) return ` ${text.padStart(width)}${isLast ? '' : ' '}`;
        return isLast ? ` ${text}` : ` ${text.padEnd(width)} `;
      }),
    ),
  );
  return `${[...(hasHead ? head : []), ...body, ...(hasCount ? [count] : []), ''].join('\n')}\n`;
}
