import { isJsonObject, type Json, type JsonObject, withoutManagedFields } from '../../../meta/index.ts';
import { createThreeWayMergePatch, createThreeWayStrategicPatch } from '../../../patch/index.ts';
import { unifiedDiff } from '../../../shell/index.ts';
import { bool, int, text } from '../../parse/flags.ts';
import { compactJson } from '../../printers/json.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { describeError, isStatus, KubectlError, messageOf, undefinedIfNotFound } from '../../program/errors.ts';
import { fileFlags, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { createObject, getObject, patchObject } from '../../resources/changes.ts';
import { type Info, metadataOf, setMetadata, textsOf } from '../../resources/info.ts';
import { getLastApplied, setLastApplied } from '../../resources/last-applied.ts';
import { missingFilesMessage, requestFromFlags } from '../../resources/requests.ts';
import { schemaOf } from '../../resources/schema-of.ts';
import { printYaml } from '../../yaml/printer.ts';

export const diff: Command = {
  flags: {
    ...fileFlags,
    ...selectorFlag,
    concurrency: int(1),
    'field-manager': text('kubectl-client-side-apply'),
    'force-conflicts': bool(),
    prune: bool(),
    'prune-allowlist': { kind: 'array' },
    'server-side': bool(),
    'show-managed-fields': bool(),
  },
  run: runDiff,
};

/** Exit code 0: no differences; 1: differences; 2: an error. */
async function runDiff(call: Call): Promise<number> {
  try {
    return await compareAll(call);
  } catch (error) {
    if (call.signal.aborted) throw error;
    call.err(describeError(error).text);
    return 2;
  }
}

async function compareAll(call: Call): Promise<number> {
  if (call.words.length > 0) throw usageError(call, `Unexpected args: [${call.words.join(' ')}]`);
  const missing = missingFilesMessage(call);
  if (missing !== undefined) throw new KubectlError(missing);
  const builder = new Builder(call, await requestFromFlags(call, { continueOnError: false }));
  const ids = [call.shell.random.integer(2_000_000_000), call.shell.random.integer(2_000_000_000)] as const;
  let different = false;
  let text = '';
  await builder.visit(async (info) => {
    const live = await undefinedIfNotFound(getObject(call, info));
    const merged = await dryRunMerge(call, info, live);
    const [before, after] = maskSecretValues(info, live, merged).map((object) => formatForDiff(call, object));
    if (before === undefined || after === undefined || before === after) return;
    different = true;
    text += formatFileDiff(call, info, before, after, ids);
  });
  call.out(text);
  return different ? 1 : 0;
}

/** A new Secret is compared with `null`, any other new object with an empty file. */
function formatForDiff({ flags }: Call, object: JsonObject | null | undefined): string {
  if (object === undefined) return '';
  if (object === null) return 'null\n';
  return printYaml((flags.bool('show-managed-fields') ? object : withoutManagedFields(object)) as Json);
}

function formatFileDiff(
  call: Call,
  { resource, namespace, name }: Info,
  before: string,
  after: string,
  [live, merged]: readonly [number, number],
): string {
  const group = resource.group === '' ? '' : `${resource.group}.`;
  const file = `${group}${resource.version}.${resource.kind}.${namespace}.${name}`;
  const stamp = new Date(call.shell.clock.nowMs()).toISOString().replace('T', ' ').replace('Z', '000000 +0000');
  const [from, to] = [`/tmp/LIVE-${live}/${file}`, `/tmp/MERGED-${merged}/${file}`];
  return `diff -u -N ${from} ${to}\n--- ${from}\t${stamp}\n+++ ${to}\t${stamp}\n${unifiedDiff(before, after)}`;
}

/** The resulting object, from a server-side dry run. */
async function dryRunMerge(call: Call, info: Info, live: JsonObject | undefined): Promise<JsonObject> {
  const { flags } = call;
  const object = info.object ?? {};
  const server = flags.bool('server-side');
  const manager = flags.changed('field-manager') || !server ? flags.text('field-manager') : 'kubectl';
  const options = { manager, dryRun: 'server' as const };
  if (server) {
    return patchObject(call, info, 'apply', compactJson(object), { ...options, force: flags.bool('force-conflicts') }).catch(
      (error: unknown) => {
        if (isStatus(error, 'Conflict')) throw new KubectlError(messageOf(error));
        throw error;
      },
    );
  }
  if (!live) return createObject(call, info, object, options);
  const original = getLastApplied(call, live);
  const modified = original === undefined ? object : setLastApplied(call, object);
  const before = original === undefined ? {} : (JSON.parse(original) as JsonObject);
  const schema = schemaOf(call.product, info.resource);
  const patch = schema ? createThreeWayStrategicPatch(before, modified, live, schema) : createThreeWayMergePatch(before, modified, live);
  const quiet = original === undefined ? patch : withoutAnnotation(patch, call.product.names.lastAppliedAnnotation);
  // Compares with the live version, whatever version the manifest has.
  const current = setMetadata(quiet, { resourceVersion: metadataOf(live)['resourceVersion'] });
  return patchObject(call, info, schema ? 'strategic' : 'merge', JSON.stringify(current), options);
}

/** Drops the last-applied annotation from the patch, so that it does not show up as a difference. */
function withoutAnnotation(patch: JsonObject, annotation: string): JsonObject {
  const { metadata } = patch;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return patch;
  const { [annotation]: _, ...annotations } = metadata['annotations'];
  const { annotations: __, ...others } = metadata;
  const rest = Object.keys(annotations).length > 0 ? { ...others, annotations } : others;
  return { ...patch, metadata: rest };
}

/** Masks the values of Secrets; shows only which ones differ. */
function maskSecretValues(
  { resource }: Info,
  live: JsonObject | undefined,
  merged: JsonObject,
): readonly (JsonObject | null | undefined)[] {
  if (resource.group !== '' || resource.name !== 'secrets') return [live, merged];
  const [before, after] = [textsOf(live?.['data']), textsOf(merged['data'])];
  const mask = (own: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>, when: string): JsonObject =>
    Object.fromEntries(
      Object.keys(own).map((key) => [key, Object.hasOwn(other, key) && other[key] !== own[key] ? `*** (${when})` : '***']),
    );
  const hide = (object: JsonObject, data: JsonObject): JsonObject => (object['data'] === undefined ? object : { ...object, data });
  return [live ? hide(live, mask(before, after, 'before')) : null, hide(merged, mask(after, before, 'after'))];
}
