import type { NodeInfo } from './node-info.ts';
import { maxNodeScore, type NodeScores } from './plugin.ts';

/** The scores of nodes, by their index. */
export interface ScoreTable {
  readonly nodes: readonly NodeInfo[];
  readonly totals: readonly number[];
  /** Weighted scores by plugin. */
  readonly columns: readonly { readonly plugin: string; readonly scores: readonly number[] }[];
}

/** Scales scores to 0…100 by the largest. Cf. plugins/helper DefaultNormalizeScore. */
export function normalizeByMaximum(scores: NodeScores, isReversed: boolean): void {
  const max = scores.reduce((largest, score) => Math.max(largest, score), 0);
  for (const [index, score] of scores.entries()) {
    const scaled = max === 0 ? 0 : Math.floor((maxNodeScore * score) / max);
    scores[index] = isReversed ? maxNodeScore - scaled : scaled;
  }
}
