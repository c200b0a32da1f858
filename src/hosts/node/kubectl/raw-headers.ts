/** The pairs of a raw header list of Node, with names in lower case. */
export function* pairsOf(raw: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at < raw.length; at += 2) yield [raw[at]?.toLowerCase() ?? '', raw[at + 1] ?? ''];
}
