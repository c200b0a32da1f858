import { isJsonObject, type JsonObject } from '../../../meta/index.ts';
import { formatGroupVersion, qualifiedResourceName } from '../../api/discovery.ts';
import { createPrinter } from '../../printers/printer.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, messageOf, throwAggregated } from '../../program/errors.ts';
import { fileFlags, managerFlag, outputFlags, selectorFlag } from '../../program/global-flags.ts';
import { Builder } from '../../resources/builder.ts';
import { patchObject } from '../../resources/changes.ts';
import { decodeTyped } from '../../resources/decode-object.ts';
import type { Info } from '../../resources/info.ts';
import { requestFromFlags } from '../../resources/requests.ts';

const flags = { ...fileFlags, ...outputFlags, ...selectorFlag, ...managerFlag('kubectl-rollout') };

type Change = (call: Call, info: Info) => JsonObject;

function command(operation: string, change: Change): Command {
  return { flags, run: (call) => changeAll(call, operation, change) };
}

/** The objects of a rollout command. @throws KubectlError when none are requested */
export async function selectObjects(call: Call): Promise<Builder> {
  await call.namespace();
  if (call.words.length === 0 && call.flags.list('filename').length === 0 && call.flags.text('kustomize') === '')
    throw new KubectlError('required resource not specified');
  return new Builder(call, await requestFromFlags(call, { latest: true, typeMeansAll: true, continueOnError: true, typed: true }));
}

/** @throws KubectlError when `--revision` is negative */
export function requireRevision({ flags }: Call): void {
  if (flags.int('revision') < 0) throw new KubectlError(`revision must be a positive integer: ${flags.int('revision')}`);
}

/** Reports that there is nothing to do. */
export async function reportNoObjects(call: Call): Promise<number> {
  const { name } = await call.namespace();
  call.err(`No resources found in ${name} namespace.\n`);
  return 0;
}

async function changeAll(call: Call, operation: string, change: Change): Promise<number> {
  const { infos, error } = await (await selectObjects(call)).infos();
  const failures: unknown[] = error === undefined ? [] : [error];
  if (infos.length === 0 && failures.length === 0) return reportNoObjects(call);
  for (const info of infos) {
    try {
      const patch = JSON.stringify(change(call, info));
      const options = { manager: call.flags.text('field-manager'), dryRun: 'none' } as const;
      const changed = await patchObject(call, info, 'strategic', patch, options).catch((failure: unknown) => {
        throw new KubectlError(`failed to patch: ${messageOf(failure)}`);
      });
      // kubectl creates the printer last, so that a wrong format does not prevent the change.
      const print = await createPrinter(call, { operation, typed: true });
      call.out(print(decodeTyped(call.product, formatGroupVersion(info.resource), info.resource.kind, changed)));
    } catch (failure) {
      failures.push(failure);
    }
  }
  throwAggregated(failures);
  return 0;
}

function throwRolloutError({ resource, name }: Info, why: string): never {
  throw new KubectlError(`error: ${qualifiedResourceName(resource)} ${JSON.stringify(name)} ${why}`);
}

function isPaused({ object }: Info): boolean {
  return isJsonObject(object?.['spec']) && object['spec']['paused'] === true;
}

export const pause: Command = command('paused', (_, info) => {
  if (info.resource.name !== 'deployments') throwRolloutError(info, 'pausing is not supported');
  if (isPaused(info)) throwRolloutError(info, 'is already paused');
  return { spec: { paused: true } };
});

export const resume: Command = command('resumed', (_, info) => {
  if (info.resource.name !== 'deployments') throwRolloutError(info, 'resuming is not supported');
  if (!isPaused(info)) throwRolloutError(info, 'is not paused');
  return { spec: { paused: null } };
});

export const restart: Command = command('restarted', (call, info) => {
  if (!['deployments', 'daemonsets', 'statefulsets'].includes(info.resource.name)) throwRolloutError(info, 'restarting is not supported');
  if (isPaused(info)) throwRolloutError(info, "can't restart paused deployment (run rollout resume first)");
  const stamp = new Date(Math.floor(call.shell.clock.nowMs() / 1000) * 1000).toISOString().replace('.000', '');
  if (lastRestart(info) === stamp)
    throw new KubectlError(
      `failed to create patch for ${info.name}: if restart has already been triggered within the past second, please wait before attempting to trigger another`,
    );
  return { spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': stamp } } } } };
});

function lastRestart({ object }: Info): unknown {
  let value: unknown = object;
  for (const name of ['spec', 'template', 'metadata', 'annotations', 'kubectl.kubernetes.io/restartedAt'])
    value = isJsonObject(value) ? value[name] : undefined;
  return value;
}
