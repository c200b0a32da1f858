import { formatGoSyntax, type Json, type JsonObject, objectsAt, sortMembers, withoutManagedFields } from '../../meta/index.ts';
import { formatGroupKind } from '../api/discovery.ts';
import type { Call } from '../program/command.ts';
import { KubectlError, messageOf } from '../program/errors.ts';
import { logLine } from '../program/log-line.ts';
import { itemsOf, metadataOf, nameOf } from '../resources/info.ts';
import { loadYamlPrinter } from '../yaml/read-yaml.ts';
import { indentedJson } from './json.ts';
import { JsonPath } from './jsonpath.ts';

/** Prints objects in the format of `-o`. */
export type Printer = (object: JsonObject) => string;

/** Formats that take the text after the equals sign. */
export const templateFormats = [
  'go-template',
  'go-template-file',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'template',
  'templatefile',
] as const;
/** The formats of a command without tables. */
export const plainFormats: readonly string[] = ['json', 'name', 'yaml', ...templateFormats];

export interface PrinterOptions {
  /** `created`, `labeled`: printed without -o. */
  readonly operation: string;
  /** Objects built by the client are printed in their own member order. */
  readonly typed?: boolean;
}

/** The printer of a command that changes objects: a line with name and operation, or the format of -o. @throws KubectlError */
export async function createPrinter(call: Call, { operation, typed = false }: PrinterOptions): Promise<Printer> {
  const output = outputFormat(call);
  if (output === '') return (object) => formatNameLines(object, operation);
  const printer = await formatPrinter(call, output, typed);
  if (!printer) throw unknownFormatError(output, plainFormats);
  return printer;
}

/** `--template` alone implies go-template. */
export function outputFormat({ flags }: Call): string {
  const output = flags.text('output');
  return output === '' && flags.has('template') && flags.text('template') !== '' ? 'go-template' : output;
}

export function unknownFormatError(output: string, allowed: readonly string[]): KubectlError {
  return new KubectlError(
    `unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: ${[...allowed].sort().join(',')}`,
  );
}

/** The printers common to all commands; undefined for another format. @throws KubectlError */
export async function formatPrinter(call: Call, output: string, typed = false): Promise<Printer | undefined> {
  const { flags } = call;
  const shown =
    flags.has('show-managed-fields') && flags.bool('show-managed-fields') ? (object: JsonObject) => object : removeManagedFields;
  const order = (object: JsonObject): JsonObject => (typed ? shown(object) : (sortMembers(shown(object)) as JsonObject));
  switch (output.toLowerCase()) {
    case 'json':
      return (object) => `${indentedJson(order(object))}\n`;
    case 'yaml': {
      const printYaml = await loadYamlPrinter();
      let count = 0;
      return (object) => (count++ > 0 ? '---\n' : '') + printYaml(shown(object) as Json);
    }
    case 'name':
      return (object) => formatNameLines(object, '');
    default:
      return templatePrinter(call, output);
  }
}

async function templatePrinter(call: Call, output: string): Promise<Printer | undefined> {
  // With --template, the format has no template of its own.
  const given = call.flags.has('template') ? call.flags.text('template') : '';
  const cut = given === '' ? output.indexOf('=') : -1;
  const format = cut < 0 ? output : output.slice(0, cut);
  if (!(templateFormats as readonly string[]).includes(format)) return undefined;
  const template = await loadTemplate(call, format, cut < 0 ? given : output.slice(cut + 1));
  const allowMissing = !call.flags.has('allow-missing-template-keys') || call.flags.bool('allow-missing-template-keys');
  if (!format.startsWith('jsonpath')) {
    const { createTemplate } = await import('./template/execute.ts');
    return createTemplate(template, { allowMissing, onFailure: call.out });
  }
  return jsonPathPrinter(template, { asJson: format === 'jsonpath-as-json', allowMissing });
}

