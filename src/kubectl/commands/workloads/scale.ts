import { type JsonObject, recordAt } from '../../../meta/index.ts';
import { bool, duration, int, text } from '../../parse/flags.ts';
import { createPrinter, parseDryRun, withDryRun } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, messageOf } from '../../program/errors.ts';
import { dryRunFlag, fileFlags, outputFlags, recordFlag, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { recordChangeCause } from '../../resources/change-cause.ts';
import { getObject, patchObject } from '../../resources/changes.ts';
import { type Info, metadataOf } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';

export const scale: Command = {
  flags: {
    ...dryRunFlag,
    ...fileFlags,
    ...outputFlags,
    ...selectorFlag,
    ...recordFlag,
    all: bool(),
    'current-replicas': int(-1),
    replicas: int(0),
    'resource-version': text(),
    timeout: duration(),
  },
  required: ['replicas'],
  run: runScale,
};

async function runScale(call: Call): Promise<number> {
  const { flags, out } = call;
  const dryRun = parseDryRun(call);
  const printer = await createPrinter(call, { operation: withDryRun('scaled', dryRun) });
  await call.namespace();
  await call.cluster();
  if (flags.int('replicas') < 0)
    throw new KubectlError('The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0');
  if (flags.int('current-replicas') < -1) throw new KubectlError('The --current-replicas must specify an integer of -1 or greater');
  const selection = { continueOnError: true, all: false, typeMeansAll: flags.bool('all') };
  const { infos, error } = await new Builder(call, await requestFromFlags(call, selection)).infos();
  if (infos.length === 0 && error !== undefined) throw new KubectlError(`no objects passed to scale ${messageOf(error)}`);
  if (infos.length === 0) throw new KubectlError('no objects passed to scale');
  if (infos.length > 1 && flags.text('resource-version') !== '')
    throw new KubectlError('cannot use --resource-version with multiple resources');
  for (const info of infos) {
    if (dryRun !== 'client') await scaleOne(call, info, dryRun);
    // Prints the object as read before: the scale subresource returns a Scale.
    out(printer(info.object ?? {}));
  }
  if (error !== undefined) throw error;
  return 0;
}

async function scaleOne(call: Call, info: Info, dryRun: 'none' | 'server'): Promise<void> {
  const { flags } = call;
  const [expected, version] = [flags.int('current-replicas'), flags.text('resource-version')];
  if (expected >= 0 || version !== '') {
    const before = await getObject(call, info, 'scale');
    const spec: JsonObject = recordAt(before, 'spec');
    const replicas = Number(spec['replicas'] ?? 0);
    if (expected >= 0 && replicas !== expected) throw new KubectlError(`Expected replicas to be ${expected}, was ${replicas}`);
    const found = String(metadataOf(before)['resourceVersion']);
    if (version !== '' && found !== version) throw new KubectlError(`Expected resource version to be ${version}, was ${found}`);
  }
  const body = JSON.stringify({ spec: { replicas: flags.int('replicas') } });
  await patchObject(call, info, 'merge', body, { manager: '', dryRun, subresource: 'scale' });
  if (dryRun === 'none' && flags.duration('timeout') !== 0) await waitForReplicas(call, info);
  await recordChangeCause(call, info, { manager: '', dryRun });
}

/** Polls the scale every second until it has the replicas, or another number of them is wanted. @throws KubectlError after the timeout */
async function waitForReplicas(call: Call, info: Info): Promise<void> {
  const { clock } = call.shell;
  const endMs = clock.monotonicMs() + call.flags.duration('timeout');
  const wanted = call.flags.int('replicas');
  for (;;) {
    const leftMs = endMs - clock.monotonicMs();
    if (leftMs <= 0) throw new KubectlError(`timed out waiting for ${JSON.stringify(info.name)} to be synced`);
    const found = await getObject(call, info, 'scale');
    if (Number(recordAt(found, 'spec')['replicas'] ?? 0) !== wanted) return;
    if (Number(recordAt(found, 'status')['replicas'] ?? 0) === wanted) return;
    await clock.sleep(Math.min(1000, leftMs), call.signal);
  }
}
