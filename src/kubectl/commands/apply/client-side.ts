import { isJsonObject, type Json, type JsonObject, StatusError } from '../../../meta/index.ts';
import { createThreeWayMergePatch, createThreeWayStrategicPatch } from '../../../patch/index.ts';
import { type ApiResource, formatKind, formatResource } from '../../api/discovery.ts';
import { compactJson } from '../../printers/json.ts';
import type { Call } from '../../program/command.ts';
import { isStatus, KubectlError, withSource } from '../../program/errors.ts';
import { createObject, getObject, patchObject } from '../../resources/changes.ts';
import type { Info } from '../../resources/info.ts';
import { getLastApplied, setLastApplied, warnIfDeleting } from '../../resources/last-applied.ts';
import { schemaOf } from '../../resources/schema-of.ts';
import type { ApplyOptions, ApplyResult } from './index.ts';

/** `Resource: "…", GroupVersionKind: "…"\nName: "a", Namespace: "b"`. */
export function formatInfo({ resource, name, namespace }: Info): string {
  return `Resource: ${JSON.stringify(formatResource(resource))}, GroupVersionKind: ${JSON.stringify(formatKind(resource))}\nName: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`;
}

/** Creates the object, or patches it by the three-way difference of given, last applied and live configuration. Cf. kubectl apply. */
export async function applyClientSide(call: Call, info: Info, options: ApplyOptions): Promise<ApplyResult> {
  const object = info.object ?? {};
  const modified = setLastApplied(call, object);
  const live = await getLiveObject(call, info);
  if (!live) return { object: await createFirst(call, info, modified, options), operation: 'created' };
  if (options.dryRun === 'client') return { object: live, operation: 'configured' };
  const original = getLastApplied(call, live);
  if (original === undefined) {
    const annotation = call.product.names.lastAppliedAnnotation;
    call.err(
      `Warning: resource ${info.resource.name}/${info.name} is missing the ${annotation} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`,
    );
  }
  const { patched, patch } = await patchWithRetries(call, info, { modified, live, options });
  warnIfDeleting(call, patched);
  return { object: patched, operation: patch === '{}' ? 'unchanged' : 'configured' };
}

async function getLiveObject(call: Call, info: Info): Promise<JsonObject | undefined> {
  const fail = (error: unknown): never => {
    throw withSource(error, `retrieving current configuration of:\n${formatInfo(info)}\nfrom server for:`, info.source);
  };
  try {
    return await getObject(call, info);
  } catch (error) {
    return isStatus(error, 'NotFound') ? undefined : fail(error);
  }
}

async function createFirst(
  call: Call,
  info: Info,
  modified: JsonObject,
  { dryRun, validation, manager }: ApplyOptions,
): Promise<JsonObject> {
  const object = removeNulls(modified);
  if (dryRun === 'client') return object;
  try {
    return await createObject(call, info, object, { dryRun, validation, manager });
  } catch (error) {
    throw withSource(error, 'creating', info.source);
  }
}

/** Null members delete fields in a later apply; the first one omits them. */
function removeNulls(object: JsonObject): JsonObject {
  const clean = (value: Json | undefined): Json | undefined => {
    if (Array.isArray(value)) return value.map((item) => clean(item) ?? null);
    return isJsonObject(value) ? removeNulls(value) : value;
  };
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, clean(value)]])),
  );
}

interface PatchInput {
  readonly modified: JsonObject;
  readonly live: JsonObject;
  readonly options: ApplyOptions;
}

/** Retries after a conflict with a fresh copy, at most five times. */
async function patchWithRetries(
  call: Call,
  info: Info,
  { modified, live, options }: PatchInput,
): Promise<{ patched: JsonObject; patch: string }> {
  let current = live;
  for (let attempt = 0; ; attempt++) {
    let patch = '';
    try {
      const { type, body } = createPatch(call, info.resource, modified, current);
      patch = compactJson(body);
      return { patched: patch === '{}' ? current : await patchObject(call, info, type, patch, options), patch };
    } catch (error) {
      if (isStatus(error, 'Conflict') && attempt < 5) {
        current = await getObject(call, info);
        continue;
      }
      if (call.flags.bool('force') && (isStatus(error, 'Conflict') || isStatus(error, 'Invalid')))
        return { patched: await recreate(call, info, modified, options), patch };
      throw withSource(
        withSource(error, 'patching', info.source),
        `applying patch:\n${patch}\nto:\n${formatInfo(info)}\nfor:`,
        info.source,
      );
    }
  }
}

async function recreate(call: Call, info: Info, modified: JsonObject, { dryRun, validation, manager }: ApplyOptions): Promise<JsonObject> {
  const { deleteAndWait } = await import('../changes/delete.ts');
  await deleteAndWait(call, info);
  return createObject(call, info, modified, { dryRun, validation, manager });
}

/** The three-way difference of the last applied, the modified and the current configuration. @throws KubectlError */
export function createPatch(
  call: Call,
  resource: ApiResource,
  modified: JsonObject,
  current: JsonObject,
): { type: 'strategic' | 'merge'; body: JsonObject } {
  const lastApplied = getLastApplied(call, current);
  const original = readOriginal(lastApplied);
  const schema = schemaOf(call.product, resource);
  try {
    const body = schema
      ? createThreeWayStrategicPatch(original, modified, current, schema)
      : createThreeWayMergePatch(original, modified, current);
    return { type: schema ? 'strategic' : 'merge', body };
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    // kubectl tries the OpenAPI documents first, then its own types.
    for (const from of schema ? ['openapi v3 spec', 'openapi spec'] : [])
      call.err(`warning: error calculating patch from ${from}: ${error.message}\n`);
    throw new KubectlError(
      `creating patch with:\noriginal:\n${lastApplied ?? ''}\nmodified:\n${compactJson(modified)}\n\ncurrent:\n${compactJson(current)}\n\nfor: ${error.message}`,
    );
  }
}

function readOriginal(text: string | undefined): JsonObject {
  const value: unknown = text === undefined ? {} : JSON.parse(text);
  return isJsonObject(value) ? value : {};
}
