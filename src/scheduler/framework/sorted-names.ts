/** Sorts as Go does, by bytes; plugin and resource names are ASCII. */
export function sortedNames(names: Iterable<string>): readonly string[] {
  return [...new Set(names)].sort();
}
