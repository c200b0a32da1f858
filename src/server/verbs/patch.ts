import {
  type ApiObject,
  badRequest,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  notFound,
  type ParsedJson,
  parseJsonBytes,
  StatusError,
  stringifyJson,
} from '../../meta/index.ts';
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, decodeJsonPatch, goText, PatchError } from '../../patch/index.ts';
import { inRequestNamespace, subjectOf, type Updated } from '../../registry/index.ts';
import { DecodeError, groupVersionOf } from '../../schema/index.ts';
import { bodyBytes } from '../body.ts';
import { type Answer, type Call, warn } from '../call.ts';
import { readWriteOptions, type WriteOptions } from '../options.ts';
import { unregistered } from '../read-object.ts';
import { apply, applyTypes, isApply, mediaTypeOf } from './apply.ts';
import { refuseOtherName } from './create.ts';
import type { PatchTarget } from './patch-target.ts';
import { answerOf, updateWith } from './update.ts';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicPatchType = 'application/strategic-merge-patch+json';

/** How often a patch is tried again when the object has changed meanwhile (upstream MaxRetryWhenPatchConflicts). */
const conflictRetries = 5;

/** PATCH (part 4.5). Cf. upstream handlers.PatchResource. */
export async function patch(call: Call): Promise<Answer> {
  const { server, resource, info, kind } = call;
  const mediaType = mediaTypeOf(call.request);
  const offered = [jsonPatchType, mergePatchType, ...(resource.custom ? [] : [strategicPatchType]), ...applyTypes(server)];
  if (!offered.includes(mediaType)) throw unsupportedType();
  bodyBytes(call.request);
  const options = readWriteOptions(info.query, 'PatchOptions', server.product, isApply(call) ? 'apply' : 'other');
  if (isApply(call)) return apply(call, options);
  const patched = readPatch(call, { ...kind, kind: resource.kind, groupVersion: groupVersionOf(resource) }, options);
  const next = (current: ApiObject | undefined): ApiObject => {
    if (!current) throw notFound(subjectOf(resource), info.name);
    return kind.withDefaults(patched(current));
  };
  return answerOf(call, await retried(() => updateWith(call, options, { next, createMissing: false })));
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

/** A patch of something that has the shape of `target`. Its body is read when the object is: a broken patch of something missing is 404. */
export function readPatch(call: Call, target: PatchTarget, options: WriteOptions): (current: ApiObject) => ApiObject {
  const mediaType = mediaTypeOf(call.request);
  if (![jsonPatchType, mergePatchType, strategicPatchType].includes(mediaType)) throw unsupportedType();
  const bytes = bodyBytes(call.request);
  let document: ParsedJson | undefined;
  const body = (): Json => {
    document ??= readDocument(bytes, mediaType);
    return document.value;
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
  return (current) => {
    const result = orStatus(() => patched(current));
    // A strategic patch is shown itself when it fails, of the others what they made.
    const shown = mediaType === strategicPatchType ? goText(body()) : stringifyJson(result);
    const duplicates = (document?.duplicates ?? []).map((path) => `duplicate field ${JSON.stringify(path)}`);
    return decodePatched(call, target, { result, shown, duplicates }, options);
  };
}

/** What a patch made, and what may have to be said of it. */
interface Patched {
  readonly result: Json;
  /** How an error shows it. */
  readonly shown: string;
  readonly duplicates: readonly string[];
}

function readDocument(bytes: Uint8Array, mediaType: string): ParsedJson {
  try {
    return parseJsonBytes(bytes);
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
function decodePatched(call: Call, target: PatchTarget, { result, shown, duplicates }: Patched, options: WriteOptions): ApiObject {
  if (!isJsonObject(result)) throw invalidPatch(shown, 'json: cannot unmarshal into Go value');
  const { apiVersion, kind } = result as { readonly apiVersion?: Json; readonly kind?: Json };
  const named = (given: Json | undefined, expected: string): boolean => typeof given !== 'string' || given === '' || given === expected;
  if (!named(apiVersion, target.groupVersion) || !named(kind, target.kind)) {
    throw invalidPatch(shown, unregistered(String(apiVersion), String(kind)));
  }
  const unknown: string[] = [];
  let object: ApiObject;
  try {
    object = target.decode(result, (path) => unknown.push(`unknown field ${JSON.stringify(path)}`));
  } catch (error) {
    if (error instanceof DecodeError) throw invalidPatch(shown, error.message);
    throw error;
  }
  // A patched document has its members in order of name.
  const problems = [...duplicates, ...unknown.sort()];
  if (problems.length > 0 && options.fieldValidation === 'Strict')
    throw invalidPatch(shown, `strict decoding error: ${problems.join(', ')}`);
  if (options.fieldValidation === 'Warn') for (const problem of problems) warn(call, problem);
  const next = { ...object, kind: target.kind, apiVersion: target.groupVersion };
  refuseOtherName(next, call.info.name);
  return inRequestNamespace(next, call.resource, call.info.namespace);
}

function invalidPatch(shown: string, why: string): StatusError {
  const message = `Invalid value: ${JSON.stringify(shown)}: ${why}`;
  // About no object of any kind.
  return new StatusError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  });
}
