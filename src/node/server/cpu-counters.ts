/** The CPU time that something has used since its start, until a time. */
export interface CpuCounter {
  readonly startMs: number;
  readonly atMs: number;
  readonly coreNanoseconds: number;
}

/** By what has used the CPU time: the node, a pod, a container. */
export type CpuCounters = Map<string, CpuCounter>;

/**
 * The CPU time at a measurement; `known` is that of the last one which was read. Between two measurements that were read, the usage is that
 * of the later one; so counters never decrease although the usage varies.
 */
export function countCpu(known: CpuCounter | undefined, startMs: number, atMs: number, nanoCores: number): CpuCounter {
  const { atMs: fromMs, coreNanoseconds: before } = known?.startMs === startMs ? known : { atMs: startMs, coreNanoseconds: 0 };
  const coreNanoseconds = before + Math.round((nanoCores * Math.max(0, atMs - fromMs)) / 1000);
  return { startMs, atMs: Math.max(atMs, fromMs), coreNanoseconds };
}
