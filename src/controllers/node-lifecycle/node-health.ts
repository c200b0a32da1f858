import { formatTime, parseTime } from '../../meta/index.ts';
import type { coordinationv1, corev1 } from '../../schema/api/index.ts';
import { nodeCondition } from '../nodes/index.ts';

/** Time without a sign of a node after which it is unreachable (--node-monitor-grace-period), and that of a new node. */
const graceMs = 50_000;
const startupGraceMs = 60_000;

/** What was observed of a node. Cf. nodeHealthData. */
export interface NodeHealth {
  readonly ready: corev1.NodeCondition | undefined;
  /** When the last sign of the node was observed. */
  readonly probeMs: number;
  readonly renewTime: string | undefined;
}

export interface HealthCheck {
  readonly health: NodeHealth;
  /** The conditions that are to be written: the node is unreachable. */
  readonly conditions: readonly corev1.NodeCondition[] | undefined;
}

/** The conditions that a kubelet reports. */
const reportedTypes = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/** Compares a node and its lease with what was observed before. Cf. tryUpdateNodeHealth. */
export function checkHealth(
  node: corev1.Node,
  lease: coordinationv1.Lease | undefined,
  before: NodeHealth | undefined,
  nowMs: number,
): HealthCheck {
  const ready = nodeCondition(node, 'Ready');
  const createdMs = parseTime(node.metadata.creationTimestamp ?? '') ?? nowMs;
  const renewTime = lease?.spec?.renewTime ?? undefined;
  const isRenewed = renewTime !== undefined && (before?.renewTime === undefined || before.renewTime < renewTime);
  let probeMs = before?.probeMs ?? (ready ? nowMs : createdMs);
  if (isRenewed || (before && before.ready?.lastHeartbeatTime !== ready?.lastHeartbeatTime)) probeMs = nowMs;
  const health = { ready, probeMs, renewTime: isRenewed ? renewTime : before?.renewTime };
  const isExpired = nowMs > probeMs + (ready ? graceMs : startupGraceMs);
  return { health, conditions: isExpired ? unknownConditions(node, nowMs) : undefined };
}

/** The conditions of an unreachable node; undefined when its Ready condition is Unknown already. */
function unknownConditions(node: corev1.Node, nowMs: number): readonly corev1.NodeCondition[] | undefined {
  if (nodeCondition(node, 'Ready')?.status === 'Unknown') return undefined;
  const now = formatTime(nowMs);
  const known = (node.status.conditions ?? []).map((condition) =>
    reportedTypes.includes(condition.type) && condition.status !== 'Unknown'
      ? {
          ...condition,
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: now,
        }
      : condition,
  );
  const missing = reportedTypes.filter((type) => !nodeCondition(node, type));
  const added = missing.map((type) => ({
    type,
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: 'Kubelet never posted node status.',
    lastHeartbeatTime: node.metadata.creationTimestamp ?? now,
    lastTransitionTime: now,
  }));
  return [...known, ...added];
}
