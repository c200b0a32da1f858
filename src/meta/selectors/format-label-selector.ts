import { isJsonObject, type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../json/json.ts';

/**
 * Formats a label selector as a query parameter: `a=b,c in (d,e),!f`; `unset` when it has no requirement. Cf. metav1.FormatLabelSelector.
 */
export function formatLabelSelector(selector: unknown, unset: string): string {
  if (!isJsonObject(selector)) return unset;
  const all = [
    ...Object.entries(recordAt(selector, 'matchLabels')).map(([name, value]) => ({ name, text: `${name}=${value}` })),
    ...objectsAt(selector, 'matchExpressions').map((one) => ({ name: textAt(one, 'key'), text: formatExpression(one) })),
  ];
  const sorted = all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return sorted.map(({ text }) => text).join(',') || unset;
}

function formatExpression(expression: JsonObject): string {
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
