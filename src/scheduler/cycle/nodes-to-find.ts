const minNodes = 100;
const minPercentage = 5;

/**
 * How many fitting nodes end the search: all of fewer than 100, then a percentage that falls with the number of nodes. Cf.
 * numFeasibleNodesToFind.
 */
export function nodesToFind(nodeCount: number, configuredPercentage: number | undefined): number {
  if (nodeCount < minNodes) return nodeCount;
  const percentage = configuredPercentage || Math.max(minPercentage, 50 - Math.trunc(nodeCount / 125));
  return Math.max(minNodes, Math.trunc((nodeCount * percentage) / 100));
}
