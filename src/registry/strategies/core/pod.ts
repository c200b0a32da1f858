import { type ApiObject, groupBy, type JsonObject, recordAt, withMetadata } from '../../../meta/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import { computePodQosClass, type Decoded, isSemanticallyEqual } from '../../../schema/index.ts';
import { type KindRow, withMembers } from '../kind-row.ts';
import { withAnnotatedProfiles } from './app-armor.ts';
import { withMergedLabelKeys } from './label-keys.ts';

/** Cf. upstream podStrategy and the strategies of its subresources. */
export const pod: KindRow = {
  generation: ['spec'],
  statusOnCreate: (object, { now }) => initialStatus(object, now),
  create(object, { product, gates }) {
    const spec = withMergedLabelKeys(recordAt(object, 'spec'), object.metadata.labels ?? {}, gates);
    return withAnnotatedProfiles({ ...object, spec }, product);
  },
  statusUpdateRetains: ['deletionTimestamp', 'ownerReferences'],
  statusResets: [
    ['metadata', 'deletionTimestamp'],
    ['metadata', 'ownerReferences'],
  ],
  updateStatus: withRetainedStatus,
  gracePeriodSeconds,
  subresources: {
    ephemeralcontainers: (next, old) => withSpecMembers(next, old, { ephemeralContainers: recordAt(next, 'spec')['ephemeralContainers'] }),
    // Validation refuses added and removed containers.
    resize: (next, old) => (hasSameContainerCount(next, old) ? withSpecMembers(next, old, resizedContainers(next, old)) : next),
  },
};

type Pod = Decoded<corev1.Pod>;
type Condition = Decoded<corev1.PodCondition>;

function initialStatus({ spec, status }: Pod, now: string): JsonObject {
  return {
    phase: 'Pending',
    ...(spec?.schedulingGates?.length ? { conditions: [schedulingGated(now)] } : {}),
    // Cf. upstream GetPodQOS: a given class is not computed again.
    qosClass: status?.qosClass || computePodQosClass(spec ?? {}),
  };
}

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

function hasSameContainerCount(next: Pod, old: Pod): boolean {
  const lists = ['containers', 'initContainers'] as const;
  return lists.every((list) => (next.spec?.[list]?.length ?? 0) === (old.spec?.[list]?.length ?? 0));
}

/** Takes the resources and resize policies of existing containers. */
function resizedContainers(next: Pod, old: Pod): Parameters<typeof withMembers>[1] {
  const merge = (list: 'containers' | 'initContainers'): readonly Decoded<corev1.Container>[] => {
    const [now, then] = [next.spec?.[list] ?? [], old.spec?.[list] ?? []];
    // Another order or name: left unchanged for validation to refuse.
    if (then.some(({ name }, index) => name !== now[index]?.name)) return now;
    return then.map((container, index) =>
      withMembers(container, { resources: now[index]?.resources, resizePolicy: now[index]?.resizePolicy }),
    );
  };
  return {
    containers: merge('containers'),
    ...(old.spec?.initContainers?.length ? { initContainers: merge('initContainers') } : {}),
  };
}

/** Retains fields that old clients omit: the QoS class and the observed generations, also those of conditions. */
function withRetainedStatus(next: ApiObject, old: ApiObject): ApiObject {
  const { status = {} }: Pod = next;
  const { status: before = {} }: Pod = old;
  const typeOf = ({ type = '' }: Condition): string => type;
  const known = groupBy(before.conditions ?? [], typeOf);
  const seen = new Map<string, number>();
  const observed = (condition: Condition): Condition => {
    const type = typeOf(condition);
    // Conditions of the same type correspond in order.
    const place = seen.get(type) ?? 0;
    seen.set(type, place + 1);
    const observedGeneration = known.get(type)?.[place]?.observedGeneration;
    return condition.observedGeneration ? condition : withMembers(condition, { observedGeneration });
  };
  const retained = {
    qosClass: status.qosClass || before.qosClass,
    observedGeneration: status.observedGeneration || before.observedGeneration,
    ...(status.conditions?.length ? { conditions: status.conditions.map(observed) } : {}),
  };
  return { ...next, status: withMembers(status, retained) };
}

/** A pod that is not scheduled or has terminated is deleted at once. */
function gracePeriodSeconds({ spec, status }: Pod, requested: number | undefined): number {
  if (!spec?.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0;
  const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}
