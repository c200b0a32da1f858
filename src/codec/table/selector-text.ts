import type { metav1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

type TextMap = Readonly<Record<string, string | undefined>>;

/** The entries of a map, sorted by name. */
export function sortedEntries(map: TextMap | undefined): readonly (readonly [name: string, value: string | undefined])[] {
  return Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

/** `a=b,c=d`, sorted. Cf. k8s.io/apimachinery labels.FormatLabels. */
export function labelsText(labels: TextMap | undefined): string {
  return (
    sortedEntries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .join() || '<none>'
  );
}

/** A label selector in Go's struct format, as in a binding's ParamRef. */
export function selectorStructText({ matchLabels, matchExpressions = [] }: Decoded<metav1.LabelSelector>): string {
  const labels = sortedEntries(matchLabels).map(([name, value]) => `${name}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key = '', operator = '', values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
