import type { PodInfo } from '../framework/pod-info.ts';
import { startMs } from './importance.ts';

/** A node, and the pods that must be removed from it, the most important first. */
export interface Candidate {
  readonly node: string;
  readonly victims: readonly PodInfo[];
  /** Number of victims whose removal violates a disruption budget. */
  readonly violations: number;
}

/** Added to priorities, so that more victims of a negative priority are not better. */
const priorityOffset = 2 ** 31;

/** The criteria of candidates in their order: the candidates with the lowest value remain. Cf. pickOneNodeForPreemption. */
function criteria(nowMs: number): readonly ((candidate: Candidate) => number)[] {
  return [
    ({ violations }) => violations,
    ({ victims: [first] }) => first?.priority ?? Number.NEGATIVE_INFINITY,
    ({ victims }) => victims.reduce((sum, { priority }) => sum + priority + priorityOffset, 0),
    ({ victims }) => victims.length,
    ({ victims }) => -earliestStart(victims, nowMs),
  ];
}

/** The earliest start among the victims with the highest priority. Cf. GetEarliestPodStartTime. */
function earliestStart(victims: readonly PodInfo[], nowMs: number): number {
  const highest = Math.max(...victims.map(({ priority }) => priority));
  return Math.min(...victims.filter(({ priority }) => priority === highest).map((victim) => startMs(victim, nowMs)));
}

/** The candidate whose preemption does the least harm; the first of equal ones. */
export function bestCandidate(candidates: readonly Candidate[], nowMs: number): Candidate | undefined {
  let remaining = candidates;
  for (const criterion of criteria(nowMs)) {
    if (remaining.length < 2) break;
    const values = remaining.map(criterion);
    const least = Math.min(...values);
    remaining = remaining.filter((_, index) => values[index] === least);
  }
  return remaining[0];
}
