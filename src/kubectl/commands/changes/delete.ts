import { isJsonObject, type JsonObject } from '../../../meta/index.ts';
import { formatGroupKind, qualifiedResourceName, resourcePath } from '../../api/discovery.ts';
import { bool, duration, type FlagSpecs, int, optional, text } from '../../parse/flags.ts';
import { type DryRun, parseDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { collectErrors, isStatus, KubectlError, throwCollected, withSource } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { type Info, metadataOf } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';

export const deleteFlags: FlagSpecs = {
  cascade: optional('background', 'background'),
  force: bool(),
  'grace-period': int(-1),
  timeout: duration(),
  wait: bool(true),
};

export const deleteCommand: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...selectorFlag,
    ...deleteFlags,
    all: bool(),
    'all-namespaces': bool(false, 'A'),
    'field-selector': text(),
    'ignore-not-found': bool(),
    interactive: bool(false, 'i'),
    now: bool(),
    output: text('', 'o'),
    raw: text(),
  },
  run: runDelete,
};

type Cascade = 'Background' | 'Orphan' | 'Foreground';

/** Warns of deprecated values. @throws KubectlError */
export function parseCascade({ flags, err }: Call): Cascade {
  const value = flags.text('cascade');
  switch (value) {
    case 'background':
      return 'Background';
    case 'orphan':
      return 'Orphan';
    case 'foreground':
      return 'Foreground';
    case 'true':
    case 'false':
      err(
        `warning: --cascade=${value} is deprecated (boolean value) and can be replaced with --cascade=${value === 'true' ? 'background' : 'orphan'}.\n`,
      );
      return value === 'true' ? 'Background' : 'Orphan';
    default:
      throw new KubectlError(`invalid cascade value (${value}). Must be "background", "foreground", or "orphan"`);
  }
}

async function runDelete(call: Call): Promise<number> {
  const { flags } = call;
  const cascade = parseCascade(call);
  await call.namespace();
  const gracePeriodSeconds = readGracePeriod(call);
  const dryRun = parseDryRun(call);
  if (flags.text('raw') !== '') return deleteRaw(call, gracePeriodSeconds);
  const ignoreMissing = flags.changed('ignore-not-found') ? flags.bool('ignore-not-found') : selectsObjects(call);
  const request = await requestFromFlags(call, { continueOnError: true, latest: false, all: flags.bool('all') });
  const { infos, error } = await new Builder(call, request).infos();
  validateFlags(call, gracePeriodSeconds);
  const isIgnored = (one: unknown): boolean => ignoreMissing && isStatus(one, 'NotFound');
  const sourceErrors = collectErrors(error, isIgnored);
  if (flags.bool('interactive')) {
    const { confirmDeletion } = await import('./confirm-deletion.ts');
    if (!(await confirmDeletion(call, infos, sourceErrors))) return 0;
  }
  const deletion = await deleteAll(call, infos, { cascade, dryRun, gracePeriodSeconds });
  throwCollected([...deletion.errors.filter((one) => !isIgnored(one)), ...sourceErrors]);
  if (deletion.found === 0) {
    if (flags.text('output') !== 'name') call.out('No resources found\n');
    return 0;
  }
  if (flags.bool('wait') && dryRun === 'none') await waitUntilDeleted(call, deletion.deleted);
  return 0;
}

function selectsObjects({ flags }: Call): boolean {
  return flags.bool('all') || flags.text('selector') !== '' || flags.text('field-selector') !== '';
}

interface Deletion {
  readonly found: number;
  readonly deleted: readonly { readonly info: Info; readonly uid: string }[];
  readonly errors: readonly unknown[];
}

/** Deletes the objects, and continues after errors. */
async function deleteAll(call: Call, infos: Iterable<Info>, mode: DeletionMode): Promise<Deletion> {
  const deleted: { info: Info; uid: string }[] = [];
  const errors: unknown[] = [];
  let found = 0;
  let warns = call.flags.changed('namespace') && !call.flags.bool('all-namespaces');
  for (const info of infos) {
    found++;
    if (warns && !info.resource.namespaced) {
      call.err('Warning: deleting cluster-scoped resources, not scoped to the provided namespace\n');
      warns = false;
    }
    try {
      deleted.push({ info, uid: await deleteOne(call, info, mode) });
    } catch (failure) {
      errors.push(failure);
    }
  }
  return { found, deleted, errors };
}

/** Negative: that of the object. Only --force deletes at once. @throws KubectlError */
function readGracePeriod({ flags }: Call): number {
  const [seconds, isForced] = [flags.int('grace-period'), flags.bool('force')];
  if (!flags.bool('now')) return isForced ? Math.max(seconds, 0) : seconds === 0 ? 1 : seconds;
  if (seconds !== -1) throw new KubectlError('--now and --grace-period cannot be specified together');
  return 1;
}

/** Warns of a deletion at once. @throws KubectlError when flags contradict each other */
function validateFlags({ flags, err }: Call, gracePeriodSeconds: number): void {
  const output = flags.text('output');
  if (output !== '' && output !== 'name') throw new KubectlError(`unexpected -o output mode: ${output}. We only support '-o name'`);
  for (const flag of ['selector', 'field-selector'])
    if (flags.bool('all') && flags.text(flag) !== '') throw new KubectlError(`cannot set --all and --${flag} at the same time`);
  if (!flags.bool('force')) return;
  if (gracePeriodSeconds > 0) throw new KubectlError('--force and --grace-period greater than 0 cannot be specified together');
  err(
    'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
  );
}

interface DeletionMode {
  readonly cascade: Cascade;
  readonly dryRun: DryRun;
  /** Undefined or negative: that of the object. */
  readonly gracePeriodSeconds?: number;
}

