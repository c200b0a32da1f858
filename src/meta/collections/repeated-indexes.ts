/** Indexes of the elements that equal an earlier one, found in linear time. */
export function repeatedIndexes(values: readonly (string | number | undefined)[]): ReadonlySet<number> {
  const seen = new Set<string | number | undefined>();
  const repeated = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) repeated.add(index);
    else seen.add(value);
  }
  return repeated;
}
