import { formatDuration } from '../../meta/index.ts';

/** A duration in Go's format: `1m20s`. */
export const formatMs = (ms: number): string => formatDuration(BigInt(Math.round(ms)) * 1_000_000n);