async function loadTemplate(call: Call, format: string, value: string): Promise<string> {
  if (value === '') throw new KubectlError(`template format specified but no template given`);
  if (!format.endsWith('file')) return value;
  const content = await call.shell.files.read(call.path(value));
  if (!content) throw new KubectlError(`error reading --template ${value}, open ${value}: no such file or directory\n`);
  return new TextDecoder().decode(content);
}

function jsonPathPrinter(
  template: string,
  { asJson, allowMissing }: { readonly asJson: boolean; readonly allowMissing: boolean },
): Printer {
  let path: JsonPath;
  try {
    path = new JsonPath(template, allowMissing);
  } catch (error) {
    throw new KubectlError(`error parsing jsonpath ${template}, ${messageOf(error)}`);
  }
  return (object) => {
    try {
      return asJson ? `${indentedJson(sortMembers(path.results(object).flat()))}\n` : path.print(object);
    } catch (error) {
      const tail = `Error executing template: ${messageOf(error)}. Printing more information for debugging the template:\n\ttemplate was:\n\t\t${template}\n\tobject given to jsonpath engine was:\n\t\t${formatGoSyntax(object)}\n\n\n`;
      throw new KubectlError(`error executing jsonpath ${JSON.stringify(template)}: ${tail}`);
    }
  };
}

/** An object or list without managedFields. */
function removeManagedFields(object: JsonObject): JsonObject {
  return Array.isArray(object['items'])
    ? { ...object, items: objectsAt(object, 'items').map(withoutManagedFields) }
    : withoutManagedFields(object);
}

/** `deployment.apps/web scaled`; a line for each item of a list. */
export function formatNameLines(object: JsonObject, operation: string): string {
  if (Array.isArray(object['items']) && String(object['kind']).endsWith('List'))
    return itemsOf(object)
      .map((item) => formatNameLines(item, operation))
      .join('');
  return `${typedName(object)}${operation === '' ? '' : ` ${operation}`}\n`;
}

/** `deployment.apps/web`. */
function typedName(object: JsonObject): string {
  const [, group = ''] = String(object['apiVersion']).split('/').reverse();
  const name = nameOf(object) || (metadataOf(object)['name'] === undefined ? '<unknown>' : '');
  return `${formatGroupKind({ group, kind: String(object['kind']) }).toLowerCase()}/${name}`;
}

/** Appends ` (dry run)` or ` (server dry run)` to an operation. */
export function withDryRun(operation: string, dryRun: DryRun): string {
  return dryRun === 'none' ? operation : `${operation} (${dryRun === 'client' ? '' : 'server '}dry run)`;
}

export type DryRun = 'none' | 'client' | 'server';

/** The values of the commands that run, so that a deprecated one is reported once. */
const parsedDryRuns = new WeakMap<Call['flags'], DryRun>();

/** Parses `--dry-run`, and warns of deprecated values. @throws KubectlError */
export function parseDryRun(call: Call): DryRun {
  const known = parsedDryRuns.get(call.flags);
  if (known !== undefined) return known;
  const value = readDryRun(call);
  parsedDryRuns.set(call.flags, value);
  return value;
}

function readDryRun(call: Call): DryRun {
  const { flags } = call;
  const warn = (place: string, text: string): void => call.err(logLine(call, 'W', place, text));
  const value = flags.text('dry-run');
  if (value === 'none' || value === 'client' || value === 'server') return value;
  if (value === 'unchanged') {
    warn('helpers.go:731', '--dry-run is deprecated and can be replaced with --dry-run=client.');
    return 'client';
  }
  if (value === 'true' || value === 'false') {
    const [place, replacement] = value === 'true' ? ['helpers.go:745', 'client'] : ['helpers.go:748', 'none'];
    warn(place, `--dry-run=${value} is deprecated (boolean value) and can be replaced with --dry-run=${replacement}.`);
    return value === 'true' ? 'client' : 'none';
  }
  throw new KubectlError(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
}
