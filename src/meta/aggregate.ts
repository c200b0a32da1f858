/** Several errors as one text, each told once: `a`, or `[a, b]` (upstream util/errors.Aggregate). Empty ones are none. */
export function aggregate(errors: readonly string[]): string {
  const unique = [...new Set(errors)].filter((error) => error !== '');
  return unique.length <= 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
