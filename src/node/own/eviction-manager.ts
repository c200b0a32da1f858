import { amountOf } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { NodeContext } from '../node-context.ts';
import { PodUsage, sumUsage, systemUsage } from '../usage/pod-usage.ts';
import { forcedSignals, type Signal, signals } from './node-pressure.ts';
import type { OwnNode } from './own-node.ts';
import type { OwnPods } from './own-pods.ts';
import { type Candidate, evictionReport, isCritical, rankPods, type ThresholdMet } from './rank-pods.ts';

/** How often resources are measured, and when a pod was evicted: its end takes a second. Cf. evictionMonitoringPeriod, waitForPodsCleanup. */
const monitoringMs = 10_000;
const cleanupMs = 2_000;

/**
 * Measures the resources of a node, and evicts one pod when one of them is low; returns the milliseconds until the next measurement.
 * Cf. pkg/kubelet/eviction managerImpl.synchronize.
 */
export function synchronizeEvictions(node: OwnNode, object: corev1.Node, pods: OwnPods, { clock, product }: NodeContext): number {
  const nowMs = clock.nowMs();
  const active = pods.activePods(node);
  const usage = new PodUsage(active, [], product, nowMs);
  const candidates = active.map((pod) => ({ pod, usages: usage.of(pod) }));
  const forced = forcedSignals(object);
  let isEvicted: boolean | undefined;
  for (const signal of signals) {
    const threshold = thresholdMet(signal, object, candidates, forced.has(signal.key));
    if (!threshold) continue;
    node.pressure.observe(signal.type, nowMs);
    const evictable = candidates.filter(({ pod }) => !isCritical(pod, product));
    isEvicted ??= evictOne(node, evictable, signal, threshold, pods);
  }
  return isEvicted ? cleanupMs : monitoringMs;
}

function thresholdMet(
  signal: Signal,
  { status }: corev1.Node,
  candidates: readonly Candidate[],
  isForced: boolean,
): ThresholdMet | undefined {
  const capacity = amountOf(signal.resource, status.capacity?.[signal.resource] ?? '0');
  const quantity = signal.threshold(capacity);
  const used = systemUsage.memoryBytes + candidates.reduce((sum, { usages }) => sum + sumUsage(usages).memoryBytes, 0);
  const measured = signal.key === 'memory' ? Math.floor((capacity - used) / 1024) * 1024 : Number.POSITIVE_INFINITY;
  const available = Math.max(0, isForced ? Math.min(measured, Math.floor(quantity / 2048) * 1024) : measured);
  return available < quantity ? { quantity, available } : undefined;
}

function evictOne(node: OwnNode, candidates: readonly Candidate[], signal: Signal, threshold: ThresholdMet, pods: OwnPods): boolean {
  node.warn('EvictionThresholdMet', `Attempting to reclaim ${signal.resource}`);
  const [candidate] = rankPods(candidates, signal);
  if (!candidate) return false;
  const { message, annotations } = evictionReport(candidate, signal, threshold);
  pods.evict(candidate.pod, { message, isDisruption: true }, annotations);
  return true;
}
