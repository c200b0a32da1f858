import type { NodeInfo } from '../../framework/node-info.ts';
import { maxNodeScore, type PluginFactory } from '../../framework/plugin.ts';
import type { PodInfo } from '../../framework/pod-info.ts';
import { amountIn } from '../../framework/resources.ts';
import { skip } from '../../framework/status.ts';
import type { ResourceWeight } from './resource-scorers.ts';

/** NodeResourcesBalancedAllocationArgs. */
interface Args {
  readonly resources?: readonly ResourceWeight[];
}

/** Prefers nodes on which the shares of the resources in use are alike. Cf. noderesources BalancedAllocation. */
export const nodeResourcesBalancedAllocation: PluginFactory = (_, args) => {
  const { resources = [{ name: 'cpu' }, { name: 'memory' }] } = (args ?? {}) as Args;
  const names = resources.map(({ name }) => name);
  return {
    name: 'NodeResourcesBalancedAllocation',
    preScore: (_state, { requests }) => (names.every((name) => amountIn(requests, name) === 0) ? skip : undefined),
    score: (_state, pod, node) => balance(names, pod, node),
  };
};

function balance(names: readonly string[], pod: PodInfo, node: NodeInfo): number {
  const shares: number[] = [];
  for (const name of names) {
    const capacity = amountIn(node.allocatable, name);
    if (capacity === 0) continue;
    shares.push(Math.min(1, (amountIn(node.requested, name) + amountIn(pod.requests, name)) / capacity));
  }
  return Math.trunc((1 - deviation(shares)) * maxNodeScore);
}

function deviation(shares: readonly number[]): number {
  const [first = 0, second = 0] = shares;
  if (shares.length < 2) return 0;
  if (shares.length === 2) return Math.abs((first - second) / 2);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return Math.sqrt(shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / shares.length);
}
