import { isJsonObject, type JsonObject, StatusError } from '../../../meta/index.ts';
import { pathOf, qualifiedResource } from '../../api/discovery.ts';
import { TableWriter } from '../../printers/table-writer.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { Builder, type Request } from '../../resources/builder.ts';
import type { Info } from '../../resources/info.ts';
import { itemsOf, metadataOf } from '../../resources/info.ts';
import { genericPrinter } from './generic-printer.ts';
import { TablePrinter } from './table-printer.ts';

type Show = (object: JsonObject, event: string) => void;

/** `get -w`: what is there, then every change until it is stopped. */
export async function watchResources(call: Call, request: Request, human: boolean): Promise<number> {
  const { flags } = call;
  const builder = new Builder(call, { ...request, singleType: true, continueOnError: false, whole: true });
  const { infos } = await builder.infos();
  const [info] = infos;
  if (!info?.object || infos.length > 1) {
    throw new KubectlError('watch is only supported on individual resources and resource collections - more than 1 resource was found');
  }
  const show = human ? humanShow(call, info) : await genericShow(call);
  if (!flags.bool('watch-only')) {
    const objects = info.object['kind'] === 'Table' || info.name !== '' ? [info.object] : itemsOf(info.object);
    for (const object of objects) show(object, 'ADDED');
  }
  await follow(call, request, info, show);
  return 0;
}

async function follow(call: Call, request: Request, info: Info, show: Show): Promise<void> {
  const client = await call.api();
  const single = info.name !== '';
  const path = pathOf(info.resource, request.allNamespaces ? '' : info.namespace);
  const fieldSelector = single ? `metadata.name=${info.name}` : request.fieldSelector?.trim();
  const options = {
    query: {
      ...request.query,
      resourceVersion: single ? '0' : String(metadataOf(info.object)['resourceVersion'] ?? ''),
      labelSelector: request.selector?.trim() || undefined,
      fieldSelector: fieldSelector || undefined,
    },
    about: { resource: qualifiedResource(info.resource) },
    ...(request.accept === undefined ? {} : { accept: request.accept }),
  };
  // A watch of one object begins by telling what was just shown.
  let silent = single;
  for await (const { type, object } of client.watch(path, options)) {
    if (type === 'ERROR') throw statusErrorOf(object);
    if (type === 'BOOKMARK') continue;
    if (!silent) show(object, type);
    silent = false;
  }
}

function statusErrorOf(object: JsonObject): StatusError {
  const { code, reason, message } = object as { code?: number; reason?: StatusError['reason']; message?: string };
  return new StatusError(code ?? 500, reason ?? '', message ?? '');
}

function humanShow(call: Call, { resource }: Info): Show {
  const writer = new TableWriter();
  const withEvents = call.flags.bool('output-watch-events');
  const withNamespace = call.flags.bool('all-namespaces') && resource.namespaced;
  const printer = new TablePrinter(call, { resource, withKind: call.flags.bool('show-kind'), withNamespace });
  let columns: JsonObject['columnDefinitions'];
  return (object, event) => {
    // Only the first table of a watch has its columns.
    if (Array.isArray(object['columnDefinitions']) && object['columnDefinitions'].length > 0) columns = object['columnDefinitions'];
    const table = object['kind'] === 'Table' && columns !== undefined ? { ...object, columnDefinitions: columns } : object;
    printer.print(table, writer, withEvents ? event : undefined);
    call.out(writer.flush());
    if (event === 'DELETED') call.out.gone?.(revisionIn(table));
  };
}

/** Of an object, or of the one in a table of one row. */
function revisionIn(object: JsonObject): string {
  const [row] = Array.isArray(object['rows']) ? object['rows'] : [];
  const shown = isJsonObject(row) && isJsonObject(row['object']) ? row['object'] : object;
  return String(metadataOf(shown)['resourceVersion'] ?? '');
}

async function genericShow(call: Call): Promise<Show> {
  const printer = await genericPrinter(call);
  if (!call.flags.bool('output-watch-events')) return (object) => call.out(printer(object));
  return (object, type) => call.out(isJsonObject(object) ? printer({ object, type }) : '');
}
