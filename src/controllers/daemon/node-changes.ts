import type { appsv1 } from '../../schema/api/index.ts';
import type { NodeEligibility } from './node-eligibility.ts';

/**
 * Whether a change of a node matters to a set: a pod has to be created or deleted, or a misscheduled one may be no more. Cf.
 * pkg/controller/daemon syncNodeUpdate.
 */
export function isSyncNeeded(
  { status }: Pick<appsv1.DaemonSet, 'status'>,
  { shouldRun, shouldContinue }: NodeEligibility,
  hasPod: boolean,
): boolean {
  return hasPod ? !shouldContinue || status.numberMisscheduled > 0 : shouldRun;
}
