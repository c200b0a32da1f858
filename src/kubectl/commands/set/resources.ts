import { isJsonObject, type JsonObject, normalizeQuantity, QuantityError, recordAt } from '../../../meta/index.ts';
import { globToRegExp } from '../../../shell/index.ts';
import { text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { managerFlag, recordFlag } from '../../program/global-flags.ts';
import {
  type ComputeChange,
  changeContainers,
  changePodSpec,
  changeTargets,
  createChangePrinter,
  requireNoLocalResources,
  requireNoLocalServerDryRun,
  requireNoSelectorOfAll,
  selectTargets,
  setFlags,
} from './pod-specs.ts';

export const setResources: Command = {
  flags: {
    ...setFlags,
    ...managerFlag('kubectl-set'),
    ...recordFlag,
    containers: text('*', 'c'),
    limits: text(),
    requests: text(),
  },
  run: runResources,
};

const change = { operation: 'resource requirements updated', failure: 'failed to patch resources update to pod template ' };

async function runResources(call: Call): Promise<number> {
  const { flags, words } = call;
  await createChangePrinter(call, change);
  await call.namespace();
  requireNoLocalResources(call, words);
  const targets = await selectTargets(call, words);
  requireNoLocalServerDryRun(call);
  requireNoSelectorOfAll(call);
  if (flags.text('limits') === '' && flags.text('requests') === '')
    throw new KubectlError('you must specify an update to requests or limits (in the form of --requests/--limits)');
  const [limits, requests] = [readQuantities(flags.text('limits')), readQuantities(flags.text('requests'))];
  const matcher = globToRegExp(flags.text('containers'));
  const compute: ComputeChange = (info, errors) => {
    let hit = false;
    const after = changePodSpec(info, (spec) =>
      changeContainers(
        spec,
        (name) => matcher.test(name),
        (container) => {
          hit = true;
          return { ...container, resources: withQuantities(recordAt(container, 'resources'), limits, requests) };
        },
      ),
    );
    if (!hit) errors.push(new KubectlError(`error: unable to find container named ${flags.text('containers')}`));
    return hit ? after : undefined;
  };
  await changeTargets(call, targets, compute, change);
  return 0;
}

/** @throws KubectlError */
function readQuantities(text: string): JsonObject {
  if (text === '') return {};
  return Object.fromEntries(text.split(',').map(readQuantity));
}

function readQuantity(pair: string): readonly [name: string, quantity: string] {
  const [name = '', value, more] = pair.split('=');
  if (value === undefined || more !== undefined) throw new KubectlError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
  try {
    return [name, normalizeQuantity(value)];
  } catch (error) {
    if (error instanceof QuantityError) throw new KubectlError(error.message);
    throw error;
  }
}

function withQuantities(resources: JsonObject, limits: JsonObject, requests: JsonObject): JsonObject {
  const merge = (member: string, more: JsonObject): JsonObject =>
    Object.keys(more).length === 0
      ? {}
      : { [member]: { ...(isJsonObject(resources[member]) ? (resources[member] as JsonObject) : {}), ...more } };
  return { ...resources, ...merge('limits', limits), ...merge('requests', requests) };
}
