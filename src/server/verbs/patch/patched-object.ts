import { runYielding } from '../../../env/index.ts';
import {
  type ApiObject,
  badRequest,
  documentType,
  goQuote,
  internalError,
  isJsonObject,
  type Json,
  type JsonObject,
  type NumberLiterals,
  StatusError,
  UnreadableDocument,
} from '../../../meta/index.ts';
import { orderMembersInSteps } from '../../../patch/index.ts';
import { ensureObjectNamespaceMatchesRequestNamespace } from '../../../registry/index.ts';
import { convertUntyped, DecodeError } from '../../../schema/index.ts';
import { checkConvertible, checkInternal, customDocumentType } from '../../body/read-object.ts';
import { decodeInSteps } from '../../kinds.ts';
import type { WriteOptions } from '../../parameters/options.ts';
import { type RequestContext, warn } from '../../request-context.ts';
import { refuseOtherName } from '../create.ts';
import type { PatchTarget } from './patch-target.ts';

/** The result of a patch, and its findings. */
export interface Patched {
  /** JSON and merge patches make a document, which is read like any body; a strategic one sets the fields of a typed object. */
  readonly of: 'document' | 'fields';
  readonly result: Json;
  /** The object that was patched. */
  readonly current: JsonObject;
  /** How an error shows it. */
  readonly shown: () => string;
  /** Of a document: values whose text can be reused unchanged (see `documentText`). */
  readonly sources: readonly Json[];
  /** Strict decoding errors of the patch itself. */
  readonly problems: readonly string[];
  readonly literals: NumberLiterals;
}

/** The patched object, decoded as the kind. @throws StatusError 422 about the patch, 400 for another identity */
export async function decodePatched(
  context: RequestContext,
  target: PatchTarget,
  patched: Patched,
  options: WriteOptions,
): Promise<ApiObject> {
  const unknown: string[] = [];
  const object = await orInvalidPatch(context, target, patched, (path) => unknown.push(path));
  await context.pause();
  const unknownFields = options.fieldValidation === 'Ignore' ? [] : await inDocumentOrder(context, target, patched, unknown);
  await context.pause();
  // Only errors of decoding JSON into a type quote the text.
  const quoted = (path: string): string => (target.custom || patched.of === 'fields' ? `"${path}"` : goQuote(path));
  const problems = [...patched.problems, ...unknownFields.map((path) => `unknown field ${quoted(path)}`)];
  if (problems.length > 0 && options.fieldValidation === 'Strict')
    throw invalidPatch(patched.shown, `strict decoding error: ${problems.join(', ')}`);
  if (options.fieldValidation === 'Warn') for (const problem of problems) warn(context, problem);
  const placed = ensureObjectNamespaceMatchesRequestNamespace(object, context.resource, context.info.namespace);
  refuseOtherName(placed, context.info.name);
  return placed;
}

/** Unknown fields are reported in the order of the patched document's text, whose members are sorted where it was patched. */
async function inDocumentOrder(
  context: RequestContext,
  target: PatchTarget,
  patched: Patched,
  unknown: readonly string[],
): Promise<readonly string[]> {
  if (unknown.length < 2) return unknown;
  if (patched.of === 'fields') return [...unknown].sort();
  const unknownFields: string[] = [];
  const inOrder = await asShown(context, patched);
  await runYielding(
    decode(context, target, inOrder, (path) => unknownFields.push(path)),
    context.pause,
  );
  return unknownFields;
}

/** The document with its members in the order of its text. */
async function asShown(context: RequestContext, patched: Patched): Promise<Patched> {
  const result = await runYielding(orderMembersInSteps(patched.result, patched.sources), context.pause);
  await context.pause();
  return { ...patched, result, literals: mergedLiterals(patched.result, result, patched.literals) };
}

/** In steps, between which others can have their turns. */
function* decode(
  context: RequestContext,
  target: PatchTarget,
  patched: Patched,
  onUnknownField: (path: string) => void,
): Generator<void, ApiObject> {
  if (target.custom) return decodeCustom(target, patched, onUnknownField);
  const { of, result, current } = patched;
  const object =
    of === 'fields'
      ? yield* decodeInSteps(target.decode, convertUntyped(target.schema, result as JsonObject, current), {
          onUnknownField,
          known: current,
        })
      : yield* decodeDocument(context, target, patched, onUnknownField);
  return { ...object, kind: target.kind, apiVersion: target.groupVersion };
}

