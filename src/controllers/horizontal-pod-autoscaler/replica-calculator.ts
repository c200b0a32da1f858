import type { corev1 } from '../../schema/api/index.ts';
import type { PodMetrics } from './metrics-client.ts';
import { countReadyPods, groupPods, type PodGroups, requestsOf } from './pod-groups.ts';

/** Deviation of the usage from its target that is ignored. */
const tolerance = 0.1;

/** The state of the target. */
export interface PodsInput {
  readonly currentReplicas: number;
  readonly pods: readonly corev1.Pod[];
  readonly nowMs: number;
}

export interface Proposal {
  readonly replicas: number;
  /** Average usage, in thousandths. */
  readonly usage: number;
  /** Percentage of the requests. */
  readonly utilization?: number;
}

interface Usage {
  /** Usage by target. */
  readonly ratio: number;
  readonly usage: number;
  readonly utilization?: number;
}

export interface UtilizationTarget {
  readonly resource: string;
  /** Empty: all containers. */
  readonly container: string;
  readonly percent: number;
}

/** Cf. pkg/controller/podautoscaler/replica_calculator.go GetResourceReplicas. @throws Error */
export function replicasForUtilization(
  metrics: PodMetrics,
  { resource, container, percent }: UtilizationTarget,
  input: PodsInput,
): Proposal {
  const groups = groupsOf(metrics, resource, input);
  const requests = requestsOf(input.pods, container, resource);
  const usageOf = (values: ReadonlyMap<string, number>): Usage => utilizationOf(values, requests, percent);
  // For a target above 100 % a missing pod counts with the target.
  const fallback = (name: string): number => Math.trunc(((requests.get(name) ?? 0) * Math.max(100, percent)) / 100);
  return propose(groups, input.currentReplicas, usageOf, fallback);
}

/** Cf. calcPlainMetricReplicas. `target` in thousandths. @throws Error */
export function replicasForAverage(metrics: PodMetrics, target: number, resource: string, input: PodsInput): Proposal {
  const groups = groupsOf(metrics, resource, input);
  const usageOf = (values: ReadonlyMap<string, number>): Usage => {
    const usage = Math.trunc(sum(values.values()) / values.size);
    return { ratio: usage / target, usage };
  };
  return propose(groups, input.currentReplicas, usageOf, () => target);
}

/** For one value of all pods. Cf. getUsageRatioReplicaCount. @throws Error without pods */
export function replicasForValue(usage: number, target: number, { currentReplicas, pods }: PodsInput): Proposal {
  const ratio = usage / target;
  if (currentReplicas === 0) return { replicas: toCount(ratio), usage };
  return { replicas: isWithinTolerance(ratio) ? currentReplicas : toCount(ratio * countReadyPods(pods)), usage };
}

/** For a value that is divided among the pods. Cf. GetObjectPerPodMetricReplicas. */
export function replicasForShare(usage: number, target: number, statusReplicas: number): Proposal {
  const isUnchanged = isWithinTolerance(usage / (target * statusReplicas));
  const wanted = Math.min(Math.ceil(usage / target), 2 ** 31 - 1);
  const share = Math.ceil(usage / statusReplicas);
  return { replicas: isUnchanged ? statusReplicas : wanted, usage: Number.isFinite(share) ? share : Number.MAX_SAFE_INTEGER };
}

function groupsOf(metrics: PodMetrics, resource: string, { pods, nowMs }: PodsInput): PodGroups {
  if (pods.length === 0) throw new Error('no pods returned by selector while calculating replica count');
  const groups = groupPods(pods, metrics, resource, nowMs);
  if (groups.metrics.size === 0) throw new Error('did not receive metrics for targeted pods (pods might be unready)');
  return groups;
}

/** Missing and unready pods are counted so that they make the change smaller, and never turn it around. */
function propose(
  { readyCount, unready, missing, metrics }: PodGroups,
  currentReplicas: number,
  usageOf: (values: ReadonlyMap<string, number>) => Usage,
  fallback: (name: string) => number,
): Proposal {
  const { ratio, ...current } = usageOf(metrics);
  const countsUnready = unready.length > 0 && ratio > 1;
  if (!countsUnready && missing.length === 0) {
    return { ...current, replicas: isWithinTolerance(ratio) ? currentReplicas : toCount(ratio * readyCount) };
  }
  const values = new Map(metrics);
  if (ratio !== 1) for (const name of missing) values.set(name, ratio < 1 ? fallback(name) : 0);
  if (countsUnready) for (const name of unready) values.set(name, 0);
  const { ratio: newRatio } = usageOf(values);
  const replicas = toCount(newRatio * values.size);
  const isStable = isWithinTolerance(newRatio) || isTurned(ratio, newRatio) || isContrary(newRatio, currentReplicas, replicas);
  return { ...current, replicas: isStable ? currentReplicas : replicas };
}

/** A number of replicas as Go's conversion to int32 on amd64 gives it: the smallest one for numbers that are too large. */
function toCount(replicas: number): number {
  const count = Math.ceil(replicas);
  return count < 2 ** 31 ? count : -(2 ** 31);
}

function isTurned(ratio: number, newRatio: number): boolean {
  return (ratio < 1 && newRatio > 1) || (ratio > 1 && newRatio < 1);
}

/** Whether the change of the replicas would have another direction than the usage demands. */
function isContrary(ratio: number, currentReplicas: number, replicas: number): boolean {
  return (ratio < 1 && replicas > currentReplicas) || (ratio > 1 && replicas < currentReplicas);
}

/** Cf. metrics/utilization.go GetResourceUtilizationRatio. */
function utilizationOf(values: ReadonlyMap<string, number>, requests: ReadonlyMap<string, number>, percent: number): Usage {
  const known = [...values].filter(([name]) => requests.has(name));
  const total = sum(known.map(([, value]) => value));
  const requested = sum(known.map(([name]) => requests.get(name) ?? 0));
  if (requested === 0) throw new Error('no metrics returned matched known pods');
  const utilization = Math.trunc((total * 100) / requested);
  return { ratio: utilization / percent, utilization, usage: Math.trunc(total / known.length) };
}

function isWithinTolerance(ratio: number): boolean {
  return 1 - tolerance <= ratio && ratio <= 1 + tolerance;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
