import { runYielding } from '../../../env/index.ts';
import {
  type ApiObject,
  badRequest,
  formatGoValue,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  notFound,
  type ParsedJson,
  parseJsonBytesAsync,
  StatusError,
} from '../../../meta/index.ts';
import {
  applyJsonPatchInSteps,
  applyMergePatchInSteps,
  applyStrategicMergePatch,
  decodeJsonPatch,
  decodeLooseJsonPatch,
  formatDocument,
  PatchError,
  remainingPatch,
} from '../../../patch/index.ts';
import { subjectOf } from '../../../registry/index.ts';
import { formatGroupVersion } from '../../../schema/index.ts';
import { bodyBytes, unsupportedMediaType } from '../../body/body.ts';
import { duplicateField, jsonPatchStrictProblems } from '../../body/strict-problems.ts';
import { readWriteOptions, type WriteOptions } from '../../parameters/options.ts';
import type { Answer, RequestContext } from '../../request-context.ts';
import { answerOf, updateWith } from '../update.ts';
import { apply, applyTypes, isApply, mediaTypeOf } from './apply.ts';
import type { PatchTarget } from './patch-target.ts';
import { decodePatched, mergedLiterals, type Patched, refuseInfinite } from './patched-object.ts';
import { retryOnConflict } from './retry-on-conflict.ts';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicPatchType = 'application/strategic-merge-patch+json';

/** PATCH (part 4.5). Cf. upstream handlers.PatchResource. */
export async function patch(context: RequestContext): Promise<Answer> {
  const { server, resource, info, kind } = context;
  checkPatchType(context);
  const bytes = bodyBytes(context.request);
  const options = readWriteOptions(info.query, 'PatchOptions', server.product, isApply(context) ? 'apply' : 'other');
  context.audit.logRequestPatch(bytes);
  if (isApply(context)) return apply(context, options);
  const target = { kind: resource.kind, groupVersion: formatGroupVersion(resource), custom: resource.custom !== undefined, ...kind };
  const patched = readPatch(context, target, options);
  const next = async (current: ApiObject | undefined): Promise<ApiObject> => {
    if (!current) throw notFound(subjectOf(resource), info.name);
    const decoded = await patched(current);
    await context.pause();
    return runYielding(kind.withDefaultsInSteps(decoded), context.pause);
  };
  return answerOf(context, await retryOnConflict(() => updateWith(context, options, { next, createMissing: false })));
}

function patchTypes({ server, resource }: RequestContext): readonly string[] {
  return [jsonPatchType, mergePatchType, ...(resource.custom ? [] : [strategicPatchType]), ...applyTypes(server)];
}

/** Checked before the query parameters; by the router, which custom resources do not have. @throws StatusError 415 */
export function checkPatchType(context: RequestContext): void {
  const offered = patchTypes(context);
  if (offered.includes(mediaTypeOf(context.request))) return;
  // The route of custom resources allows any type.
  if (context.resource.custom) throw unsupportedMediaType(offered);
  throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
}

/** A patch of something that has the shape of `target`. Its body is read when the object is: a broken patch of something missing is 404. */
export function readPatch(context: RequestContext, target: PatchTarget, options: WriteOptions): (current: ApiObject) => Promise<ApiObject> {
  const mediaType = mediaTypeOf(context.request);
  const bytes = bodyBytes(context.request);
  const isStrict = options.fieldValidation !== 'Ignore';
  let document: ParsedJson | undefined;
  const body = async (): Promise<ParsedJson> => {
    document ??= await readDocument(bytes, mediaType, isStrict, context.pause);
    await context.pause();
    return document;
  };
  return async (current) => {
    const result = await orStatus(async () => {
      const read = await body();
      if (mediaType !== jsonPatchType)
        return await runYielding(applyPatchInSteps(current, read, { mediaType, isStrict, target }), context.pause);
      const problems = isStrict ? jsonPatchStrictProblems(read.value, () => new TextDecoder().decode(bytes), read.duplicates) : [];
      return { ...(await applyOperations(context, current, read, isStrict)), problems };
    });
    await context.pause();
    return decodePatched(context, target, { ...result, current }, options);
  };
}

