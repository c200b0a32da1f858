import { compareTexts } from '../meta/index.ts';
import type { metav1 } from '../schema/api/index.ts';

/** Formats a selector as the generated String method of Go does; the members of matchLabels are sorted. Cf. metav1.LabelSelector.String. */
export function formatSelector(selector: metav1.LabelSelector | null | undefined): string {
  if (!selector) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {}).sort(([a], [b]) => compareTexts(a, b));
  const matchLabels = labels.map(([name, value]) => `${name}: ${value},`).join('');
  const matchExpressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) => `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${matchLabels}},MatchExpressions:[]LabelSelectorRequirement{${matchExpressions.join('')}},}`;
}
