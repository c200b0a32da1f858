import type { NodeInfo } from '../../framework/node-info.ts';
import { maxNodeScore } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { amountIn } from '../../framework/resources.ts';

export interface ResourceWeight {
  readonly name: string;
  readonly weight?: number;
}

/** A point of a piecewise linear function: utilization in percent, score 0…10. */
export interface ShapePoint {
  readonly utilization: number;
  readonly score: number;
}

/** ScoringStrategy of NodeResourcesFitArgs. */
export interface ScoringStrategy {
  readonly type?: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
  readonly resources?: readonly ResourceWeight[];
  readonly requestedToCapacityRatio?: { readonly shape?: readonly ShapePoint[] };
}

/** NodeResourcesFitArgs. */
export interface FitArgs {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
  readonly scoringStrategy?: ScoringStrategy;
}

type Scorer = (pod: PodInfo, node: NodeInfo) => number;

const defaultResources: readonly ResourceWeight[] = [{ name: 'cpu' }, { name: 'memory' }];

/** Scores by the use of the node when the pod runs there. Cf. noderesources resourceAllocationScorer. */
export function createScorer({
  type = 'LeastAllocated',
  resources = defaultResources,
  requestedToCapacityRatio,
}: ScoringStrategy = {}): Scorer {
  const weights = (resources.length === 0 ? defaultResources : resources).map(({ name, weight = 1 }) => ({ name, weight: weight || 1 }));
  const scoreOf = scoreFunctions[type](requestedToCapacityRatio?.shape ?? []);
  return (pod, node) => {
    let sum = 0;
    let weightSum = 0;
    for (const { name, weight } of weights) {
      const capacity = amountIn(node.allocatable, name);
      const request = requestFor(pod, name);
      // A node without the resource does not count, and neither does one that is not requested.
      if (capacity === 0 || (request === 0 && isScalar(name))) continue;
      const score = scoreOf(request + usedOf(node, name), capacity);
      if (type === 'RequestedToCapacityRatio' && score <= 0) continue;
      sum += score * weight;
      weightSum += weight;
    }
    if (weightSum === 0) return 0;
    return type === 'RequestedToCapacityRatio' ? Math.round(sum / weightSum) : Math.floor(sum / weightSum);
  };
}

const isScalar = (name: string): boolean => name !== 'cpu' && name !== 'memory' && name !== 'ephemeral-storage';

/** Requests of cpu and memory for scores are never zero. */
const requestFor = (pod: PodInfo, name: string): number => amountIn(pod.nonZero, name);

function usedOf(node: NodeInfo, name: string): number {
  return amountIn(name === 'cpu' || name === 'memory' ? node.nonZeroRequested : node.requested, name);
}

type ScoreFunction = (requested: number, capacity: number) => number;

const scoreFunctions: Readonly<Record<NonNullable<ScoringStrategy['type']>, (shape: readonly ShapePoint[]) => ScoreFunction>> = {
  LeastAllocated: () => (requested, capacity) =>
    requested > capacity ? 0 : Math.floor(((capacity - requested) * maxNodeScore) / capacity),
  // More than the capacity may be requested, since missing requests count too.
  MostAllocated: () => (requested, capacity) => Math.floor((Math.min(requested, capacity) * maxNodeScore) / capacity),
  RequestedToCapacityRatio: (shape) => {
    const points = shape.map(({ utilization, score }) => ({ utilization, score: score * (maxNodeScore / 10) }));
    return (requested, capacity) => interpolate(points, requested > capacity ? 100 : Math.floor((requested * 100) / capacity));
  },
};

/** Cf. helper.BuildBrokenLinearFunction. */
function interpolate(points: readonly ShapePoint[], utilization: number): number {
  const index = points.findIndex((point) => utilization <= point.utilization);
  const point = points[index];
  const before = points[index - 1];
  if (!point) return points.at(-1)?.score ?? 0;
  if (!before) return point.score;
  const slope = ((point.score - before.score) * (utilization - before.utilization)) / (point.utilization - before.utilization);
  return before.score + Math.trunc(slope);
}
