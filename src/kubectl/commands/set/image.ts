import type { JsonObject } from '../../../meta/index.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError, throwAggregated } from '../../program/errors.ts';
import { managerFlag, recordFlag } from '../../program/global-flags.ts';
import type { Info } from '../../resources/info.ts';
import { splitPairs } from './pairs.ts';
import {
  changeContainers,
  changePodSpec,
  changeTargets,
  createChangePrinter,
  requireNoLocalResources,
  selectTargets,
  setFlags,
} from './pod-specs.ts';

export const setImage: Command = { flags: { ...setFlags, ...managerFlag('kubectl-set'), ...recordFlag }, run: runImage };

const change = { operation: 'image updated', failure: 'failed to patch image update to pod template: ' };

async function runImage(call: Call): Promise<number> {
  await createChangePrinter(call, change);
  await call.namespace();
  const { resources, pairs } = splitPairs(call.words, 'image');
  requireNoLocalResources(call, resources);
  const targets = await selectTargets(call, resources);
  validate(call, resources, pairs);
  await changeTargets(call, targets, (info, errors) => setImages(info, pairs, errors), change);
  return 0;
}

/** @throws AggregatedErrors */
function validate({ flags }: Call, resources: readonly string[], pairs: ReadonlyMap<string, string>): void {
  const hasFiles = flags.list('filename').length > 0 || flags.text('kustomize') !== '';
  const problems: readonly (readonly [isPresent: boolean, message: string])[] = [
    [flags.bool('all') && flags.text('selector') !== '', 'cannot set --all and --selector at the same time'],
    [resources.length === 0 && !hasFiles, 'one or more resources must be specified as <resource> <name> or <resource>/<name>'],
    [pairs.size === 0, 'at least one image update is required'],
    [
      pairs.size > 1 && pairs.has('*'),
      'all containers are already specified by *, but saw more than one container_name=container_image pairs',
    ],
    [
      flags.bool('local') && flags.text('dry-run') === 'server',
      'cannot specify --local and --dry-run=server - did you mean --dry-run=client?',
    ],
  ];
  throwAggregated(problems.flatMap(([isPresent, message]) => (isPresent ? [new KubectlError(message)] : [])));
}

function setImages(info: Info, pairs: ReadonlyMap<string, string>, errors: unknown[]): JsonObject {
  const found = new Set<string>();
  const update = (container: JsonObject): JsonObject => {
    const name = String(container['name']);
    const key = pairs.has(name) ? name : '*';
    found.add(key);
    return { ...container, image: pairs.get(key) ?? '' };
  };
  const after = changePodSpec(info, (spec) => changeContainers(spec, (name) => pairs.has(name) || pairs.has('*'), update));
  for (const name of pairs.keys())
    if (!found.has(name)) errors.push(new KubectlError(`error: unable to find container named ${JSON.stringify(name)}`));
  return after;
}
