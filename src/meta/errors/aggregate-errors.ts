/** Joins the distinct non-empty errors into one text: `a`, or `[a, b]`. Cf. k8s.io/apimachinery util/errors.Aggregate. */
export function aggregateErrors(errors: readonly string[]): string {
  const unique = [...new Set(errors)].filter((error) => error !== '');
  return unique.length <= 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}
