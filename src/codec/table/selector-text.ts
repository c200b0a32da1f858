import { formatLabelSelector } from '../../meta/index.ts';
import { entriesAt, listAt, textAt, valueAt } from './read.ts';

/** `a=b,c=d`, sorted. Cf. k8s.io/apimachinery labels.FormatLabels. */
export function labelsText(object: unknown, path: string, unset = '<none>'): string {
  return (
    entriesAt(object, path)
      .map(([name, value]) => `${name}=${value}`)
      .join(',') || unset
  );
}

/** A label selector in the syntax of the query parameter. */
export function selectorText(object: unknown, path: string, unset = '<none>'): string {
  return formatLabelSelector(valueAt(object, path), unset);
}

/** A label selector in Go's struct format, as in a binding's ParamRef. */
export function selectorStructText(selector: unknown): string {
  const labels = entriesAt(selector, 'matchLabels').map(([name, value]) => `${name}: ${value},`);
  const expressions = listAt(selector, 'matchExpressions').map((expression) => {
    const values = listAt(expression, 'values').join(' ');
    return `LabelSelectorRequirement{Key:${textAt(expression, 'key')},Operator:${textAt(expression, 'operator')},Values:[${values}],},`;
  });
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
