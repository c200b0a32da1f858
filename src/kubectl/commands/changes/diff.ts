import { type Json, type JsonObject, withoutManagedFields } from '../../../meta/index.ts';
import { unifiedDiff } from '../../../shell/index.ts';
import { formatKind } from '../../api/discovery.ts';
import { bool, int, text } from '../../parse/flags.ts';
import { compactJson } from '../../printers/json.ts';
import { type Call, type Command, usageError } from '../../program/command.ts';
import { describeError, isStatus, KubectlError, undefinedIfNotFound, withSource } from '../../program/errors.ts';
import { fileFlags, selectorFlag } from '../../program/global-flags.ts';
import { logLine } from '../../program/log-line.ts';
import { Builder } from '../../resources/builder.ts';
import { createObject, getObject, patchObject } from '../../resources/changes.ts';
import { type Info, metadataOf, setMetadata, textsOf } from '../../resources/info.ts';
import { warnIfDeleting } from '../../resources/last-applied.ts';
import { requestFromFlags, requireFiles } from '../../resources/requests.ts';
import { printYaml } from '../../yaml/printer.ts';
import { createPatch } from '../apply/client-side.ts';

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
  flagErrorCode: 2,
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
  const { flags } = call;
  requireFiles(call);
  if (flags.bool('force-conflicts') && !flags.bool('server-side'))
    throw new KubectlError('--force-conflicts only works with --server-side');
  await call.cluster();
  const pruning = flags.bool('prune') ? await import('../apply/prune.ts') : undefined;
  const allowed = (await pruning?.readAllowlist(call)) ?? [];
  const files: ComparedFile[] = [];
  const infos: Info[] = [];
  await new Builder(call, await requestFromFlags(call, { continueOnError: false })).visit(async (info) => {
    infos.push(info);
    files.push(await compareOne(call, info));
  });
  if (pruning && allowed.length === 0) pruning.warnOfDefaultKinds(call);
  for await (const info of pruning?.prunedObjects(call, allowed, infos) ?? [])
    files.push({ name: fileNameOf(info), before: printYaml(info.object ?? {}), after: undefined });
  const ids = [call.shell.random.integer(2_000_000_000), call.shell.random.integer(2_000_000_000)] as const;
  const different = files.filter(({ before, after }) => before !== after).sort((one, other) => (one.name < other.name ? -1 : 1));
  call.out(different.map((file) => formatFileDiff(call, file, ids)).join(''));
  return different.length > 0 ? 1 : 0;
}

/** A file in both directories that are compared. */
interface ComparedFile {
  readonly name: string;
  readonly before: string;
  /** Undefined: there is no such file. */
  readonly after: string | undefined;
}

async function compareOne(call: Call, info: Info): Promise<ComparedFile> {
  const live = await undefinedIfNotFound(getObject(call, info));
  const merged = await dryRunMerge(call, info, live)
    .catch((error: unknown) => {
      const changing = `Object (${formatKind(info.resource)}: ${info.name}) keeps changing, diffing without lock`;
      // kubectl has tried several times.
      if (isStatus(error, 'Conflict')) call.err(logLine(call, 'W', 'diff.go:723', changing));
      throw error;
    })
    .finally(() => warnIfDeleting(call, live));
  const [before = '', after = ''] = maskSecretValues(info, live, merged).map((object) => formatForDiff(call, object));
  return { name: fileNameOf(info), before, after };
}

/** A new Secret is compared with `null`, any other new object with an empty file. */
function formatForDiff({ flags }: Call, object: JsonObject | null | undefined): string {
  if (object === undefined) return '';
  if (object === null) return 'null\n';
  return printYaml((flags.bool('show-managed-fields') ? object : withoutManagedFields(object)) as Json);
}

function fileNameOf({ resource, namespace, name }: Info): string {
  const group = resource.group === '' ? '' : `${resource.group}.`;
  return `${group}${resource.version}.${resource.kind}.${namespace}.${name}`;
}

function formatFileDiff(call: Call, { name, before, after }: ComparedFile, [live, merged]: readonly [number, number]): string {
  const stamp = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '000000 +0000');
  const nowMs = call.shell.clock.nowMs();
  const [from, to] = [`/tmp/LIVE-${live}/${name}`, `/tmp/MERGED-${merged}/${name}`];
  // diff shows the epoch for a file that does not exist.
  const header = `--- ${from}\t${stamp(nowMs)}\n+++ ${to}\t${stamp(after === undefined ? 0 : nowMs)}\n`;
  return `diff -u -N ${from} ${to}\n${header}${unifiedDiff(before, after ?? '')}`;
}

/** The resulting object, from a server-side dry run. */
async function dryRunMerge(call: Call, info: Info, live: JsonObject | undefined): Promise<JsonObject> {
  const { flags } = call;
  const object = info.object ?? {};
  const server = flags.bool('server-side');
  const manager = flags.changed('field-manager') || !server ? flags.text('field-manager') : 'kubectl';
  const options = { manager, dryRun: 'server' as const };
  if (server) return patchObject(call, info, 'apply', compactJson(object), { ...options, force: flags.bool('force-conflicts') });
  if (!live) return createObject(call, info, object, options);
  // kubectl sets the annotations of the configuration without the last-applied one, even if there are no others.
  const { [call.product.names.lastAppliedAnnotation]: _, ...annotations } = textsOf(metadataOf(object)['annotations']);
  try {
    const { type, body } = createPatch(call, info.resource, setMetadata(object, { annotations }), live);
    if (Object.keys(body).length === 0) return live;
    // Compares with the live version, whatever version the manifest has.
    const current = setMetadata(body, { resourceVersion: metadataOf(live)['resourceVersion'] });
    return await patchObject(call, info, type, JSON.stringify(current), options);
  } catch (error) {
    throw withSource(error, 'patching', info.source);
  }
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
