import type { policyv1 } from '../../schema/api/index.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Simulation } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { type Status, unresolvable } from '../framework/status.ts';
import { divideByViolation } from './budgets.ts';
import type { Candidate } from './candidate.ts';
import { byImportance } from './importance.ts';

export interface VictimSearch {
  readonly simulation: Simulation;
  readonly pod: PodInfo;
  /** Copies for the simulation, which are changed. */
  readonly state: CycleState;
  readonly node: NodeInfo;
  readonly budgets: readonly policyv1.PodDisruptionBudget[];
  readonly nowMs: number;
}

/**
 * The pods of a node that must be removed for a pod: all of a lower priority are removed, then as many as possible are returned, the most
 * important first, those protected by budgets before the others. Cf. SelectVictimsOnNode.
 */
export function selectVictims({ simulation, pod, state, node, budgets, nowMs }: VictimSearch): Candidate | Status {
  const potential = [...node.pods.values()].filter(({ priority }) => priority < pod.priority);
  if (potential.length === 0) return unresolvable('No preemption victims found for incoming pod');
  const remove = (victim: PodInfo): void => {
    node.removePod(victim.key);
    simulation.removePod(state, pod, victim, node);
  };
  for (const victim of potential) remove(victim);
  const refusal = simulation.filterWithNominated(state, pod, node);
  if (refusal) return refusal;
  const isVictim = (candidate: PodInfo): boolean => {
    node.addPod(candidate);
    simulation.addPod(state, pod, candidate, node);
    if (!simulation.filterWithNominated(state, pod, node)) return false;
    remove(candidate);
    return true;
  };
  const order = byImportance(nowMs);
  const { violating, others } = divideByViolation(potential.sort(order), budgets);
  const violatingVictims = violating.filter(isVictim);
  const victims = [...violatingVictims, ...others.filter(isVictim)].sort(order);
  return { node: node.name, victims, violations: violatingVictims.length };
}
