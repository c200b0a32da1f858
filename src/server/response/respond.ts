import {
  type Conversion,
  type IncludeObject,
  type ItemList,
  negotiate,
  type Pause,
  parseIncludeObject,
  printYaml,
  printYamlList,
  type TableRequest,
  tableOf,
  writeCbor,
  writeCborList,
} from '../../codec/index.ts';
import { createPace } from '../../env/index.ts';
import {
  type ApiObject,
  type ApiRequest,
  type ApiResponse,
  badRequest,
  concatBytes,
  invalid,
  type Json,
  type JsonObject,
  prettyJson,
  type ResponseBody,
  type Status,
  StatusError,
  stringifyJson,
  toStatus,
} from '../../meta/index.ts';
import type { ListResult, StoredObject } from '../../registry/index.ts';
import { formatGroupVersion, type Resource, type Schema } from '../../schema/index.ts';
import { cborType } from '../body/body.ts';
import { byteChunks, jsonChunks, type ListJson, largeBody, wholeJson } from '../body/body-chunks.ts';
import { type Answer, type RequestContext, requireClient } from '../request-context.ts';

export type Header = readonly [name: string, value: string];

/** Media types that support tables. */
export const tableTypes: ReadonlySet<string> = new Set(['application/json', 'application/yaml']);

/** Header of every API response. */
export const uncached: Header = ['cache-control', 'no-cache, private'];

/** Interactive clients get indented JSON by default. */
const interactiveAgents = /^(?:curl|Wget|Mozilla\/5\.0)/;

export function isPretty(request: ApiRequest, query: URLSearchParams): boolean {
  const value = query.get('pretty');
  if (value !== null && value !== '') return /^(?:1|t|T|true|TRUE|True)$/.test(value);
  return interactiveAgents.test(request.headers.get('user-agent') ?? '');
}

/** Encodes a result in the negotiated media type. Large lists may be streamed. */
export function respond(context: RequestContext, answer: Answer): ApiResponse | Promise<ApiResponse> {
  if (answer.form === 'response') return answer.response;
  if (answer.form === 'object' && isStatus(answer.object)) context.audit.logResponseStatus(answer.object);
  else context.audit.logResponseObject(() => jsonValue(context, answer) as JsonObject);
  const status = answer.form === 'object' ? answer.status : 200;
  const { mediaType } = context.accept;
  const headers: Header[] = [uncached, ['content-type', mediaType]];
  if (context.request.method === 'HEAD') return { status, headers, body: undefined };
  if (answer.form === 'list' && lengthOf(answer.listed) >= largeBody) {
    const encoded = context.request.acceptsChunks ? encodeInChunks(context, answer) : encodeLarge(context, answer);
    return encoded.then((body) => ({ status, headers, body }));
  }
  return { status, headers, body: encode(context, answer) };
}

/** Approximate length of a list's text, in UTF-16 code units. */
function lengthOf({ items }: ListResult): number {
  return items.reduce((length, { entry }) => length + entry.value.length, 0);
}

