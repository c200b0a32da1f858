import type { JsonObject } from '../../../meta/index.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { managerFlag, recordFlag } from '../../program/global-flags.ts';
import { splitPairs } from './pairs.ts';
import { changeContainers, changePodSpec, forEachTarget, selectTargets, sendChange, setFlags, validateTargetFlags } from './pod-specs.ts';

export const setImage: Command = { flags: { ...setFlags, ...managerFlag('kubectl-set'), ...recordFlag }, run: runImage };

async function runImage(call: Call): Promise<number> {
  const { resources, pairs } = splitPairs(call.words, 'image');
  const targets = await selectTargets(call, resources);
  validateTargetFlags(call);
  if (pairs.size === 0) throw new KubectlError('at least one image update is required');
  if (pairs.size > 1 && pairs.has('*'))
    throw new KubectlError('all containers are already specified by *, but saw more than one container_name=container_image pairs');
  await forEachTarget(targets, async (info) => {
    const found = new Set<string>();
    const update = (container: JsonObject): JsonObject => {
      const name = String(container['name']);
      const key = pairs.has(name) ? name : '*';
      found.add(key);
      return { ...container, image: pairs.get(key) ?? '' };
    };
    const selected = (name: string): boolean => pairs.has(name) || pairs.has('*');
    const after = changePodSpec(info, (spec) => changeContainers(spec, selected, update));
    const unknown = [...pairs.keys()].find((name) => !found.has(name));
    if (unknown !== undefined) throw new KubectlError(`error: unable to find container named ${JSON.stringify(unknown)}`);
    await sendChange(call, info, after, { operation: 'image updated', failure: 'failed to patch image update to pod template: ' });
  });
  return 0;
}
