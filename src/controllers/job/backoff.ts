import { sidecarsOf } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { podCondition } from '../pods/index.ts';

/** Delay after the first failure, doubled by each further one. */
const initialMs = 10_000;
const maxMs = 600_000;

/** The failures of a job since its last success. Cf. pkg/controller/job/backoff_utils.go backoffRecord. */
export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailureMs: number | undefined;
}

export const noFailures: BackoffRecord = { failures: 0, lastFailureMs: undefined };

/** The record with pods that ended since. Cf. newBackoffRecord. */
export function updateBackoff(record: BackoffRecord, succeeded: readonly corev1.Pod[], failed: readonly corev1.Pod[]): BackoffRecord {
  const failureTimes = failed.map(podFinishedMs);
  if (succeeded.length === 0) {
    if (failed.length === 0) return record;
    return { failures: record.failures + failed.length, lastFailureMs: Math.max(...failureTimes) };
  }
  const lastSuccessMs = Math.max(...succeeded.map(podFinishedMs));
  const later = failureTimes.filter((atMs) => atMs > lastSuccessMs);
  return later.length === 0 ? noFailures : { failures: later.length, lastFailureMs: Math.max(...later) };
}

/** Milliseconds until another pod may be created. Cf. getRemainingTimeForFailuresCount. */
export function remainingBackoffMs({ failures, lastFailureMs }: BackoffRecord, nowMs: number): number {
  if (failures === 0 || lastFailureMs === undefined) return 0;
  const delayMs = Math.min(maxMs, initialMs * 2 ** Math.min(failures - 1, 10));
  return Math.max(0, delayMs - (nowMs - lastFailureMs));
}

/** When a pod ended. Cf. getFinishedTime. */
export function podFinishedMs(pod: corev1.Pod): number {
  const { metadata } = pod;
  const containersMs = containersFinishedMs(pod);
  if (containersMs !== undefined) return containersMs;
  const ready = podCondition(pod, 'Ready');
  if (ready?.status === 'False' && ready.lastTransitionTime) return Date.parse(ready.lastTransitionTime);
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp = '' } = metadata;
  return deletionTimestamp === undefined
    ? Date.parse(creationTimestamp)
    : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

/** The end of the last container; undefined when one did not end. Init containers that always restart end after the others. */
function containersFinishedMs({ spec, status }: corev1.Pod): number | undefined {
  const sidecars = new Set(sidecarsOf(spec).map(({ name }) => name));
  const mainMs = latestFinishedMs(undefined, status.containerStatuses ?? []);
  const sidecarStatuses = (status.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name));
  return latestFinishedMs(mainMs, sidecarStatuses);
}

function latestFinishedMs(sinceMs: number | undefined, statuses: readonly corev1.ContainerStatus[]): number | undefined {
  const times = statuses.map(({ state }) => state?.terminated?.finishedAt);
  if (times.some((time) => !time)) return undefined;
  const all = [...(sinceMs === undefined ? [] : [sinceMs]), ...times.map((time) => Date.parse(time ?? ''))];
  return all.length === 0 ? undefined : Math.max(...all);
}
