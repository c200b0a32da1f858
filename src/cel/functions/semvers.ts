import { Failure, OpaqueValue, type Result } from '../values/value.ts';
import type { Functions } from './functions.ts';

export class Semver extends OpaqueValue {
  readonly typeName = 'kubernetes.Semver';
  /** Major, minor, patch. */
  readonly core: readonly bigint[];
  readonly prerelease: readonly string[];

  constructor(core: readonly bigint[], prerelease: readonly string[]) {
    super();
    this.core = core;
    this.prerelease = prerelease;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof Semver && compareSemvers(this, other) === 0;
  }
}

export function compareSemvers(a: Semver, b: Semver): number {
  for (const [i, number] of a.core.entries()) {
    const other = b.core[i] ?? 0n;
    if (number !== other) return number < other ? -1 : 1;
  }
  const [left, right] = [a.prerelease, b.prerelease];
  if (left.length === 0 || right.length === 0) return Math.sign(right.length - left.length);
  for (const [i, part] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return left.length < right.length ? -1 : 0;
}

/** Numeric identifiers sort before alphanumeric ones. */
function compareParts(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (left && right) return BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0;
  if (left !== right) return left ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

export const semvers: Functions = {
  semver: (text: string, normalize = false): Result => {
    const read = readSemver(text, normalize);
    return typeof read === 'string' ? new Failure(read) : read;
  },
  isSemver: (text: string, normalize = false): Result => typeof readSemver(text, normalize) !== 'string',
  major: ({ core }: Semver): Result => core[0] ?? 0n,
  minor: ({ core }: Semver): Result => core[1] ?? 0n,
  patch: ({ core }: Semver): Result => core[2] ?? 0n,
};

/** Returns the version, or the error as text. */
function readSemver(text: string, normalize: boolean): Semver | string {
  if (!normalize) return parseSemver(text);
  const normalized = normalizeText(text);
  return normalized === undefined ? 'short version cannot contain PreRelease/Build meta data' : parseSemver(normalized);
}

/** `v1.02` → `1.2.0`. */
function normalizeText(text: string): string | undefined {
  const parts = split3(text.replace(/^v/, '')).map((part) => (part.length > 1 ? part.replace(/^0+/, '').replace(/^(?!\d)/, '0') : part));
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return undefined;
  while (parts.length < 3) parts.push('0');
  return parts.join('.');
}

function split3(text: string): string[] {
  const [major = '', minor, ...rest] = text.split('.');
  if (minor === undefined) return [major];
  return rest.length === 0 ? [major, minor] : [major, minor, rest.join('.')];
}

function parseSemver(text: string): Semver | string {
  if (text === '') return 'Version string empty';
  const parts = split3(text);
  if (parts.length !== 3) return 'No Major.Minor.Patch elements found';
  const [, patch = '', prerelease, build] = /^([^+-]*)(?:-([^+]*))?(?:\+(.*))?$/s.exec(parts[2] ?? '') ?? [];
  const numbers = [parts[0] ?? '', parts[1] ?? '', patch];
  for (const [i, name] of ['major', 'minor', 'patch'].entries()) {
    const problem = numberProblem(name, numbers[i] ?? '');
    if (problem !== undefined) return problem;
  }
  const before = prerelease === undefined ? [] : prerelease.split('.');
  const problem =
    before.map(prereleaseProblem).find((one) => one !== undefined) ??
    build
      ?.split('.')
      .map(buildProblem)
      .find((one) => one !== undefined);
  return problem ?? new Semver(numbers.map(BigInt), before);
}

function numberProblem(name: string, text: string): string | undefined {
  if (!/^\d*$/.test(text)) return `Invalid character(s) found in ${name} number ${JSON.stringify(text)}`;
  const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  if (/^0./.test(text)) return `${title} number must not contain leading zeroes ${JSON.stringify(text)}`;
  if (text === '') return 'strconv.ParseUint: parsing "": invalid syntax';
  return BigInt(text) > 2n ** 64n - 1n ? `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range` : undefined;
}

function prereleaseProblem(part: string): string | undefined {
  if (part === '') return 'Prerelease is empty';
  if (/^0\d+$/.test(part)) return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(part)}`;
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in prerelease ${JSON.stringify(part)}`;
}

function buildProblem(part: string): string | undefined {
  if (part === '') return 'Build meta data is empty';
  return /^[0-9A-Za-z-]+$/.test(part) ? undefined : `Invalid character(s) found in build meta data ${JSON.stringify(part)}`;
}
