import { formatDuration } from '../meta/index.ts';

/** What requests spend their time in, as far as it is told of those that are slow. */
export type AuditLayer = 'authentication' | 'authorization';

/** Only slower requests tell it. Cf. upstream endpoints/filters writeLatencyToAnnotation. */
const slowMs = 500;

/** Annotations below `prefix`: one for each layer that took any time, and the whole. */
export function latencyAnnotations(
  layers: Readonly<Partial<Record<AuditLayer, number>>>,
  totalMs: number,
  prefix: string,
): Readonly<Record<string, string>> {
  const spent = Object.entries(layers).filter(([, ms]) => ms > 0);
  if (totalMs <= slowMs || spent.length === 0) return {};
  return Object.fromEntries([...spent, ['total', totalMs] as const].map(([name, ms]) => [prefix + name, durationText(ms)]));
}

/** Clocks tell no finer time than microseconds. */
function durationText(ms: number): string {
  return formatDuration(BigInt(Math.round(ms * 1e3)) * 1000n);
}
