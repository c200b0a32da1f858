import { hasStatus, keyOf } from '../../client/index.ts';
import { corev1Pods } from '../../schema/api/index.ts';
import { patchPodStatus } from '../cycle/pod-status.ts';
import type { Handle } from '../framework/plugin.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { podReference } from '../framework/pod-reference.ts';
import type { Candidate } from './candidate.ts';

/**
 * Clears the nominations of pods of a lower priority to the node: they have to be scheduled on another one. A failure does not prevent the
 * preemption. Cf. clearNominatedNodeName.
 */
async function clearNominations(handle: Handle, preemptor: PodInfo, node: string): Promise<void> {
  const lower = handle.nominator.podsForNode(node).filter(({ priority }) => priority < preemptor.priority);
  for (const pod of lower) {
    handle.nominator.remove(pod);
    await patchPodStatus(handle, pod.pod, { nominatedNode: '' }).catch((error: unknown) =>
      handle.log.warn('nomination not cleared', { pod: pod.key, node, error }),
    );
  }
}

/** Cf. Evaluator.PreemptPod. */
async function evict(handle: Handle, preemptor: PodInfo, victim: PodInfo, node: string): Promise<void> {
  const scheduler = preemptor.pod.spec.schedulerName ?? '';
  if (!handle.waiting.reject(victim.uid, 'DefaultPreemption', 'preempted')) {
    const message = `${scheduler}: preempting to accommodate a higher priority pod`;
    const condition = { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler', message };
    try {
      await patchPodStatus(handle, victim.pod, { condition });
      await handle.client.resource(corev1Pods).delete(keyOf(victim.pod));
    } catch (error) {
      if (!hasStatus(error, 404)) throw error;
      return;
    }
  }
  handle.recorder.event({
    regarding: podReference(victim.pod),
    related: podReference(preemptor.pod),
    type: 'Normal',
    reason: 'Preempted',
    action: 'Preempting',
    note: `Preempted by pod ${preemptor.uid} on node ${node}`,
  });
}

/**
 * Deletes the victims, the last one alone: its deletion makes the preemptor schedulable, which is held back before. Cf.
 * prepareCandidateAsync.
 */
export async function evictVictims(
  handle: Handle,
  { preemptor, candidate: { node, victims } }: { readonly preemptor: PodInfo; readonly candidate: Candidate },
  onLast: () => void,
): Promise<void> {
  await clearNominations(handle, preemptor, node);
  await Promise.all(victims.slice(0, -1).map((victim) => evict(handle, preemptor, victim, node)));
  onLast();
  for (const victim of victims.slice(-1)) await evict(handle, preemptor, victim, node);
}
