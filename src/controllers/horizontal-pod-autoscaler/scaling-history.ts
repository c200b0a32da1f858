import type { autoscalingv2 } from '../../schema/api/index.ts';
import type { Limited, ScaleEvent } from './scaling-limits.ts';

/** Default time in which the highest recommendation prevents scaling down. */
const scaleDownWindowMs = 300_000;
/** Longest period of a policy, and longest stabilization window. */
const retentionMs = 3_600_000;

const scaleUpStabilized = 'recent recommendations were lower than current one, applying the lowest recent recommendation';
const scaleDownStabilized = 'recent recommendations were higher than current one, applying the highest recent recommendation';

interface Recommendation {
  readonly replicas: number;
  readonly atMs: number;
}

/** Recent recommendations and changes of one autoscaler. */
export class ScalingHistory {
  #recommendations: Recommendation[] = [];
  #events: ScaleEvent[] = [];

  get events(): readonly ScaleEvent[] {
    return this.#events;
  }

  /** Cf. recordInitialRecommendation. */
  recordInitial(replicas: number, nowMs: number): void {
    if (this.#recommendations.length === 0) this.#recommendations.push({ replicas, atMs: nowMs });
  }

  /** Cf. storeScaleEvent. */
  recordChange(change: number, nowMs: number): void {
    this.#events = [...this.#events.filter(({ atMs }) => atMs >= nowMs - retentionMs), { atMs: nowMs, change }];
  }

  /** The highest of the recent recommendations and the new one, which it records. Cf. stabilizeRecommendation. */
  stabilize(replicas: number, nowMs: number): Limited {
    const recent = this.#recommendations.filter(({ atMs }) => atMs >= nowMs - scaleDownWindowMs);
    const highest = Math.max(replicas, ...recent.map((one) => one.replicas));
    this.#record(replicas, nowMs);
    return { replicas: highest, reason: 'ScaleDownStabilized', message: scaleDownStabilized };
  }

  /** Cf. stabilizeRecommendationWithBehaviors. */
  stabilizeByBehavior(
    replicas: number,
    currentReplicas: number,
    { scaleUp, scaleDown }: autoscalingv2.HorizontalPodAutoscalerBehavior,
    nowMs: number,
  ): Limited {
    const upStartMs = nowMs - (scaleUp?.stabilizationWindowSeconds ?? 0) * 1000;
    const downSeconds = scaleDown?.stabilizationWindowSeconds;
    const downStartMs = nowMs - (downSeconds === undefined ? scaleDownWindowMs : downSeconds * 1000);
    const since = (startMs: number): readonly number[] =>
      this.#recommendations.filter(({ atMs }) => atMs > startMs).map((one) => one.replicas);
    const lowest = Math.min(replicas, ...since(upStartMs));
    const highest = Math.max(replicas, ...since(downStartMs));
    this.#record(replicas, nowMs);
    const stabilized = Math.min(Math.max(currentReplicas, lowest), highest);
    return replicas >= currentReplicas
      ? { replicas: stabilized, reason: 'ScaleUpStabilized', message: scaleUpStabilized }
      : { replicas: stabilized, reason: 'ScaleDownStabilized', message: scaleDownStabilized };
  }

  #record(replicas: number, nowMs: number): void {
    this.#recommendations = [...this.#recommendations.filter(({ atMs }) => atMs >= nowMs - retentionMs), { replicas, atMs: nowMs }];
  }
}
