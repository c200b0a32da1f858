import { type ApiObject, groupBy, type JsonObject, objectsAt, recordAt, textAt, withMetadata } from '../../../meta/index.ts';
import { computePodQosClass, isSemanticallyEqual } from '../../../schema/index.ts';
import { type KindRow, withMembers } from '../kind-row.ts';
import { withAnnotatedProfiles } from './app-armor.ts';
import { withMergedLabelKeys } from './label-keys.ts';

/** Cf. upstream podStrategy and the strategies of its subresources. */
export const pod: KindRow = {
  generation: ['spec'],
  statusOnCreate: (object, { now }) => ({
    phase: 'Pending',
    ...(objectsAt(recordAt(object, 'spec'), 'schedulingGates').length > 0 ? { conditions: [schedulingGated(now)] } : {}),
    // Cf. upstream GetPodQOS: a given class is not computed again.
    qosClass: textAt(recordAt(object, 'status'), 'qosClass') || computePodQosClass(recordAt(object, 'spec')),
  }),
  create(object, { product, gates }) {
    const spec = withMergedLabelKeys(recordAt(object, 'spec'), object.metadata.labels ?? {}, gates);
    return withAnnotatedProfiles({ ...object, spec }, product);
  },
  statusUpdateRetains: ['ownerReferences'],
  statusResets: [
    ['metadata', 'deletionTimestamp'],
    ['metadata', 'ownerReferences'],
  ],
  updateStatus: (next, old) => withRetainedStatus(next, recordAt(old, 'status')),
  gracePeriodSeconds,
  subresources: {
    ephemeralcontainers: (next, old) => withSpecMembers(next, old, { ephemeralContainers: recordAt(next, 'spec')['ephemeralContainers'] }),
    // Validation refuses added and removed containers.
    resize: (next, old) => (hasSameContainerCount(next, old) ? withSpecMembers(next, old, resizedContainers(next, old)) : next),
  },
};

/** The condition of a pod with scheduling gates: schedulers ignore it. Cf. upstream applySchedulingGatedCondition. */
function schedulingGated(now: string): JsonObject {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
}

/** Takes only these members of the spec; of metadata only the identity and managedFields (upstream ResetObjectMetaForStatus). */
function withSpecMembers(next: ApiObject, old: ApiObject, members: Parameters<typeof withMembers>[1]): ApiObject {
  const spec = withMembers(recordAt(old, 'spec'), members);
  const { deletionTimestamp, labels, annotations, finalizers, ownerReferences } = old.metadata;
  const identified = withMetadata(next, { deletionTimestamp, labels, annotations, finalizers, ownerReferences });
  const taken = { ...old, metadata: identified.metadata, spec };
  if (isSemanticallyEqual(spec, recordAt(old, 'spec'))) return taken;
  return withMetadata(taken, { generation: (old.metadata.generation ?? 0) + 1 });
}

function hasSameContainerCount(next: ApiObject, old: ApiObject): boolean {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  return ['containers', 'initContainers'].every((list) => objectsAt(spec, list).length === objectsAt(before, list).length);
}

/** Takes the resources and resize policies of existing containers. */
function resizedContainers(next: ApiObject, old: ApiObject): Parameters<typeof withMembers>[1] {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const merge = (list: string): readonly JsonObject[] => {
    const [now, then] = [objectsAt(spec, list), objectsAt(before, list)];
    // Another order or name: left unchanged for validation to refuse.
    if (then.some((container, index) => container['name'] !== now[index]?.['name'])) return now;
    return then.map((container, index) =>
      withMembers(container, { resources: now[index]?.['resources'], resizePolicy: now[index]?.['resizePolicy'] }),
    );
  };
  return {
    containers: merge('containers'),
    ...(objectsAt(before, 'initContainers').length > 0 ? { initContainers: merge('initContainers') } : {}),
  };
}

/** Retains fields that old clients omit: the QoS class and the observed generations, also those of conditions. */
function withRetainedStatus(object: ApiObject, before: JsonObject): ApiObject {
  const status = recordAt(object, 'status');
  const typeOf = (condition: JsonObject): string => textAt(condition, 'type');
  const known = groupBy(objectsAt(before, 'conditions'), typeOf);
  const seen = new Map<string, number>();
  const observed = (condition: JsonObject): JsonObject => {
    const type = typeOf(condition);
    // Conditions of the same type correspond in order.
    const place = seen.get(type) ?? 0;
    seen.set(type, place + 1);
    const old = known.get(type)?.[place];
    return condition['observedGeneration'] ? condition : withMembers(condition, { observedGeneration: old?.['observedGeneration'] });
  };
  const given = objectsAt(status, 'conditions');
  const retained = {
    qosClass: textAt(status, 'qosClass') === '' ? before['qosClass'] : status['qosClass'],
    observedGeneration: status['observedGeneration'] || before['observedGeneration'],
    ...(given.length > 0 ? { conditions: given.map(observed) } : {}),
  };
  return { ...object, status: withMembers(status, retained) };
}

/** A pod that is not scheduled or has terminated is deleted at once. */
function gracePeriodSeconds(object: ApiObject, requested: number | undefined): number {
  const spec = recordAt(object, 'spec');
  const phase = textAt(recordAt(object, 'status'), 'phase');
  if (textAt(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const own = spec['terminationGracePeriodSeconds'];
  const period = requested ?? (typeof own === 'number' ? own : 0);
  return period < 0 ? 1 : period;
}