/** Deletes the object and prints it. Returns its uid. */
async function deleteOne(call: Call, info: Info, mode: DeletionMode): Promise<string> {
  const { dryRun } = mode;
  if (dryRun === 'client') {
    // A client dry run only requires that the object exists.
    printDeleted(call, info, dryRun);
    return '';
  }
  let answer: JsonObject;
  try {
    answer = await requestDeletion(call, info, mode);
  } catch (error) {
    throw withSource(error, 'deleting', info.source);
  }
  printDeleted(call, info, dryRun);
  const details = isJsonObject(answer['details']) ? answer['details'] : metadataOf(answer);
  return String(details['uid'] ?? '');
}

async function requestDeletion(call: Call, info: Info, { cascade, dryRun, gracePeriodSeconds = -1 }: DeletionMode): Promise<JsonObject> {
  const client = await call.api();
  const body = {
    propagationPolicy: cascade,
    ...(gracePeriodSeconds < 0 ? {} : { gracePeriodSeconds }),
    ...(dryRun === 'server' ? { dryRun: ['All'] } : {}),
  };
  return client.read('DELETE', resourcePath(info.resource, info.namespace, info.name), {
    body,
    query: { dryRun: dryRun === 'server' ? 'All' : undefined },
    about: { resource: qualifiedResourceName(info.resource), name: info.name },
  });
}

function printDeleted({ flags, out }: Call, { resource, name, namespace }: Info, dryRun: DryRun): void {
  const kind = formatGroupKind(resource).toLowerCase();
  if (flags.has('output') && flags.text('output') === 'name') {
    out(`${kind}/${name}\n`);
    return;
  }
  const how = flags.has('force') && flags.bool('force') ? 'force deleted' : 'deleted';
  const where = resource.namespaced ? ` from ${namespace} namespace` : '';
  const dry = dryRun === 'client' ? ' (dry run)' : dryRun === 'server' ? ' (server dry run)' : '';
  out(`${kind} ${JSON.stringify(name)} ${how}${where}${dry}\n`);
}

/** Waits until each object is deleted or was replaced. @throws KubectlError on timeout */
async function waitUntilDeleted(call: Call, deleted: readonly { readonly info: Info; readonly uid: string }[]): Promise<void> {
  const { clock } = call.shell;
  const limit = call.flags.duration('timeout');
  const endMs = clock.monotonicMs() + (limit > 0 ? limit : 7 * 24 * 3_600_000);
  for (const { info, uid } of deleted) {
    for (let pause = 50; ; pause = Math.min(pause * 2, 1000)) {
      const live = await getIfExists(call, info);
      if (!live || (uid !== '' && metadataOf(live)['uid'] !== uid)) break;
      if (clock.monotonicMs() >= endMs) throw new KubectlError(`timed out waiting for the condition on ${info.resource.name}/${info.name}`);
      await clock.sleep(Math.min(pause, Math.max(1, endMs - clock.monotonicMs())), call.signal);
    }
  }
}

async function getIfExists(call: Call, info: Info): Promise<JsonObject | undefined> {
  const client = await call.api();
  try {
    return await client.read('GET', resourcePath(info.resource, info.namespace, info.name));
  } catch (error) {
    if (isStatus(error, 'NotFound') || isStatus(error, 'Forbidden') || isStatus(error, 'MethodNotAllowed')) return undefined;
    throw error;
  }
}

/** Deletes with the flags of --force, prints the object, and waits. */
export async function forceDelete(call: Call, info: Info): Promise<void> {
  const grace = Math.max(call.flags.int('grace-period'), 0);
  const options = { cascade: parseCascade(call), dryRun: 'none', gracePeriodSeconds: grace } as const;
  const answer = await requestDeletion(call, info, options).catch((error: unknown) => {
    throw withSource(error, 'deleting', info.source);
  });
  call.out(
    `${formatGroupKind(info.resource).toLowerCase()} ${JSON.stringify(info.name)} deleted${info.resource.namespaced ? ` from ${info.namespace} namespace` : ''}\n`,
  );
  const details = isJsonObject(answer['details']) ? answer['details'] : metadataOf(answer);
  if (call.flags.bool('wait')) await waitUntilDeleted(call, [{ info, uid: String(details['uid'] ?? '') }]);
}

/** Deletes without output. */
export async function deleteWithoutOutput(call: Call, info: Info, dryRun: DryRun): Promise<void> {
  await requestDeletion(call, info, { cascade: 'Background', dryRun });
}

/** Deletes an object that the command then recreates. */
export async function deleteAndWait(call: Call, info: Info): Promise<void> {
  const answer = await requestDeletion(call, info, { cascade: 'Background', dryRun: 'none', gracePeriodSeconds: 0 });
  const details = isJsonObject(answer['details']) ? answer['details'] : metadataOf(answer);
  await waitUntilDeleted(call, [{ info, uid: String(details['uid'] ?? '') }]);
}

async function deleteRaw(call: Call, gracePeriodSeconds: number): Promise<number> {
  const { flags } = call;
  validateFlags(call, gracePeriodSeconds);
  if (flags.bool('interactive')) throw new KubectlError('--interactive can not be used with --raw');
  const [file, ...others] = flags.list('filename');
  if (others.length > 0) throw new KubectlError('--raw can only use a single local file or stdin');
  const { readRawBody, requireLocalFile, requireRawPath } = await import('../raw-body.ts');
  requireLocalFile(call);
  requireRawPath(call);
  const { sendRaw } = await import('../get/raw.ts');
  const body = file === undefined ? undefined : await readRawBody(call, file);
  await sendRaw(call, 'DELETE', flags.text('raw'), body, call.out);
  return 0;
}
