import type { JsonObject } from '../../../meta/index.ts';
import { bool, type FlagSpecs, int, list, text } from '../../parse/flags.ts';
import { TableWriter } from '../../printers/table-writer.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { collectErrors, isStatus, KubectlError, leafErrors, throwAggregated, throwCollected } from '../../program/errors.ts';
import { fileFlags, outputFlags, selectorFlag } from '../../program/global-flags.ts';
import { Builder, type ResourceRequest } from '../../resources/builder.ts';
import type { Info } from '../../resources/info.ts';
import { itemsOf, metadataOf } from '../../resources/info.ts';
import { genericPrinter } from './generic-printer.ts';
import { getRaw } from './raw.ts';
import { sortObjects, sortTable, withSortFailures } from './sort.ts';
import { TablePrinter } from './table-printer.ts';

const flags: FlagSpecs = {
  ...outputFlags,
  ...fileFlags,
  ...selectorFlag,
  'all-namespaces': bool(false, 'A'),
  'chunk-size': int(500),
  'field-selector': text(),
  'ignore-not-found': bool(),
  'label-columns': list('L'),
  'no-headers': bool(),
  'output-watch-events': bool(),
  raw: text(),
  'server-print': bool(true),
  'show-kind': bool(),
  'show-labels': bool(),
  'sort-by': text(),
  subresource: text(),
  watch: bool(false, 'w'),
  'watch-only': bool(),
};

export const get: Command = { flags, run: runGet };

async function runGet(call: Call): Promise<number> {
  const { flags, words, err } = call;
  if (flags.text('raw') !== '') return getRaw(call);
  if (words.length === 0 && flags.list('filename').length === 0 && flags.text('kustomize') === '') {
    err('You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.\n\n');
    const message =
      'Required resource not specified.\nUse "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).';
    throw usageError(call, message);
  }
  const output = flags.text('output');
  if (flags.bool('show-labels') && output !== '' && output !== 'wide')
    throw new KubectlError(`--show-labels option cannot be used with ${output} printer`);
  if (flags.bool('output-watch-events') && !flags.bool('watch') && !flags.bool('watch-only')) {
    throw new KubectlError('--output-watch-events option can only be used with --watch or --watch-only');
  }
  const human = output === 'wide' || (output === '' && flags.text('template') === '');
  if (flags.bool('watch') || flags.bool('watch-only')) {
    const { watchResources } = await import('./watch.ts');
    return watchResources(call, await buildRequest(call, human), human);
  }
  await withSortFailures(call, () => (human ? printHuman(call) : printGeneric(call)));
  return 0;
}

/** The request of `get`; human-readable output requests a Table of the server. */
export async function buildRequest(call: Call, human: boolean): Promise<ResourceRequest> {
  const { flags, words, product } = call;
  const { name, explicit } = await call.namespace();
  const sorted = flags.text('sort-by') !== '';
  const table = human && flags.bool('server-print');
  const group = product.names.metaGroup;
  return {
    words,
    files: flags.list('filename'),
    kustomize: flags.text('kustomize'),
    recursive: flags.bool('recursive'),
    namespace: name,
    explicit,
    allNamespaces: flags.bool('all-namespaces'),
    selector: flags.text('selector'),
    fieldSelector: flags.text('field-selector'),
    subresource: flags.text('subresource'),
    typeMeansAll: true,
    continueOnError: true,
    latest: true,
    ...(sorted ? {} : { chunkSize: flags.int('chunk-size') }),
    ...(table ? { accept: `application/json;as=Table;v=v1;g=${group},application/json` } : {}),
    ...(table && sorted ? { query: { includeObject: 'Object' } } : {}),
  };
}

/** The errors that --ignore-not-found does not suppress. */
function remainingErrors(error: unknown, { flags }: Call): readonly unknown[] {
  return collectErrors(error, (one) => flags.bool('ignore-not-found') && isStatus(one, 'NotFound'));
}

async function printHuman(call: Call): Promise<void> {
  const { flags, out, err } = call;
  const { infos: found, error } = await new Builder(call, await buildRequest(call, true)).infos();
  const errors = remainingErrors(error, call);
  const by = flags.text('sort-by');
  const infos = by === '' || found.length < 2 ? found : sortObjects(found, by, ({ object }) => object);
  const withKind = new Set(infos.map(({ resource }) => resource)).size > 1 || flags.bool('show-kind');
  let written = '';
  let current: { resource: Info['resource']; printer: TablePrinter } | undefined;
  const writer = new TableWriter();
  for (const info of infos) {
    if (current?.resource !== info.resource) {
      written += writer.flush();
      if (current && !flags.bool('no-headers') && written !== '') writer.separateNext();
      writer.resetWidths();
      const withNamespace = flags.bool('all-namespaces') && info.resource.namespaced;
      current = { resource: info.resource, printer: new TablePrinter(call, { resource: info.resource, withKind, withNamespace }) };
    }
    const table = sortTable(info.object ?? {}, by);
    if (table) current.printer.print(table, writer);
  }
  written += writer.flush();
  out(written);
  if (written === '' && errors.length === 0 && !flags.bool('ignore-not-found')) {
    const { name } = await call.namespace();
    const namespaced = !flags.bool('all-namespaces') && infos.every(({ resource }) => resource.namespaced);
    err(namespaced ? `No resources found in ${name} namespace.\n` : 'No resources found\n');
  }
  throwAggregated(errors);
}

async function printGeneric(call: Call): Promise<void> {
  const { flags, out } = call;
  const builder = new Builder(call, await buildRequest(call, false));
  const { infos, error } = await builder.infos();
  const errors = remainingErrors(error, call);
  if (builder.singleItem) throwCollected(errors);
  const leaves = [...leafErrors(errors)];
  if (infos.length === 0 && flags.bool('ignore-not-found')) return throwCollected(leaves);
  const printer = await genericPrinter(call);
  try {
    out(printer(objectToPrint(call, infos, builder.singleItem)));
  } catch (failure) {
    if (!(failure instanceof KubectlError)) throw failure;
    leaves.push(failure);
  }
  throwCollected(leaves);
}

/** One object, or a list of all. @throws KubectlError when they cannot be sorted */
function objectToPrint({ flags }: Call, infos: readonly Info[], single: boolean): JsonObject {
  const objects = infos.flatMap(({ object }) => (object ? [object] : []));
  const [only] = objects;
  if (single && only && objects.length === 1) return toPlainList(only) ?? only;
  const items = flags.text('sort-by') === '' ? objects : sortObjects(objects, flags.text('sort-by'));
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
}

/** Prints a list that was requested as one object as a plain List. */
function toPlainList(object: JsonObject): JsonObject | undefined {
  if (!Array.isArray(object['items'])) return undefined;
  return {
    apiVersion: 'v1',
    items: itemsOf(object),
    kind: 'List',
    metadata: { resourceVersion: metadataOf(object)['resourceVersion'] ?? '' },
  };
}
