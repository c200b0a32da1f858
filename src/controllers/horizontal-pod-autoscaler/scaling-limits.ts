import type { autoscalingv2 } from '../../schema/api/index.ts';

/** A change of the number of replicas. */
export interface ScaleEvent {
  readonly atMs: number;
  /** Positive: replicas were added. */
  readonly change: number;
}

export interface LimitInput {
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** Why the number of replicas is limited, or that it is not. */
export interface Limited {
  readonly replicas: number;
  readonly reason: string;
  readonly message: string;
}

const limits = {
  up: ['ScaleUpLimit', 'the desired replica count is increasing faster than the maximum scale rate'],
  down: ['ScaleDownLimit', 'the desired replica count is decreasing faster than the maximum scale rate'],
  max: ['TooManyReplicas', 'the desired replica count is more than the maximum replica count'],
  min: ['TooFewReplicas', 'the desired replica count is less than the minimum replica count'],
  none: ['DesiredWithinRange', 'the desired count is within the acceptable range'],
} as const;

/** Without a behavior the number may double, or grow to 4. Cf. convertDesiredReplicasWithRules. */
export function limitReplicas({ currentReplicas, desiredReplicas, minReplicas, maxReplicas }: LimitInput): Limited {
  const fastest = Math.max(2 * currentReplicas, 4);
  if (desiredReplicas < minReplicas) return limited(minReplicas, 'min');
  const most = Math.min(maxReplicas, fastest);
  return desiredReplicas > most ? limited(most, maxReplicas > fastest ? 'up' : 'max') : limited(desiredReplicas, 'none');
}

/** Cf. convertDesiredReplicasWithBehaviorRate. */
export function limitReplicasByBehavior(
  { currentReplicas, desiredReplicas, minReplicas, maxReplicas }: LimitInput,
  { scaleUp = {}, scaleDown = {} }: autoscalingv2.HorizontalPodAutoscalerBehavior,
  events: readonly ScaleEvent[],
  nowMs: number,
): Limited {
  if (desiredReplicas > currentReplicas) {
    const fastest = Math.max(currentReplicas, scaleUpLimit(currentReplicas, scaleUp, events, nowMs));
    const most = Math.min(maxReplicas, fastest);
    if (desiredReplicas > most) return limited(most, maxReplicas > fastest ? 'up' : 'max');
  } else if (desiredReplicas < currentReplicas) {
    const fastest = Math.min(currentReplicas, scaleDownLimit(currentReplicas, scaleDown, events, nowMs));
    const least = Math.max(minReplicas, fastest);
    if (desiredReplicas < least) return limited(least, minReplicas < fastest ? 'down' : 'min');
  }
  return limited(desiredReplicas, 'none');
}

/** Cf. calculateScaleUpLimitWithScalingRules. */
function scaleUpLimit(current: number, rules: autoscalingv2.HPAScalingRules, events: readonly ScaleEvent[], nowMs: number): number {
  if (rules.selectPolicy === 'Disabled') return current;
  const proposals = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
    const atStart = replicasAtStart(current, events, nowMs - periodSeconds * 1000);
    return type === 'Pods' ? atStart + value : Math.ceil(atStart * (1 + value / 100));
  });
  return rules.selectPolicy === 'Min' ? Math.min(...proposals) : Math.max(...proposals);
}

/** Cf. calculateScaleDownLimitWithBehaviors. */
function scaleDownLimit(current: number, rules: autoscalingv2.HPAScalingRules, events: readonly ScaleEvent[], nowMs: number): number {
  if (rules.selectPolicy === 'Disabled') return current;
  const proposals = (rules.policies ?? []).map(({ type, value, periodSeconds }) => {
    const atStart = replicasAtStart(current, events, nowMs - periodSeconds * 1000);
    return type === 'Pods' ? atStart - value : Math.trunc(atStart * (1 - value / 100));
  });
  return rules.selectPolicy === 'Min' ? Math.max(...proposals) : Math.min(...proposals);
}

/** The number of replicas at the start of a period. Cf. getReplicasChangePerPeriod. */
function replicasAtStart(current: number, events: readonly ScaleEvent[], startMs: number): number {
  return events.reduce((replicas, { atMs, change }) => (atMs > startMs ? replicas - change : replicas), current);
}

function limited(replicas: number, limit: keyof typeof limits): Limited {
  const [reason, message] = limits[limit];
  return { replicas, reason, message };
}
