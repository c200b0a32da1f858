import { entriesAt, isSet, listAt, textAt, valueAt } from './read.ts';

/** `a=b,c=d`, sorted. Cf. k8s.io/apimachinery labels.FormatLabels. */
export function labelsText(object: unknown, path: string, unset = '<none>'): string {
  return (
    entriesAt(object, path)
      .map(([name, value]) => `${name}=${value}`)
      .join(',') || unset
  );
}

/** A label selector in the form of the query parameter: `a=b,c in (d,e),!f`. Cf. metav1.FormatLabelSelector. */
export function selectorText(object: unknown, path: string, unset = '<none>'): string {
  const selector = valueAt(object, path);
  if (!isSet(selector)) return unset;
  const equals = entriesAt(selector, 'matchLabels').map(([name, value]) => ({ name, text: `${name}=${value}` }));
  const others = listAt(selector, 'matchExpressions').map((expression) => ({
    name: textAt(expression, 'key'),
    text: expressionText(expression),
  }));
  const all = [...equals, ...others].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return all.map(({ text }) => text).join(',') || unset;
}

function expressionText(expression: unknown): string {
  const key = textAt(expression, 'key');
  const values = [...listAt(expression, 'values')].map(String).sort().join(',');
  switch (textAt(expression, 'operator')) {
    case 'In':
      return `${key} in (${values})`;
    case 'NotIn':
      return `${key} notin (${values})`;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return key;
  }
}

/** A label selector as Go prints the struct: what a binding's ParamRef shows when it selects by labels. */
export function selectorStructText(selector: unknown): string {
  const labels = entriesAt(selector, 'matchLabels').map(([name, value]) => `${name}: ${value},`);
  const expressions = listAt(selector, 'matchExpressions').map((expression) => {
    const values = listAt(expression, 'values').join(' ');
    return `LabelSelectorRequirement{Key:${textAt(expression, 'key')},Operator:${textAt(expression, 'operator')},Values:[${values}],},`;
  });
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