/** JSON is encoded while it is sent. Other formats are encoded first, within a memory budget. @throws StatusError */
async function encodeInChunks(context: RequestContext, answer: ListAnswer): Promise<ResponseBody> {
  requireClient(context);
  if (context.accept.mediaType === 'application/json')
    return jsonChunks(listJson(context, answer), isIndented(context), createPace(context.server.env.clock));
  const release = await context.server.largeAnswers.acquire(lengthOf(answer.listed), context.request.signal);
  try {
    return byteChunks(await encodeBytes(context, answer), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Encodes a large list whole, for hosts without streaming. */
async function encodeLarge(context: RequestContext, answer: ListAnswer): Promise<string | Uint8Array> {
  if (context.accept.mediaType !== 'application/json') return encodeBytes(context, answer);
  const pieces: string[] = [];
  for await (const piece of jsonChunks(listJson(context, answer), isIndented(context), pauseOf(context))) pieces.push(piece);
  return pieces.join('');
}

/** Encodes a list in a format other than JSON, as `encode` does, but yields between items. @throws StatusError */
async function encodeBytes(context: RequestContext, answer: ListAnswer): Promise<Uint8Array> {
  const { accept, server } = context;
  const list = itemList(context, answer);
  const pause = pauseOf(context);
  if (accept.mediaType === 'application/yaml') return concatBytes(await printYamlList(list, pause));
  if (accept.mediaType === cborType) return concatBytes(await writeCborList(list, shapeOf(context, answer), pause));
  return concatBytes(await server.protobuf.encodeList(list, pause));
}

/** Yields, then checks that the client is still connected. @throws StatusError when it is not */
function pauseOf(context: RequestContext): Pause {
  const pace = createPace(context.server.env.clock);
  return () => pace()?.then(() => requireClient(context));
}

function itemList(context: RequestContext, answer: ListAnswer): ItemList {
  const { convert } = context.accept;
  const { items } = answer.listed;
  const empty = jsonValue(context, { ...answer, listed: { ...answer.listed, items: [] } }) as JsonObject;
  const member = convert?.kind === 'Table' ? 'rows' : 'items';
  return { frame: { ...empty, [member]: [] }, member, count: items.length, items: itemValues(context, items, convert) };
}

function* itemValues(context: RequestContext, items: readonly StoredObject[], convert: Conversion | undefined): Generator<Json> {
  if (!convert) for (const stored of items) yield itemOf(context, stored) as Json;
  else {
    const apiVersion = `${convert.group}/${convert.version}`;
    if (convert.kind === 'Table') for (const batch of batchesOf(items)) yield* rowsOf(context, batch, apiVersion) as readonly Json[];
    else for (const { object } of items) yield partialObjectMetadata(context, object, apiVersion) as Json;
  }
}

function* batchesOf(items: readonly StoredObject[]): Generator<readonly StoredObject[]> {
  for (let at = 0; at < items.length; at += tableBatch) yield items.slice(at, at + tableBatch);
}

function isStatus(object: ApiObject | Status): object is Status {
  return object.kind === 'Status' && object.apiVersion === 'v1';
}

type Encodable = Exclude<Answer, { readonly form: 'response' }>;
type ListAnswer = Extract<Answer, { readonly form: 'list' }>;

function encode(context: RequestContext, answer: Encodable): string | Uint8Array {
  const { mediaType } = context.accept;
  if (mediaType === 'application/json') {
    const text = jsonText(context, answer);
    return isIndented(context) ? prettyJson(text) : `${text}\n`;
  }
  if (mediaType === 'application/yaml') return printYaml(jsonValue(context, answer) as Json);
  if (mediaType === cborType) return writeCbor(jsonValue(context, answer), shapeOf(context, answer));
  return context.server.protobuf.encode(jsonValue(context, answer) as JsonObject);
}

function isIndented({ accept, request, info }: RequestContext): boolean {
  return accept.pretty || isPretty(request, info.query);
}

/** The schema of the response, where it may hold bytes: for objects of the request's kind only. */
function shapeOf({ accept, resource, kind }: RequestContext, answer: Encodable): Schema | undefined {
  if (accept.convert) return undefined;
  if (answer.form === 'object') return answer.object.kind === resource.kind ? kind.schema : undefined;
  return { form: 'map', topology: 'granular', values: { form: 'list', items: kind.schema, topology: 'atomic', keys: [], wrapped: false } };
}

/** The JSON of a response, from stored texts where possible. */
function jsonText(context: RequestContext, answer: Encodable): string {
  const { convert } = context.accept;
  if (answer.form === 'list') return wholeJson(listJson(context, answer));
  if (convert) return stringifyJson(convertAnswer(context, answer, convert));
  return answer.stored && inStorageVersion(context.resource) ? answer.stored.text : stringifyJson(answer.object);
}

function jsonValue(context: RequestContext, answer: Encodable): unknown {
  const { convert } = context.accept;
  if (convert) return convertAnswer(context, answer, convert);
  if (answer.form === 'object') return answer.object;
  if (context.resource.custom) return customList(context, answer.listed, answer.kind);
  return {
    kind: answer.kind,
    apiVersion: formatGroupVersion(context.resource),
    metadata: listMeta(context, answer.listed),
    items: answer.listed.items.map((stored) => itemOf(context, stored)),
  };
}

/** Items of built-in kinds come without kind and apiVersion. */
function itemOf(context: RequestContext, stored: StoredObject): JsonObject {
  const object = shownObject(context, stored);
  if (context.resource.custom) return object;
  const { kind: _kind, apiVersion: _version, ...item } = object;
  return item as JsonObject;
}

/** Whether stored texts can be sent unchanged. */
export function inStorageVersion(resource: Resource): boolean {
  return !resource.custom && resource.storageVersion === formatGroupVersion(resource);
}

/** Converts a stored object to the requested version. */
export function shownObject(context: RequestContext, stored: StoredObject): ApiObject {
  return inStorageVersion(context.resource) ? stored.object : context.server.kinds.of(context.resource).fromStorage(stored.object);
}

/** The object that tables and metadata are made of: as upstream, in its storage version. */
export function storageObject(context: RequestContext, stored: StoredObject): ApiObject {
  return context.resource.custom ? shownObject(context, stored) : stored.object;
}

/** The object in a table row with includeObject=Object. */
export function wholeOf({ kind, resource }: RequestContext, object: ApiObject): ApiObject {
  return resource.custom || object.kind !== resource.kind ? object : kind.fromStorage(object);
}

function storageAnswer({ kind, resource }: RequestContext, answer: Extract<Encodable, { readonly form: 'object' }>): ApiObject {
  const object = answer.object as ApiObject;
  if (resource.custom || inStorageVersion(resource) || object.kind !== resource.kind) return object;
  return answer.stored?.object ?? kind.toStorage(object);
}

function listJson(context: RequestContext, { listed, kind }: ListAnswer): ListJson {
  const { resource, accept } = context;
  if (accept.convert) return convertedListJson(context, { form: 'list', listed, kind }, accept.convert);
  const groupVersion = JSON.stringify(formatGroupVersion(resource));
  if (resource.custom) {
    const items = textsOf(listed.items, (stored) => stringifyJson(shownObject(context, stored)));
    const tail = `],"kind":${JSON.stringify(kind)},"metadata":${stringifyJson(customListMeta(context, listed))}}`;
    return { head: `{"apiVersion":${groupVersion},"items":[`, items, tail };
  }
  // Items of built-in kinds come without kind and apiVersion, which open every stored text.
  const opening = `{"kind":${JSON.stringify(resource.kind)},"apiVersion":${groupVersion},`;
  const isStoredText = inStorageVersion(resource);
  const items = textsOf(listed.items, (stored) => {
    const text = isStoredText ? stored.text : stringifyJson(shownObject(context, stored));
    return text.startsWith(opening) ? `{${text.slice(opening.length)}` : text;
  });
  const head = `{"kind":${JSON.stringify(kind)},"apiVersion":${groupVersion},"metadata":${stringifyJson(listMeta(context, listed))},"items":[`;
  return { head, items, tail: ']}' };
}

function* textsOf<T>(values: Iterable<T>, textOf: (value: T) => string): Generator<string> {
  for (const value of values) yield textOf(value);
}

/** Rows per encoded batch: for custom resources each table compiles its columns anew. */
const tableBatch = 100;

/** A list as a Table or PartialObjectMetadataList; the items come last. @throws StatusError 400, 406 */
function convertedListJson(context: RequestContext, answer: ListAnswer, convert: Conversion): ListJson {
  const { items } = answer.listed;
  const empty = convertAnswer(context, { ...answer, listed: { ...answer.listed, items: [] } }, convert);
  const isTable = convert.kind === 'Table';
  // The items of an empty PartialObjectMetadataList are null.
  if (items.length === 0) return { head: stringifyJson(empty), items: [], tail: '' };
  const frame = stringifyJson({ ...empty, [isTable ? 'rows' : 'items']: [] });
  const apiVersion = `${convert.group}/${convert.version}`;
  const texts = isTable
    ? textsOf(batchesOf(items), (batch) => stringifyJson(rowsOf(context, batch, apiVersion)).slice(1, -1))
    : textsOf(items, ({ object }) => stringifyJson(partialObjectMetadata(context, object, apiVersion)));
  return { head: frame.slice(0, -2), items: texts, tail: ']}' };
}

/** Members are sorted by name, and `continue` is always present. */
function customListMeta(context: RequestContext, listed: ListResult): JsonObject {
  const { continue: token, remainingItemCount, resourceVersion } = listMeta(context, listed);
  return { continue: token ?? '', ...(remainingItemCount === undefined ? {} : { remainingItemCount }), resourceVersion };
}

function customList(context: RequestContext, listed: ListResult, kind: string): JsonObject {
  return {
    apiVersion: formatGroupVersion(context.resource),
    items: listed.items.map((stored) => shownObject(context, stored)),
    kind,
    metadata: customListMeta(context, listed),
  };
}

function listMeta({ info, server }: RequestContext, { revision, continue: token, remaining }: ListResult): JsonObject {
  const showsEmpty = server.product.switches.emptyContinue && info.verb === 'list';
  return {
    ...(revision === 0 ? {} : { resourceVersion: String(revision) }),
    ...(token === '' && !showsEmpty ? {} : { continue: token }),
    ...(remaining === undefined ? {} : { remainingItemCount: remaining }),
  };
}

/** As a Table or as metadata alone (parts 2.5, 4.9). @throws StatusError 406 */
function convertAnswer(context: RequestContext, answer: Encodable, convert: Conversion): JsonObject {
  const apiVersion = `${convert.group}/${convert.version}`;
  const isStatus = answer.form === 'object' && answer.object.kind === 'Status';
  if (isStatus) return answer.object as unknown as JsonObject;
  if (convert.kind === 'Table') return table(context, answer, apiVersion);
  const one = answer.form === 'object';
  const { resource, server } = context;
  const { kind, apiVersion: groupVersion } = one ? answer.object : { kind: answer.kind, apiVersion: formatGroupVersion(resource) };
  // In the group of the stored kind, like upstream's internal type.
  const stored = groupVersion === formatGroupVersion(resource) ? resource.storageVersion : groupVersion;
  const go = `*${server.catalog.packageOf(stored).split('/')[0]}.${kind}`;
  if (convert.kind === 'PartialObjectMetadata') {
    if (!one) throw notConvertible(`you requested PartialObjectMetadata, but the requested object is a list (${go})`);
    return partialObjectMetadata(context, storageAnswer(context, answer), apiVersion);
  }
  if (one && resource.custom) throw new StatusError(500, '', 'content is not a list');
  if (one) throw notConvertible(`you requested PartialObjectMetadataList, but the requested object is not a list (${go})`);
  const items = answer.listed.items.map(({ object }) => partialObjectMetadata(context, object, apiVersion));
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion,
    metadata: listMeta(context, answer.listed),
    items: items.length > 0 ? items : null,
  };
}

export function partialObjectMetadata({ kind }: RequestContext, object: ApiObject, apiVersion: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata: kind.metadataOf(object) };
}

function notConvertible(message: string): StatusError {
  return new StatusError(406, 'NotAcceptable', message);
}

function table(context: RequestContext, answer: Encodable, apiVersion: string): JsonObject {
  const objects =
    answer.form === 'object' ? [storageAnswer(context, answer)] : answer.listed.items.map((stored) => storageObject(context, stored));
  const metadata = answer.form === 'object' ? versionMeta(answer.object as ApiObject) : listMeta(context, answer.listed);
  const resource = answer.form === 'object' ? { ...context.resource, kind: answer.object.kind } : context.resource;
  return tableOf({ ...tableContext(context, apiVersion), resource, objects, metadata, headers: true });
}

function rowsOf(context: RequestContext, items: readonly StoredObject[], apiVersion: string): unknown {
  const objects = items.map((stored) => storageObject(context, stored));
  const { resource } = context;
  const { rows } = tableOf({ ...tableContext(context, apiVersion), resource, objects, metadata: {}, headers: false });
  return rows;
}

function tableContext(
  context: RequestContext,
  apiVersion: string,
): Pick<TableRequest, 'apiVersion' | 'metadataOf' | 'wholeOf' | 'includeObject' | 'describeColumn' | 'context'> {
  return {
    apiVersion,
    describeColumn: context.describeColumn,
    metadataOf: (object) => context.kind.metadataOf(object as ApiObject),
    wholeOf: (object) => wholeOf(context, object as ApiObject),
    includeObject: includeObjectOf(context),
    context: { nowMs: context.server.env.clock.nowMs(), product: context.server.product },
  };
}

export function versionMeta({ metadata }: ApiObject): JsonObject {
  return metadata.resourceVersion === undefined ? {} : { resourceVersion: metadata.resourceVersion };
}

/** @throws StatusError 400 */
export function includeObjectOf({ info }: RequestContext): IncludeObject {
  const value = info.query.get('includeObject') ?? '';
  const include = parseIncludeObject(value);
  if (include === undefined) {
    const error = invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
    throw badRequest(`Unable to convert to Table as requested: ${error.field}: ${error.message}`);
  }
  return include;
}

/** Encodes an error in the accepted media type, or JSON when none is supported. Errors are never converted. */
export function respondError(
  request: ApiRequest,
  query: URLSearchParams,
  error: StatusError,
  supported: readonly string[],
  encodeProtobuf: (object: JsonObject) => Uint8Array,
): ApiResponse {
  const status = toStatus(error);
  const accepted = negotiate(request.headers.get('accept') ?? '', supported, () => false);
  const mediaType = accepted?.mediaType ?? 'application/json';
  const headers: Header[] = [uncached, ['content-type', mediaType]];
  if (error.details?.retryAfterSeconds !== undefined) headers.push(['retry-after', String(error.details.retryAfterSeconds)]);
  if (request.method === 'HEAD') return { status: error.code, headers, body: undefined };
  if (mediaType === 'application/yaml') return { status: error.code, headers, body: printYaml(status as unknown as Json) };
  if (mediaType === cborType) return { status: error.code, headers, body: writeCbor(status, undefined) };
  if (mediaType !== 'application/json') return { status: error.code, headers, body: encodeProtobuf(status as unknown as JsonObject) };
  const text = stringifyJson(status);
  // A client that accepts no supported type gets indented JSON.
  const pretty = !accepted || accepted.pretty || isPretty(request, query);
  return { status: error.code, headers, body: pretty ? prettyJson(text) : `${text}\n` };
}
