import { formatGoValue, type JsonObject } from '../../meta/index.ts';
import type { Call } from '../program/command.ts';
import { KubectlError } from '../program/errors.ts';
import { itemsOf } from '../resources/info.ts';
import { JsonPath, relaxedPath } from './jsonpath.ts';
import type { Printer } from './printer.ts';
import { alignColumns } from './table-writer.ts';

interface Column {
  readonly header: string;
  readonly path: JsonPath;
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
      for (const item of items) rows.push(columns.map(({ path }) => formatCell(path, item)));
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
    return { header: part.slice(0, cut), path: parsePath(part.slice(cut + 1)) };
  });
}

function parsePath(text: string): JsonPath {
  return new JsonPath(relaxedPath(text));
}

async function readFile(call: Call, name: string): Promise<Column[]> {
  const content = await call.shell.files.read(call.path(name));
  if (!content) throw new KubectlError(`error reading template ${name}, open ${name}: no such file or directory\n`);
  const [headers = [], paths = []] = new TextDecoder()
    .decode(content)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));
  if (headers.length !== paths.length) {
    throw new KubectlError(`number of headers (${headers.length}) and field specifications (${paths.length}) don't match`);
  }
  return headers.map((header, index) => ({ header, path: parsePath(paths[index] ?? '') }));
}

function formatCell(path: JsonPath, item: JsonObject): string {
  const found = path.results(item)[0] ?? [];
  return found.length === 0 ? '<none>' : found.map(formatGoValue).join(',');
}
