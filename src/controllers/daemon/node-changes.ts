import type { appsv1 } from '../../schema/api/index.ts';
import type { NodeEligibility } from './node-eligibility.ts';

/**
 * Whether a set has to be reconciled after a change of a node: a pod has to be created or deleted, or is no longer misscheduled. Cf.
 * pkg/controller/daemon syncNodeUpdate.
 */
export function isSyncNeeded(
  { status }: Pick<appsv1.DaemonSet, 'status'>,
  { shouldRun, shouldContinue }: NodeEligibility,
  hasPod: boolean,
): boolean {
  return hasPod ? !shouldContinue || status.numberMisscheduled > 0 : shouldRun;
}
