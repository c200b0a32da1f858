import { type ApiObject, compareQuantities, type JsonObject, parseQuantity, signOfQuantity, withMetadata } from '../../../meta/index.ts';
import { sameJson } from '../../update.ts';
import { itemsOf, type KindRow, partOf, textOf, withMembers } from '../row.ts';

/** Cf. upstream podStrategy and its siblings for the subresources. */
export const pod: KindRow = {
  generation: ['spec'],
  statusOnCreate: (object) => ({ phase: 'Pending', qosClass: qosClassOf(partOf(object, 'spec')) }),
  statusKeeps: ['ownerReferences'],
  statusResets: [
    ['metadata', 'deletionTimestamp'],
    ['metadata', 'ownerReferences'],
  ],
  updateStatus: (next, old) => withStatusMembers(next, { qosClass: partOf(old, 'status')['qosClass'] }),
  gracePeriodSeconds,
  subresources: {
    ephemeralcontainers: (next, old) => onlySpec(next, old, { ephemeralContainers: partOf(next, 'spec')['ephemeralContainers'] }),
    resize: (next, old) => onlySpec(next, old, resized(next, old)),
  },
};

/** The subresource takes nothing but these members of the spec. */
function onlySpec(next: ApiObject, old: ApiObject, members: Parameters<typeof withMembers>[1]): ApiObject {
  const spec = withMembers(partOf(old, 'spec'), members);
  const taken = { ...old, metadata: next.metadata, spec };
  if (sameJson(spec, partOf(old, 'spec'))) return taken;
  return withMetadata(taken, { generation: (old.metadata.generation ?? 0) + 1 });
}

/** Resources of containers that are there, and of the pod as a whole. */
function resized(next: ApiObject, old: ApiObject): Parameters<typeof withMembers>[1] {
  const [spec, before] = [partOf(next, 'spec'), partOf(old, 'spec')];
  const merge = (list: string): readonly JsonObject[] =>
    itemsOf(before, list).map((container) => {
      const asked = itemsOf(spec, list).find((one) => one['name'] === container['name']);
      return asked ? withMembers(container, { resources: asked['resources'], resizePolicy: asked['resizePolicy'] }) : container;
    });
  return {
    containers: merge('containers'),
    ...(itemsOf(before, 'initContainers').length > 0 ? { initContainers: merge('initContainers') } : {}),
  };
}

function withStatusMembers(object: ApiObject, members: Parameters<typeof withMembers>[1]): ApiObject {
  return { ...object, status: withMembers(partOf(object, 'status'), members) };
}

/** A pod that no node has, or that has ended, goes at once. */
function gracePeriodSeconds(object: ApiObject, asked: number | undefined): number {
  const spec = partOf(object, 'spec');
  const phase = textOf(partOf(object, 'status'), 'phase');
  if (textOf(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const own = spec['terminationGracePeriodSeconds'];
  const period = asked ?? (typeof own === 'number' ? own : 0);
  return period < 0 ? 1 : period;
}

const counted = ['cpu', 'memory'] as const;

/** Cf. upstream ComputePodQOS. */
export function qosClassOf(spec: JsonObject): string {
  const whole = spec['resources'];
  const all =
    whole === undefined
      ? [...itemsOf(spec, 'containers'), ...itemsOf(spec, 'initContainers')].map((one) => partOf(one, 'resources'))
      : [whole as JsonObject];
  const asked = all.flatMap((resources) => [...amounts(resources, 'requests'), ...amounts(resources, 'limits')]);
  if (asked.length === 0) return 'BestEffort';
  return all.every(isGuaranteed) ? 'Guaranteed' : 'Burstable';
}

function isGuaranteed(resources: JsonObject): boolean {
  const [requests, limits] = [new Map(amounts(resources, 'requests')), new Map(amounts(resources, 'limits'))];
  return counted.every((name) => {
    const limit = limits.get(name);
    const request = requests.get(name) ?? limit;
    return limit !== undefined && request !== undefined && compareQuantities(parseQuantity(limit), parseQuantity(request)) === 0;
  });
}

/** Amounts of cpu and memory that are more than nothing. */
function amounts(resources: JsonObject, part: 'requests' | 'limits'): readonly (readonly [name: string, amount: string])[] {
  const list = partOf(resources, part);
  return counted.flatMap((name) => {
    const amount = list[name];
    return typeof amount === 'string' && signOfQuantity(parseQuantity(amount)) > 0 ? [[name, amount] as const] : [];
  });
}
