import { isJsonObject, type Json, type JsonObject, StatusError } from '../../../meta/index.ts';
import { createThreeWayMergePatch, createThreeWayStrategicPatch } from '../../../patch/index.ts';
import { type KnownResource, kindText, resourceText } from '../../api/discovery.ts';
import type { Call } from '../../program/command.ts';
import { isStatus, KubectlError, withSource } from '../../program/errors.ts';
import { createOn, getFrom, patchOn } from '../../resources/changes.ts';
import { type Info, metadataOf } from '../../resources/info.ts';
import { lastAppliedOf, withLastApplied } from '../../resources/last-applied.ts';
import { schemaOf } from '../../resources/schema-of.ts';
import type { Applied, ApplyOptions } from './index.ts';

/** `Resource: "…", GroupVersionKind: "…"\nName: "a", Namespace: "b"`. */
export function infoText({ resource, name, namespace }: Info): string {
  return `Resource: ${JSON.stringify(resourceText(resource))}, GroupVersionKind: ${JSON.stringify(kindText(resource))}\nName: ${JSON.stringify(name)}, Namespace: ${JSON.stringify(namespace)}`;
}

/** Compares what is given, what was given last time and what is there, and sends the difference. Cf. kubectl apply. */
export async function applyOnClient(call: Call, info: Info, options: ApplyOptions): Promise<Applied> {
  const object = info.object ?? {};
  const generated = metadataOf(object)['generateName'];
  if (info.name === '' && typeof generated === 'string' && generated !== '')
    throw new KubectlError(`from ${generated}: cannot use generate name with apply`);
  const modified = withLastApplied(call, object);
  const live = await findLive(call, info);
  if (!live) return { object: await createNew(call, info, modified, options), done: 'created' };
  if (options.dryRun === 'client') return { object: live, done: 'configured' };
  const original = lastAppliedOf(call, live);
  if (original === undefined) {
    const annotation = call.product.names.lastAppliedAnnotation;
    call.err(
      `Warning: resource ${info.resource.name}/${info.name} is missing the ${annotation} annotation which is required by kubectl apply. kubectl apply should only be used on resources created declaratively by either kubectl create --save-config or kubectl apply. The missing annotation will be patched automatically.\n`,
    );
  }
  const { patched, patch } = await patchUntilFresh(call, info, { modified, live, options });
  if (metadataOf(patched)['deletionTimestamp'] !== undefined)
    call.err(`Warning: Detected changes to resource ${info.name} which is currently being deleted.\n`);
  return { object: patched, done: patch === '{}' ? 'unchanged' : 'configured' };
}

async function findLive(call: Call, info: Info): Promise<JsonObject | undefined> {
  const fail = (error: unknown): never => {
    throw withSource(error, `retrieving current configuration of:\n${infoText(info)}\nfrom server for:`, info.source);
  };
  if (info.name === '') fail(new KubectlError('resource name may not be empty'));
  try {
    return await getFrom(call, info);
  } catch (error) {
    return isStatus(error, 'NotFound') ? undefined : fail(error);
  }
}

async function createNew(call: Call, info: Info, modified: JsonObject, { dryRun, validation, manager }: ApplyOptions): Promise<JsonObject> {
  const object = withoutNulls(modified);
  if (dryRun === 'client') return object;
  try {
    return await createOn(call, info, object, { dryRun, validation, manager });
  } catch (error) {
    throw withSource(error, 'creating', info.source);
  }
}

/** Nulls take members away in a later apply, so the first one leaves them out. */
function withoutNulls(object: JsonObject): JsonObject {
  const clean = (value: Json | undefined): Json | undefined => {
    if (Array.isArray(value)) return value.map((item) => clean(item) ?? null);
    return isJsonObject(value) ? withoutNulls(value) : value;
  };
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === null || value === undefined ? [] : [[name, clean(value)]])),
  );
}

interface Patching {
  readonly modified: JsonObject;
  readonly live: JsonObject;
  readonly options: ApplyOptions;
}

/** Somebody else may change the object between our reading and our patch: then it is read again, five times at most. */
async function patchUntilFresh(
  call: Call,
  info: Info,
  { modified, live, options }: Patching,
): Promise<{ patched: JsonObject; patch: string }> {
  let current = live;
  for (let attempt = 0; ; attempt++) {
    const { type, patch } = createPatch(call, info.resource, modified, current);
    if (patch === '{}') return { patched: current, patch };
    try {
      return { patched: await patchOn(call, info, type, patch, options), patch };
    } catch (error) {
      if (isStatus(error, 'Conflict') && attempt < 5) {
        current = await getFrom(call, info);
        continue;
      }
      if (call.flags.bool('force') && (isStatus(error, 'Conflict') || isStatus(error, 'Invalid')))
        return { patched: await recreate(call, info, modified, options), patch };
      throw withSource(error, `applying patch:\n${patch}\nto:\n${infoText(info)}\nfor:`, info.source);
    }
  }
}

async function recreate(call: Call, info: Info, modified: JsonObject, { dryRun, validation, manager }: ApplyOptions): Promise<JsonObject> {
  const { deleteAndWait } = await import('../delete.ts');
  await deleteAndWait(call, info);
  return createOn(call, info, modified, { dryRun, validation, manager });
}

function createPatch(
  call: Call,
  resource: KnownResource,
  modified: JsonObject,
  current: JsonObject,
): { type: 'strategic' | 'merge'; patch: string } {
  const original = readOriginal(lastAppliedOf(call, current));
  const schema = schemaOf(call.product, resource);
  try {
    const patch = schema
      ? createThreeWayStrategicPatch(original, modified, current, schema)
      : createThreeWayMergePatch(original, modified, current);
    return { type: schema ? 'strategic' : 'merge', patch: JSON.stringify(patch) };
  } catch (error) {
    if (error instanceof StatusError || !(error instanceof Error)) throw error;
    throw new KubectlError(
      `creating patch with:\noriginal:\n${JSON.stringify(original)}\nmodified:\n${JSON.stringify(modified)}\ncurrent:\n${JSON.stringify(current)}\nfor: ${error.message}`,
    );
  }
}

function readOriginal(text: string | undefined): JsonObject {
  const value: unknown = text === undefined ? {} : JSON.parse(text);
  return isJsonObject(value) ? value : {};
}
