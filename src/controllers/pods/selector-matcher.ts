import { type Labels, labelSelectorRequirements, matchesLabels } from '../../meta/index.ts';
import type { metav1 } from '../../schema/api/index.ts';

/** Whether labels are selected. */
export type LabelMatcher = (labels: Labels | undefined) => boolean;

/** Without a selector nothing is selected, with an empty one everything. Cf. metav1.LabelSelectorAsSelector. @throws SelectorError */
export function labelMatcher(selector: metav1.LabelSelector | null | undefined): LabelMatcher {
  if (!selector) return () => false;
  const requirements = labelSelectorRequirements(selector);
  return (labels = {}) => matchesLabels(requirements, labels);
}

export function isEmptySelector({ matchLabels, matchExpressions }: metav1.LabelSelector): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}
