const form = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const stages = ['alpha', 'beta', undefined];

/** Sorts versions by stability: v10, v2, v1beta1, v1alpha1, and then other names. Cf. apimachinery version.CompareKubeAware. */
export function compareVersionPriority(a: string, b: string): number {
  const [left, right] = [form.exec(a), form.exec(b)];
  if (!left || !right) return left ? -1 : right ? 1 : a < b ? -1 : a > b ? 1 : 0;
  const stage = stages.indexOf(right[2]) - stages.indexOf(left[2]);
  return stage || Number(right[1]) - Number(left[1]) || Number(right[3] ?? 0) - Number(left[3] ?? 0);
}
