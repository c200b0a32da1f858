import { CborError, parseYaml, readCbor, YamlSyntaxError } from '../../../codec/index.ts';
import { runYielding } from '../../../env/index.ts';
import {
  type ApiObject,
  type ApiRequest,
  badRequest,
  conflict,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  notFound,
  parseJson,
  StatusError,
  textAt,
} from '../../../meta/index.ts';
import { ensureObjectNamespaceMatchesRequestNamespace, subjectOf } from '../../../registry/index.ts';
import { DecodeError, formatGroupVersion, parseGroupVersion } from '../../../schema/index.ts';
import { bodyBytes, isCborEnabled, type MediaTypeSettings } from '../../body/body.ts';
import type { WriteOptions } from '../../parameters/options.ts';
import { type Answer, managerOf, nowOf, type RequestContext, warn } from '../../request-context.ts';
import { refuseOtherName } from '../create.ts';
import { answerOf, updateWith } from '../update.ts';
import type { PatchTarget } from './patch-target.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

/** Server-side apply (part 4.6): the body holds the fields that its manager sets; other fields are unchanged. */
export async function apply(context: RequestContext, options: WriteOptions): Promise<Answer> {
  const { kind, subresource, resource } = context;
  const target = { kind: resource.kind, groupVersion: formatGroupVersion(resource), custom: resource.custom !== undefined, ...kind };
  const intent = readIntent(context, options, target);
  const ownership = kind.ownership(subresource?.name ?? '');
  const by = { manager: managerOf(context, options), now: nowOf(context), force: options.force };
  const next = async (current: ApiObject | undefined): Promise<ApiObject> => {
    if (!current && subresource) throw notFound(subjectOf(context.resource), context.info.name);
    const applied = await runYielding(ownership.appliedInSteps(current, intent, by), context.pause);
    await context.pause();
    const merged = await decodeMerged(context, applied, intent);
    await context.pause();
    const { uid } = merged.metadata;
    if (!current && uid !== undefined) throw uidMismatch(context, uid);
    return defaultMerged(context, merged);
  };
  const updated = await retryOnConflict(() =>
    updateWith(context, options, { next, createMissing: subresource === undefined, owned: true }),
  );
  return answerOf(context, updated);
}

const notJson = 'error decoding YAML: error unmarshaling JSON: while decoding JSON: ';

