import { amountOf } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';

const [guaranteed, bestEffort] = [-997, 1000];

/** How the kernel rates the processes of a container when memory is short. Cf. pkg/kubelet/qos GetContainerOOMScoreAdjust. */
export function oomScoreAdjustment({ status }: corev1.Pod, { resources }: corev1.Container, memoryBytes: number): number {
  if (status.qosClass === 'Guaranteed') return guaranteed;
  if (status.qosClass === 'BestEffort') return bestEffort;
  const bytes = amountOf('memory', resources?.requests?.['memory'] ?? '0');
  const score = bestEffort - Math.floor((bestEffort * bytes) / memoryBytes);
  return Math.min(Math.max(score, bestEffort + guaranteed), bestEffort - 1);
}
