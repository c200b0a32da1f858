import { formatGoValue, type JsonObject } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { itemsOf } from '../resources/info.ts';
import { JsonPath, relaxedPath } from './jsonpath.ts';
import type { Printer } from './printer.ts';
import { alignColumns } from './table-writer.ts';

interface Column {
  readonly header: string;
  /** A template, which is parsed after the header is printed. */
  readonly path: string;
}

/** `-o custom-columns=NAME:.metadata.name,…` and `-o custom-columns-file=FILE`; undefined for others. @throws KubectlError */
export async function customColumnsPrinter(call: Call, output: string): Promise<Printer | undefined> {
  const given = call.flags.text('template');
  const cut = given === '' ? output.indexOf('=') : -1;
  const format = cut < 0 ? output : output.slice(0, cut);
  if (format !== 'custom-columns' && format !== 'custom-columns-file') return undefined;
  const value = cut < 0 ? given : output.slice(cut + 1);
  if (value === '') throw new KubectlError('custom-columns format specified but no custom columns given');
  const columns = format === 'custom-columns' ? readSpec(value) : await readFile(call, value);
  let headed = call.flags.bool('no-headers');
  return (object) => {
    const header = headed ? [] : [columns.map((column) => column.header)];
    headed = true;
    const items = Array.isArray(object['items']) ? itemsOf(object) : [object];
    const rows = [...header];
    try {
      const paths = columns.map(({ path }) => new JsonPath(path));
      for (const item of items) rows.push(paths.map((path) => formatCell(path, item)));
    } catch (error) {
      // Prints the rows before the failure.
      call.out(alignColumns(rows));
      throw error;
    }
    return alignColumns(rows);
  };
}

function readSpec(spec: string): Column[] {
  return spec.split(',').map((part) => {
    const cut = part.indexOf(':');
    if (cut < 0) throw new KubectlError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    return { header: part.slice(0, cut), path: relaxedPath(part.slice(cut + 1)) };
  });
}

async function readFile(call: Call, name: string): Promise<Column[]> {
  const content = await call.shell.files.read(call.path(name));
  if (!content) throw new KubectlError(`error reading template ${name}, open ${name}: no such file or directory\n`);
  const [headers = [], paths] = new TextDecoder()
    .decode(content)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));
  if (!paths) {
    throw new KubectlError(
      'invalid template, missing spec line. Expected format is one line of space separated headers, one line of space separated column specs.',
    );
  }
  if (headers.length !== paths.length) {
    throw new KubectlError(`number of headers (${headers.length}) and field specifications (${paths.length}) don't match`);
  }
  return headers.map((header, index) => ({ header, path: relaxedPath(paths[index] ?? '') }));
}

function formatCell(path: JsonPath, item: JsonObject): string {
  const [first = [], ...others] = path.results(item);
  return [...(first.length === 0 ? ['<none>'] : []), ...[first, ...others].flat().map(formatGoValue)].join(',');
}