/** Validation rejects a changed kind. @throws StatusError 500 for a result without a version, like kube-apiserver */
function decodeCustom(target: PatchTarget, { result, shown, literals }: Patched, onUnknownField: (path: string) => void): ApiObject {
  const type = customDocumentType(result, shown);
  const object = target.decode({ ...(result as JsonObject), ...type }, { onUnknownField, literals });
  if (type.apiVersion !== '') return object;
  throw internalError("Object 'apiVersion' is missing in 'object has no apiVersion field'");
}

function* decodeDocument(
  context: RequestContext,
  target: PatchTarget,
  { result, literals, current }: Patched,
  onUnknownField: (path: string) => void,
): Generator<void, ApiObject> {
  const { catalog } = context.server;
  const given = documentType(result);
  yield;
  // The scale of a custom resource has no other form than the one that is sent.
  const type = { ...given, apiVersion: given.apiVersion || (context.resource.custom ? target.groupVersion : '') };
  const object = result as JsonObject;
  if (type.apiVersion === '') {
    checkInternal(type.kind, target, catalog);
    return versionless(object, onUnknownField);
  }
  const kind = type.kind || target.kind;
  const own = kind === target.kind && type.apiVersion === target.groupVersion;
  const other = own ? undefined : catalog.kind(type.apiVersion, kind);
  // A patch to another kind is decoded as that kind first.
  if (other) context.server.decode(other, object, { literals });
  if (!own) checkConvertible({ ...type, kind }, target, catalog);
  return yield* decodeInSteps(target.decode, object, { onUnknownField, literals, known: current });
}

/** Without a version the result is decoded as the internal version, which has none of the members: not even the name is found. */
function versionless(object: JsonObject, onUnknownField: (path: string) => void): ApiObject {
  for (const name of Object.keys(object)) if (name !== 'kind' && name !== 'apiVersion') onUnknownField(name);
  return { metadata: {} } as ApiObject;
}

async function orInvalidPatch(
  context: RequestContext,
  target: PatchTarget,
  patched: Patched,
  onUnknownField: (path: string) => void,
): Promise<ApiObject> {
  try {
    return await runYielding(decode(context, target, patched, onUnknownField), context.pause);
  } catch (error) {
    if (!isUnfit(error)) throw error;
    throw invalidPatch(patched.shown, patched.of === 'document' ? await firstOfText(context, target, patched, error) : error.message);
  }
}

/** Of several type errors, the first in the text is reported. */
async function firstOfText(context: RequestContext, target: PatchTarget, patched: Patched, found: Error): Promise<string> {
  try {
    await runYielding(
      decode(context, target, await asShown(context, patched), () => {}),
      context.pause,
    );
  } catch (error) {
    if (isUnfit(error)) return error.message;
    throw error;
  }
  return found.message;
}

function isUnfit(error: unknown): error is DecodeError | UnreadableDocument {
  return error instanceof DecodeError || error instanceof UnreadableDocument;
}

function invalidPatch(shown: () => string, why: string): StatusError {
  const message = `Invalid value: ${JSON.stringify(shown())}: ${why}`;
  // About no object of any kind.
  return new StatusError(422, 'Invalid', ` "" is invalid: patch: ${message}`, {
    causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }],
  });
}

/** A number in a merge patch that no float can hold. @throws StatusError 400 */
export function refuseInfinite(patch: Json, literals: NumberLiterals, prefix: string): void {
  if (literals.size === 0) return;
  const open: Json[] = [patch];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (typeof at !== 'object' || at === null) continue;
    for (const [name, member = null] of Object.entries(at)) {
      if (member === Infinity || member === -Infinity) {
        const spelled = literals.get(at)?.get(Array.isArray(at) ? Number(name) : name) ?? '';
        throw badRequest(`${prefix}json: cannot unmarshal number ${spelled} into Go value of type float64`);
      }
      open.push(member);
    }
  }
}

/** The spellings of numbers in the result of a merge patch. */
export function mergedLiterals(patch: Json, result: Json, literals: NumberLiterals): NumberLiterals {
  const merged = new Map(literals);
  if (literals.size === 0) return merged;
  const open: (readonly [from: Json, to: Json])[] = [[patch, result]];
  for (let pair = open.pop(); pair; pair = open.pop()) {
    const [from, to] = pair;
    if (!isJsonObject(from) || !isJsonObject(to)) continue;
    const spelled = literals.get(from);
    if (spelled) merged.set(to, spelled);
    for (const [name, member = null] of Object.entries(from)) open.push([member, to[name] ?? null]);
  }
  return merged;
}
