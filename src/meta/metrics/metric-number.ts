/** As Go writes the shortest form of a float (`%g`): `1.7953260074552662e+09`, `1e+06`, `5e-05`. */
export function metricNumber(value: number): string {
  const magnitude = Math.abs(value);
  if (value === 0 || (magnitude >= 1e-4 && magnitude < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}