function uidMismatch({ resource, info }: RequestContext, uid: string): StatusError {
  return conflict(
    subjectOf(resource),
    info.name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}

/** A merged object is defaulted like any other; its place is the URL's. */
function defaultMerged({ kind, resource, info, pause }: RequestContext, decoded: ApiObject): Promise<ApiObject> {
  const placed = ensureObjectNamespaceMatchesRequestNamespace(decoded, resource, info.namespace);
  refuseOtherName(placed, info.name);
  const typed = { ...placed, kind: resource.kind, apiVersion: formatGroupVersion(resource) };
  return runYielding(kind.withDefaultsInSteps(typed), pause);
}

/** The schema of apply is looser than the type: an intent may match only the schema. @throws StatusError 500, like kube-apiserver */
async function decodeMerged({ kind, resource, pause }: RequestContext, merged: ApiObject, intent: ApiObject): Promise<ApiObject> {
  try {
    return await runYielding(kind.decodeAppliedInSteps(merged), pause);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const type = `${resource.group}/${resource.version}, Kind=${resource.kind}`;
    throw conversionFailed(intent, type, `unable to convert unstructured object to ${type}: ${error.message}`, error);
  }
}

/** `type`: `apps/v1, Kind=Deployment`. */
export function conversionFailed({ metadata }: ApiObject, type: string, why: string, cause?: unknown): StatusError {
  const { name = '', namespace = '' } = isJsonObject(metadata) ? metadata : {};
  const message = `failed to convert new object (${namespace}/${name}; ${type}) to proper version: ${why}`;
  return new StatusError(500, '', message, undefined, cause);
}

const applyYamlType = 'application/apply-patch+yaml';
const applyCborType = 'application/apply-patch+cbor';

/** The media types of an apply. */
export function applyTypes(speaker: Pick<MediaTypeSettings, 'featureGates'>): readonly string[] {
  return isCborEnabled(speaker) ? [applyYamlType, applyCborType] : [applyYamlType];
}

export function isApply({ request, server }: RequestContext): boolean {
  return applyTypes(server).includes(mediaTypeOf(request));
}

/** The media type of a patch is matched literally, without its parameters. */
export function mediaTypeOf({ headers }: ApiRequest): string {
  return (headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
}

/** Reads the intent of an apply for `target`'s kind. @throws StatusError 400 */
export function readIntent(context: RequestContext, options: WriteOptions, target: PatchTarget): ApiObject {
  const bytes = bodyBytes(context.request);
  const isCbor = mediaTypeOf(context.request) === applyCborType;
  const { value, duplicates } = isCbor ? readCborIntent(bytes) : readBody(new TextDecoder().decode(bytes));
  if (isJsonObject(value) && !(textAt(value, 'kind') && textAt(value, 'apiVersion')))
    throw badRequest(`invalid object type: ${kindOf(value)}`);
  if (duplicates.length > 0) {
    if (options.fieldValidation === 'Strict') throw badRequest(duplicateKeys(duplicates));
    if (options.fieldValidation === 'Warn') for (const problem of duplicates) warn(context, problem);
  }
  if (value === null) throw badRequest('invalid object type: /, Kind=');
  if (!isJsonObject(value))
    throw badRequest(`${notJson}json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`);
  const governed = context.server.product.switches.fieldValidationGovernsApply;
  const object = governed ? withoutUnknown(context, value, options, target) : value;
  // The rest is validated where the schema is known.
  return { ...object, metadata: object['metadata'] ?? {} } as ApiObject;
}

/** `/v1, Kind=ConfigMap`, with empty parts where the intent has none. */
function kindOf(intent: JsonObject): string {
  const { group, version } = parseGroupVersion(textAt(intent, 'apiVersion'));
  return `${group}/${version}, Kind=${textAt(intent, 'kind')}`;
}

function duplicateKeys(duplicates: readonly string[]): string {
  return `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`;
}

/** Where fieldValidation covers apply too, unknown fields are handled first. */
function withoutUnknown(context: RequestContext, value: JsonObject, options: WriteOptions, target: PatchTarget): JsonObject {
  const unknown: string[] = [];
  try {
    target.decode(value, { onUnknownField: (path) => unknown.push(path) });
  } catch (error) {
    // Type errors are reported when the intent is merged.
    if (!(error instanceof DecodeError)) throw error;
  }
  if (unknown.length === 0) return value;
  const problems = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (options.fieldValidation === 'Strict') throw badRequest(`strict decoding error: ${problems.join(', ')}`);
  if (options.fieldValidation === 'Warn') for (const problem of problems) warn(context, problem);
  return unknown.reduce(withoutPath, value);
}

function withoutPath(object: JsonObject, path: string): JsonObject {
  const steps = path.split(/\.|(?=\[\d+\])/);
  return removeAt(object, steps) as JsonObject;
}

function removeAt(value: Json, [step = '', ...rest]: readonly string[]): Json {
  const index = /^\[(\d+)\]$/.exec(step);
  if (index && Array.isArray(value)) return value.map((item: Json, at) => (at === Number(index[1]) ? removeAt(item, rest) : item));
  if (!isJsonObject(value)) return value;
  if (rest.length > 0) return { ...value, [step]: removeAt(value[step] ?? null, rest) };
  const { [step]: _, ...others } = value;
  return others;
}

/** kube-apiserver's message mentions YAML here too. A duplicate key in CBOR is always an error. */
function readCborIntent(bytes: Uint8Array): { readonly value: Json; readonly duplicates: readonly string[] } {
  try {
    const { value, outermost, problem } = readCbor(bytes);
    if (value !== null && !isJsonObject(value)) {
      throw new CborError(`cbor: cannot unmarshal ${outermost} into Go value of type map[string]interface {}`);
    }
    if (problem !== undefined) throw new CborError(problem);
    return { value, duplicates: [] };
  } catch (error) {
    if (error instanceof CborError) throw badRequest(`error decoding YAML: ${error.message}`, error);
    throw error;
  }
}

/** JSON is valid YAML, but its own parser is ten times as fast. */
function readBody(text: string): { readonly value: Json; readonly duplicates: readonly string[] } {
  try {
    if (/^\s*[{[]/.test(text)) {
      const parsed = tryJson(text);
      if (parsed) return parsed;
    }
    return parseYaml(text);
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`, error);
    if (error instanceof JsonSyntaxError) throw badRequest(`${notJson}${error.message}`, error);
    throw error;
  }
}

function tryJson(text: string): { readonly value: Json; readonly duplicates: readonly string[] } | undefined {
  try {
    const { value, duplicates } = parseJson(text);
    // Duplicates are reported with their line, which only the YAML parser knows.
    return duplicates.length === 0 ? { value, duplicates: [] } : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
