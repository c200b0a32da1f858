import { isJsonObject, type JsonObject, objectsAt, recordAt, textAt, textsAt } from './json.ts';

/** A label selector in the form of the query parameter: `a=b,c in (d,e),!f`; `unset` when it has no requirement. Cf. metav1.FormatLabelSelector. */
export function labelSelectorText(selector: unknown, unset: string): string {
  if (!isJsonObject(selector)) return unset;
  const all = [
    ...Object.entries(recordAt(selector, 'matchLabels')).map(([name, value]) => ({ name, text: `${name}=${value}` })),
    ...objectsAt(selector, 'matchExpressions').map((one) => ({ name: textAt(one, 'key'), text: expressionText(one) })),
  ];
  const sorted = all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return sorted.map(({ text }) => text).join(',') || unset;
}

function expressionText(expression: JsonObject): string {
  const key = textAt(expression, 'key');
  const values = [...textsAt(expression, 'values')].sort().join(',');
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
