import { isJsonObject, type JsonObject, normalizeQuantity, recordAt } from '../../../meta/index.ts';
import { globToRegExp } from '../../../shell/index.ts';
import { text } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { managerFlag } from '../../program/global-flags.ts';
import { changePodSpec, containersOf, forEachTarget, selectTargets, sendChange, setFlags } from './pod-specs.ts';

/** Arguments before the first `name=value`. */
export function splitPairs(words: readonly string[]): {
  readonly resources: readonly string[];
  readonly pairs: ReadonlyMap<string, string>;
} {
  const isPair = (word: string): boolean => word.includes('=');
  const pairs = words.filter(isPair).map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] as const);
  return { resources: words.filter((word) => !isPair(word)), pairs: new Map(pairs) };
}

const missing = 'one or more resources must be specified as <resource> <name> or <resource>/<name>';

export const setImage: Command = { flags: { ...setFlags, ...managerFlag('kubectl-set') }, run: runImage };

async function runImage(call: Call): Promise<number> {
  const { resources, pairs } = splitPairs(call.words);
  if (resources.length === 0 && call.flags.list('filename').length === 0) throw new KubectlError(missing);
  const targets = await selectTargets(call, resources);
  if (pairs.size === 0) throw new KubectlError('at least one image update is required');
  if (pairs.size > 1 && pairs.has('*'))
    throw new KubectlError('all containers are already specified by *, but saw more than one container_name=container_image pairs');
  await forEachTarget(targets, async (info) => {
    const found = new Set<string>();
    const update = (container: JsonObject): JsonObject => {
      const name = String(container['name']);
      const image = pairs.get(name) ?? pairs.get('*');
      if (image === undefined) return container;
      found.add(pairs.has(name) ? name : '*');
      return { ...container, image };
    };
    const after = changePodSpec(info, (spec) => {
      const initial = containersOf(spec, 'initContainers').map(update);
      return { ...spec, containers: containersOf(spec).map(update), ...(initial.length > 0 ? { initContainers: initial } : {}) };
    });
    const unknown = [...pairs.keys()].filter((name) => !found.has(name));
    if (unknown.length > 0) throw new KubectlError(`unable to find container named ${JSON.stringify(unknown[0])}`);
    await sendChange(call, info, after, { operation: 'image updated', manager: call.flags.text('field-manager') });
  });
  return 0;
}

export const setResources: Command = {
  flags: {
    ...setFlags,
    ...managerFlag('kubectl-set'),
    containers: text('*', 'c'),
    limits: text('', undefined, 'cpu=…,memory=…'),
    requests: text(),
  },
  run: runResources,
};

async function runResources(call: Call): Promise<number> {
  const { flags, words } = call;
  if (words.length === 0 && flags.list('filename').length === 0) throw new KubectlError(missing);
  const targets = await selectTargets(call, words);
  if (flags.text('limits') === '' && flags.text('requests') === '')
    throw new KubectlError('you must specify an update to requests or limits (in the form of --requests/--limits)');
  const [limits, requests] = [readQuantities(flags.text('limits')), readQuantities(flags.text('requests'))];
  const matcher = globToRegExp(flags.text('containers'));
  await forEachTarget(targets, async (info) => {
    let hit = false;
    const after = changePodSpec(info, (spec) => ({
      ...spec,
      containers: containersOf(spec).map((container) => {
        if (!matcher.test(String(container['name']))) return container;
        hit = true;
        return {
          ...container,
          resources: withQuantities(recordAt(container, 'resources'), limits, requests),
        };
      }),
    }));
    if (!hit) throw new KubectlError(`error: unable to find container named ${flags.text('containers')}`);
    await sendChange(call, info, after, { operation: 'resource requirements updated', manager: flags.text('field-manager') });
  });
  return 0;
}

function readQuantities(text: string): JsonObject {
  if (text === '') return {};
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [name = '', value, more] = pair.split('=');
      if (value === undefined || more !== undefined) throw new KubectlError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
      return [name, normalizeQuantity(value)] as const;
    }),
  );
}

/** Zero removes a quantity. */
function withQuantities(resources: JsonObject, limits: JsonObject, requests: JsonObject): JsonObject {
  const merge = (before: unknown, more: JsonObject): JsonObject => {
    const merged = { ...(isJsonObject(before) ? before : {}), ...more };
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== '0'));
  };
  const [limit, request] = [merge(resources['limits'], limits), merge(resources['requests'], requests)];
  return {
    ...resources,
    ...(Object.keys(limit).length > 0 ? { limits: limit } : {}),
    ...(Object.keys(request).length > 0 ? { requests: request } : {}),
  };
}
