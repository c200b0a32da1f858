/** What an example must have printed or done. */
export type Expectation =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'jsonpath'; readonly resource: string; readonly path: string; readonly value: string }
  | { readonly kind: 'cel'; readonly expression: string };

/**
 * Parses the `expect` attribute:
 *
 *     deployment.apps/web created                         the output contains this text
 *     jsonpath:deployment/web -n shop {.spec.replicas} 3  the field of the object has this value
 *     cel:size(list("v1", "Pod", "default", "")) == 3     the expression is true, as a check of a lesson (docs/lessons.md)
 */
export function parseExpectation(text: string): Expectation {
  if (text.startsWith('cel:')) return { kind: 'cel', expression: text.slice('cel:'.length).trim() };
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  if (!text.startsWith('jsonpath:') || start < 0 || end < start) return { kind: 'text', text };
  return {
    kind: 'jsonpath',
    resource: text.slice('jsonpath:'.length, start).trim(),
    path: text.slice(start, end + 1),
    value: text.slice(end + 1).trim(),
  };
}
