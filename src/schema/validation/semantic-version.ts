const number = '(0|[1-9]\\d*)';
const prerelease = '(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?';
const build = '(?:\\+[0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*)?';
const pattern = new RegExp(`^${number}\\.${number}\\.${number}${prerelease}${build}$`);

/** `1.34.0-alpha.1+dirty`, as defined by semver.org. */
export function isSemanticVersion(text: string): boolean {
  return pattern.test(text);
}

/** Negative when the first version is older. An invalid version counts as 0.0.0. */
export function compareSemanticVersions(one: string, other: string): number {
  const [a, b] = [pattern.exec(one), pattern.exec(other)];
  for (const place of [1, 2, 3]) {
    const [left, right] = [BigInt(a?.[place] ?? 0), BigInt(b?.[place] ?? 0)];
    if (left !== right) return left < right ? -1 : 1;
  }
  return comparePrereleases(a?.[4], b?.[4]);
}

/** A prerelease precedes its release; numbers precede words. */
function comparePrereleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const [left, right] = [one.split('.'), other.split('.')];
  for (const [index, part] of left.entries()) {
    const against = right[index];
    if (against === undefined) return 1;
    const order = comparePart(part, against);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function comparePart(one: string, other: string): number {
  const [oneIsNumber, otherIsNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (oneIsNumber && otherIsNumber) return BigInt(one) === BigInt(other) ? 0 : BigInt(one) < BigInt(other) ? -1 : 1;
  if (oneIsNumber !== otherIsNumber) return oneIsNumber ? -1 : 1;
  return one === other ? 0 : one < other ? -1 : 1;
}
