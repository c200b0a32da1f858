import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

type Pod = Decoded<corev1.Pod>;

/** Positive: the other pod comes first. */
export type ComparePods = (one: Pod, other: Pod) => number;

/** The pods whose logs are most relevant come first. Cf. kubectl util/podutils ByLogging. */
export const byLogging: ComparePods = firstDifference([
  byAssignment,
  byPhase,
  byReadiness,
  (one, other) => byTime(readyTime(one), readyTime(other)),
  byRestarts,
  (one, other) => byTime(one.metadata?.creationTimestamp, other.metadata?.creationTimestamp),
]);

/** The pods that will be deleted last come first: the reverse of kubectl util/podutils ActivePods. */
export const byActivity: ComparePods = firstDifference([
  byAssignment,
  byPhase,
  byReadiness,
  (one, other) => Number(isDeleting(one)) - Number(isDeleting(other)),
  (one, other) => -byTime(one.metadata?.deletionTimestamp, other.metadata?.deletionTimestamp),
  (one, other) => byTime(readyTime(one), readyTime(other)),
  (one, other) => -byRestarts(one, other),
  (one, other) => byTime(one.metadata?.creationTimestamp, other.metadata?.creationTimestamp),
]);

function firstDifference(comparisons: readonly ComparePods[]): ComparePods {
  return (one, other) => {
    for (const compare of comparisons) {
      const difference = compare(one, other);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

function byAssignment(one: Pod, other: Pod): number {
  return Number(!one.spec?.nodeName) - Number(!other.spec?.nodeName);
}

const phases: Readonly<Record<string, number>> = { Unknown: 1, Pending: 2 };

function byPhase(one: Pod, other: Pod): number {
  return (phases[one.status?.phase ?? ''] ?? 0) - (phases[other.status?.phase ?? ''] ?? 0);
}

function byReadiness(one: Pod, other: Pod): number {
  return Number(readyTime(one) === undefined) - Number(readyTime(other) === undefined);
}

/** Earlier times, in the form of the server, come first, absent ones last. */
function byTime(one: string | null | undefined, other: string | null | undefined): number {
  if (one === other) return 0;
  if (!one || !other) return Number(!one) - Number(!other);
  return one < other ? -1 : 1;
}

/** More restarts come first; those of sidecars decide between equal ones. */
function byRestarts(one: Pod, other: Pod): number {
  const [restarts, otherRestarts] = [restartsOf(one), restartsOf(other)];
  return otherRestarts.main - restarts.main || otherRestarts.sidecars - restarts.sidecars;
}

function restartsOf({ spec = {}, status = {} }: Pod): { readonly main: number; readonly sidecars: number } {
  const sidecars = new Set((spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name));
  const most = (statuses: readonly Decoded<corev1.ContainerStatus>[] = []): number =>
    Math.max(0, ...statuses.map(({ restartCount = 0 }) => restartCount));
  return {
    main: most(status.containerStatuses ?? []),
    sidecars: most((status.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))),
  };
}

const isDeleting = ({ metadata }: Pod): boolean => metadata?.deletionTimestamp !== undefined;

/** When the pod became ready; undefined: it is not. */
function readyTime({ status }: Pod): string | undefined {
  const ready = status?.conditions?.find((condition) => condition.type === 'Ready' && condition.status === 'True');
  return ready && (ready.lastTransitionTime ?? '');
}