type PatchResult = Omit<Patched, 'current'>;

/** A strict reader reads the operations by a type of the server's, others by that of the library. */
async function applyOperations(
  context: RequestContext,
  current: ApiObject,
  { value, literals }: ParsedJson,
  isStrict: boolean,
): Promise<Omit<PatchResult, 'problems'>> {
  const operations = isStrict ? orBadPatch(() => decodeJsonPatch(value)) : decodeLooseJsonPatch(value);
  const result = await runYielding(applyJsonPatchInSteps(current, operations), context.pause);
  return { ...patchedDocument([current, value], result), literals };
}

interface ReadAs {
  readonly mediaType: string;
  readonly isStrict: boolean;
  readonly target: PatchTarget;
}

/** The document that a patch made of `sources`. */
function patchedDocument(sources: readonly Json[], result: Json): Pick<PatchResult, 'of' | 'result' | 'shown' | 'sources'> {
  return { of: 'document', result, shown: () => formatDocument(result, sources), sources };
}

/** In steps, between which others can have their turns. */
function* applyPatchInSteps(
  current: ApiObject,
  { value, literals, duplicates }: ParsedJson,
  { mediaType, isStrict, target }: ReadAs,
): Generator<void, PatchResult> {
  const problems = duplicates.map(duplicateField);
  if (mediaType === mergePatchType) {
    refuseInfinite(value, literals, 'error decoding patch: ');
    const result = yield* isStrict
      ? applyMergePatchInSteps(current, asObject(value, 'error decoding patch: '))
      : applyLooseMergePatch(current, value);
    return { problems, literals: mergedLiterals(value, result, literals), ...patchedDocument([current, value], result) };
  }
  refuseInfinite(value, literals, '');
  // A strategic patch is shown itself when it fails, as merging has left it; none at all changes nothing.
  const patch = asObject(value ?? {}, '');
  const result = applyStrategicMergePatch(current, patch, target.schema);
  return {
    of: 'fields',
    result,
    shown: () => formatGoValue(remainingPatch(current, patch, target.schema)),
    sources: [],
    problems,
    literals,
  };
}

/** Like upstream's library, an array replaces the whole document, and errors have no details. @throws StatusError 400 */
function* applyLooseMergePatch(current: ApiObject, patch: Json): Generator<void, Json> {
  if (!isJsonObject(patch) && !Array.isArray(patch)) throw badRequest(badMergePatch);
  return isJsonObject(patch) ? yield* applyMergePatchInSteps(current, patch) : patch;
}

const badMergePatch = 'Invalid JSON Patch';

async function readDocument(bytes: Uint8Array, mediaType: string, isStrict: boolean, pause: RequestContext['pause']): Promise<ParsedJson> {
  try {
    return await parseJsonBytesAsync(bytes, 'replaced', pause);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (!isStrict && mediaType === mergePatchType) throw badRequest(badMergePatch, error);
    throw badRequest(`${isStrict && mediaType !== strategicPatchType ? 'error decoding patch: ' : ''}${error.message}`, error);
  }
}

function asObject(patch: Json, prefix: string): JsonObject {
  if (patch === null) throw badRequest(badMergePatch);
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

async function orStatus<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof PatchError ? statusOf(error) : error;
  }
}

function statusOf(error: PatchError): StatusError {
  switch (error.code) {
    case 'bad-patch':
      return badRequest(error.message, error);
    case 'too-many-operations':
      return new StatusError(413, 'RequestEntityTooLarge', `Request entity too large: ${error.message}`, undefined, error);
    case 'not-applicable':
      return new StatusError(422, 'Invalid', 'the server rejected our request due to an error in our request', {}, error);
    case 'failed':
    case 'panic':
      return new StatusError(500, '', error.message, undefined, error);
  }
}
