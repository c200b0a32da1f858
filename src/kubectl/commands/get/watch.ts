import { isJsonObject, type JsonObject } from '../../../meta/index.ts';
import { qualifiedResourceName, resourcePath } from '../../api/discovery.ts';
import { TableWriter } from '../../printers/table-writer.ts';
import type { Call } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { Builder, type ResourceRequest } from '../../resources/builder.ts';
import type { Info } from '../../resources/info.ts';
import { itemsOf, metadataOf } from '../../resources/info.ts';
import { genericPrinter } from './generic-printer.ts';
import { TablePrinter } from './table-printer.ts';

type EventPrinter = (object: JsonObject, event: string) => void;

/** `get -w`: prints the objects, then every change until it is interrupted. */
export async function watchResources(call: Call, request: ResourceRequest, human: boolean): Promise<number> {
  const { flags } = call;
  const builder = new Builder(call, { ...request, singleType: true, continueOnError: false, whole: true });
  const { infos } = await builder.infos();
  const [info] = infos;
  if (!info?.object || infos.length > 1) {
    throw new KubectlError('watch is only supported on individual resources and resource collections - more than 1 resource was found');
  }
  const show = human ? createTableEventPrinter(call, info) : await createGenericEventPrinter(call);
  if (!flags.bool('watch-only')) {
    const objects = info.object['kind'] === 'Table' || info.name !== '' ? [info.object] : itemsOf(info.object);
    for (const object of objects) show(object, 'ADDED');
  }
  await watchInfo(call, request, info, show);
  return 0;
}

async function watchInfo(call: Call, request: ResourceRequest, info: Info, show: EventPrinter): Promise<void> {
  const client = await call.api();
  const single = info.name !== '';
  const path = resourcePath(info.resource, request.allNamespaces ? '' : info.namespace);
  const fieldSelector = single ? `metadata.name=${info.name}` : request.fieldSelector?.trim();
  const options = {
    query: {
      ...request.query,
      resourceVersion: single ? '0' : String(metadataOf(info.object)['resourceVersion'] ?? ''),
      labelSelector: request.selector?.trim() || undefined,
      fieldSelector: fieldSelector || undefined,
    },
    about: { resource: qualifiedResourceName(info.resource) },
    ...(request.accept === undefined ? {} : { accept: request.accept }),
  };
  // The watch of a single object repeats the object that was just printed.
  let skipsFirst = single;
  for await (const { type, object } of client.watch(path, options)) {
    if (type === 'BOOKMARK') continue;
    if (!skipsFirst) show(object, type);
    skipsFirst = false;
  }
}

function createTableEventPrinter(call: Call, { resource }: Info): EventPrinter {
  const writer = new TableWriter();
  const withEvents = call.flags.bool('output-watch-events');
  const withNamespace = call.flags.bool('all-namespaces') && resource.namespaced;
  const printer = new TablePrinter(call, { resource, withKind: call.flags.bool('show-kind'), withNamespace });
  let columns: JsonObject['columnDefinitions'];
  return (object, event) => {
    // Only the first table of a watch has column definitions.
    if (Array.isArray(object['columnDefinitions']) && object['columnDefinitions'].length > 0) columns = object['columnDefinitions'];
    const table = object['kind'] === 'Table' && columns !== undefined ? { ...object, columnDefinitions: columns } : object;
    printer.print(table, writer, withEvents ? event : undefined);
    call.out(writer.flush());
    if (event === 'DELETED') call.out.onDeleted?.(resourceVersionOf(table));
  };
}

/** The resourceVersion of an object, or of the object in a table with one row. */
function resourceVersionOf(object: JsonObject): string {
  const [row] = Array.isArray(object['rows']) ? object['rows'] : [];
  const shown = isJsonObject(row) && isJsonObject(row['object']) ? row['object'] : object;
  return String(metadataOf(shown)['resourceVersion'] ?? '');
}

async function createGenericEventPrinter(call: Call): Promise<EventPrinter> {
  const printer = await genericPrinter(call);
  if (!call.flags.bool('output-watch-events')) return (object) => call.out(printer(object));
  return (object, type) => call.out(isJsonObject(object) ? printer({ object, type }) : '');
}
