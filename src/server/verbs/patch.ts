import {
  type ApiObject,
  badRequest,
  invalidObject,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  notFound,
  parseJson,
  StatusError,
} from '../../meta/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, decodeJsonPatch, PatchError } from '../../patch/index.ts';
import { subjectOf, type Updated } from '../../registry/index.ts';
import { DecodeError, groupVersionOf, type StructSchema } from '../../schema/index.ts';
import { bodyBytes, unregistered } from '../body.ts';
import { type Answer, type Call, warn } from '../call.ts';
import { readWriteOptions, type WriteOptions } from '../options.ts';
import { apply } from './apply.ts';
import { refuseOtherName } from './create.ts';
import { answerOf, updateWith } from './update.ts';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicPatchType = 'application/strategic-merge-patch+json';
const applyPatchType = 'application/apply-patch+yaml';

/** How often a patch is tried again when the object has changed meanwhile (upstream MaxRetryWhenPatchConflicts). */
const conflictRetries = 5;

/** PATCH (part 4.5). Cf. upstream handlers.PatchResource. */
export async function patch(call: Call): Promise<Answer> {
  const { server, resource, request, info } = call;
  // The type is matched as it is written, parameters aside.
  const mediaType = (request.headers.get('content-type') ?? '').split(';')[0]?.trim();
  const types = [jsonPatchType, mergePatchType, ...(resource.custom ? [] : [strategicPatchType]), applyPatchType];
  if (mediaType === undefined || !types.includes(mediaType)) throw unsupportedType();
  const bytes = bodyBytes(request);
  const options = readWriteOptions(info.query, 'PatchOptions', server.product, mediaType === applyPatchType ? 'apply' : 'other');
  if (mediaType === applyPatchType) return apply(call, bytes, options);
  const patched = patcherOf(
    mediaType,
    new TextDecoder().decode(bytes),
    { ...call.kind, kind: resource.kind, groupVersion: groupVersionOf(resource) },
    call,
    options,
  );
  const next = (current: ApiObject | undefined): ApiObject => {
    if (!current) throw notFound(subjectOf(resource), info.name);
    return call.kind.withDefaults(patched(current));
  };
  return answerOf(call, await retried(() => updateWith(call, options, { next, createMissing: false })));
}

/** What is patched: an object, or the scale of one. */
export interface PatchTarget {
  readonly groupVersion: string;
  readonly kind: string;
  readonly schema: StructSchema;
  readonly decode: (value: JsonObject, unknownField?: (path: string) => void) => ApiObject;
}

/** A patch of something that has the shape of `target`, for kinds that are no resource of their own. @throws StatusError 415 */
export function readPatch(call: Call, target: PatchTarget, options: WriteOptions): (current: ApiObject) => ApiObject {
  const mediaType = (call.request.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? '';
  if (![jsonPatchType, mergePatchType, strategicPatchType].includes(mediaType)) throw unsupportedType();
  return patcherOf(mediaType, new TextDecoder().decode(bodyBytes(call.request)), target, call, options);
}

export function unsupportedType(): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** A patch whose base changed meanwhile is tried again. */
export async function retried(update: () => Promise<Updated>): Promise<Updated> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await update();
    } catch (error) {
      const again = error instanceof StatusError && error.reason === 'Conflict' && error.details?.causes === undefined;
      if (!again || attempt === conflictRetries) throw error;
    }
  }
}

/** The body is read when the object is: a broken patch of something missing is 404. */
function patcherOf(
  mediaType: string,
  text: string,
  target: PatchTarget,
  call: Call,
  options: WriteOptions,
): (current: ApiObject) => ApiObject {
  let document: Json | undefined;
  const body = (): Json => {
    document ??= readDocument(text, mediaType);
    return document;
  };
  const patched = (current: ApiObject): Json => {
    if (mediaType === jsonPatchType)
      return applyJsonPatch(
        current,
        orBadPatch(() => decodeJsonPatch(body())),
      );
    if (mediaType === mergePatchType) return applyMergePatch(current, asObject(body(), 'error decoding patch: '));
    return applyStrategicMergePatch(current, asObject(body(), ''), target.schema);
  };
  return (current) =>
    decodePatched(
      call,
      target,
      orStatus(() => patched(current)),
      mediaType === strategicPatchType ? text : undefined,
      options,
    );
}

function readDocument(text: string, mediaType: string): Json {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw badRequest(`${mediaType === strategicPatchType ? '' : 'error decoding patch: '}${error.message}`, error);
  }
}

function asObject(patch: Json, prefix: string): JsonObject {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (isJsonObject(patch)) return patch;
  const type = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch === 'string' ? 'string' : 'number';
  throw badRequest(`${prefix}json: cannot unmarshal ${type} into Go value of type map[string]interface {}`);
}

function orBadPatch<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PatchError && error.code === 'bad-patch') throw badRequest(`error decoding patch: ${error.message}`, error);
    throw error;
  }
}

function orStatus<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof PatchError ? statusOf(error) : error;
  }
}

function statusOf(error: PatchError): StatusError {
  switch (error.code) {
    case 'bad-patch':
      return badRequest(error.message, error);
    case 'too-many-operations':
      return new StatusError(413, 'RequestEntityTooLarge', error.message, undefined, error);
    case 'not-applicable':
      return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {}, error);
    case 'failed':
    case 'panic':
      return new StatusError(500, '', error.message, undefined, error);
  }
}

/** What the patch made, as an object of the kind. @throws StatusError 422 about the patch, 400 for another identity */
function decodePatched(call: Call, target: PatchTarget, patched: Json, patchText: string | undefined, options: WriteOptions): ApiObject {
  // A strategic patch is shown itself when it fails, of the others what they made.
  const refuse = (why: string): StatusError => invalidPatch(patchText ?? patched, why);
  if (!isJsonObject(patched)) throw refuse('json: cannot unmarshal into Go value');
  const { apiVersion, kind } = patched as { readonly apiVersion?: Json; readonly kind?: Json };
  const named = (given: Json | undefined, expected: string): boolean => typeof given !== 'string' || given === '' || given === expected;
  if (!named(apiVersion, target.groupVersion) || !named(kind, target.kind)) throw refuse(unregistered(String(apiVersion), String(kind)));
  const unknown: string[] = [];
  const note = options.fieldValidation === 'Ignore' ? undefined : (path: string) => unknown.push(`unknown field ${JSON.stringify(path)}`);
  let object: ApiObject;
  try {
    object = target.decode(patched, note);
  } catch (error) {
    if (error instanceof DecodeError) throw refuse(error.message);
    throw error;
  }
  if (unknown.length > 0 && options.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${unknown.join(', ')}`);
  for (const problem of unknown) warn(call, problem);
  const next = { ...object, kind: target.kind, apiVersion: target.groupVersion };
  refuseOtherName(next, call.info.name);
  return next;
}

function invalidPatch(shown: Json, why: string): StatusError {
  const value =
    typeof shown === 'string' ? shown : JSON.stringify(shown, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));
  const message = `Invalid value: ${JSON.stringify(value)}: ${why}`;
  return invalidObject({ group: '', name: '' }, '', [{ reason: 'FieldValueInvalid', field: 'patch', message }]);
}
