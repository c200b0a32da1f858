import type { resourcev1 } from '../../schema/api/index.ts';

/** Whether a taint prevents that a device is allocated. Cf. taintPreventsAllocation. */
export function hasUntoleratedTaint({ taints = [] }: resourcev1.Device, tolerations: readonly resourcev1.DeviceToleration[]): boolean {
  return taints.some(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** Cf. resourceclaim ToleratesTaint. */
function tolerates({ key, operator, value = '', effect }: resourcev1.DeviceToleration, taint: resourcev1.DeviceTaint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || ((operator ?? 'Equal') === 'Equal' && value === (taint.value ?? ''));
}
