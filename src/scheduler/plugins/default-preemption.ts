import { policyv1PodDisruptionBudgets } from '../../schema/api/index.ts';
import { Diagnosis } from '../cycle/fit-error.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import type { Handle, NodeStatuses, PluginFactory, PostFilterResult } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { type Status, unresolvable, unschedulable } from '../framework/status.ts';
import { bestCandidate, type Candidate } from '../preemption/candidate.ts';
import { evictVictims } from '../preemption/evict-victims.ts';
import { selectVictims } from '../preemption/select-victims.ts';

/** DefaultPreemptionArgs. */
interface Args {
  readonly minCandidateNodesPercentage?: number;
  readonly minCandidateNodesAbsolute?: number;
}

const notHelpful = unresolvable('Preemption is not helpful for scheduling');

/** Removes pods of a lower priority for a pod that does not fit. Cf. plugins/defaultpreemption and framework/preemption. */
export const defaultPreemption: PluginFactory = (handle, args) => {
  const { minCandidateNodesPercentage = 10, minCandidateNodesAbsolute = 100 } = (args ?? {}) as Args;
  const budgetStore = handle.store(policyv1PodDisruptionBudgets);
  /** UIDs of pods whose victims are being deleted. */
  const preempting = new Set<string>();

  const findCandidates = (state: CycleState, pod: PodInfo, potential: readonly NodeInfo[]): FoundCandidates => {
    const nowMs = handle.clock.nowMs();
    const wanted = Math.min(
      potential.length,
      Math.max(Math.trunc((potential.length * minCandidateNodesPercentage) / 100), minCandidateNodesAbsolute),
    );
    const offset = handle.random.integer(potential.length);
    const [simulation, budgets] = [handle.simulation(), budgetStore.list()];
    const statuses = new Map<string, Status>();
    const [compliant, violating]: [Candidate[], Candidate[]] = [[], []];
    for (let index = 0; index < potential.length; index++) {
      const node = potential[(offset + index) % potential.length];
      if (!node) continue;
      const result = selectVictims({ simulation, pod, state: state.clone(), node: node.clone(), budgets, nowMs });
      if ('code' in result) statuses.set(node.name, result);
      else (result.violations === 0 ? compliant : violating).push(result);
      if (compliant.length > 0 && compliant.length + violating.length >= wanted) break;
    }
    return { candidates: [...compliant, ...violating], statuses };
  };

  const start = (preemptor: PodInfo, candidate: Candidate): void => {
    preempting.add(preemptor.uid);
    evictVictims(handle, { preemptor, candidate }, () => preempting.delete(preemptor.uid)).catch((error: unknown) => {
      preempting.delete(preemptor.uid);
      if (handle.signal.aborted) return;
      handle.log.warn('preemption failed', { pod: preemptor.key, node: candidate.node, error });
      handle.activate(preemptor);
    });
  };

  return {
    name: 'DefaultPreemption',
    preEnqueue: ({ uid }) => (preempting.has(uid) ? unresolvable('waiting for the preemption for this pod to be finished') : undefined),
    postFilter(state, pod, statuses): PostFilterResult {
      const ineligible = ineligibility(handle, pod, statuses);
      if (ineligible !== undefined) return refusal(ineligible);
      const nodes = handle.snapshot.list();
      const potential = nodes.filter(({ name }) => statuses.get(name).code === 'Unschedulable');
      const { candidates, statuses: refusals } = potential.length === 0 ? noCandidates : findCandidates(state, pod, potential);
      const best = bestCandidate(candidates, handle.clock.nowMs());
      if (!best) {
        const diagnosis = new Diagnosis();
        for (const [node, status] of refusals) diagnosis.set(node, status);
        diagnosis.setAbsent(notHelpful);
        return { ...refusal(diagnosis.message(nodes.length)), nominatedNode: '' };
      }
      start(pod, best);
      return { nominatedNode: best.node };
    },
  };
};

interface FoundCandidates {
  readonly candidates: readonly Candidate[];
  readonly statuses: ReadonlyMap<string, Status>;
}

const noCandidates: FoundCandidates = { candidates: [], statuses: new Map() };

function refusal(message: string): PostFilterResult {
  return { status: unschedulable(`preemption: ${message}`) };
}

/** Why a pod may not preempt others; undefined: it may. Cf. PodEligibleToPreemptOthers. */
function ineligibility({ snapshot }: Handle, { pod, priority }: PodInfo, statuses: NodeStatuses): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.status.nominatedNodeName;
  if (!nominated || statuses.get(nominated).code === 'UnschedulableAndUnresolvable') return undefined;
  const pods = [...(snapshot.get(nominated)?.pods.values() ?? [])];
  const isTerminating = pods.some((victim) => victim.priority < priority && isTerminatingByPreemption(victim));
  return isTerminating ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

function isTerminatingByPreemption({ pod: { metadata, status } }: PodInfo): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (status.conditions ?? []).some(
      (one) => one.type === 'DisruptionTarget' && one.status === 'True' && one.reason === 'PreemptionByScheduler',
    )
  );
}
