/** Sets of code points: `[a-z]`, `\pL`, `(?i)k`. */

/** Pairs of first and last code point, ascending and disjoint. */
export type Ranges = readonly number[];

export const maxCodePoint = 0x10ffff;

/** A union of ranges or of one Unicode property; `fold` adds case variants, `negated` then takes the complement. */
interface CharSetPart {
  readonly ranges: Ranges;
  /** In the platform's syntax inside `\p{...}`: `L`, `Script=Han`. */
  readonly properties: readonly string[];
  readonly fold: boolean;
  readonly negated: boolean;
}

/** An immutable set of code points, without lone surrogates. */
export class CharSet {
  readonly #parts: readonly CharSetPart[];
  readonly #negated: boolean;
  #properties: RegExp[] | undefined;

  private constructor(parts: readonly CharSetPart[], negated: boolean) {
    this.#parts = parts;
    this.#negated = negated;
  }

  static ofRanges(pairs: Ranges, fold = false, negated = false): CharSet {
    const ranges = mergeRanges(pairs);
    if (fold && isCaseSensitive(ranges)) return new CharSet([{ ranges, properties: [], fold, negated }], false);
    return new CharSet([{ ranges: negated ? complement(ranges) : ranges, properties: [], fold: false, negated: false }], false);
  }

  static ofProperties(properties: readonly string[], fold: boolean, negated: boolean): CharSet {
    return new CharSet([{ ranges: [], properties, fold, negated }], false);
  }

  /** `sets` must not be complements of unions. */
  static union(sets: readonly CharSet[], negated = false): CharSet {
    const parts = sets.flatMap((set) => set.#parts);
    const plain = parts.filter((part) => part.properties.length === 0 && !part.fold);
    const ranges = mergeRanges(plain.flatMap((part) => part.ranges));
    if (plain.length === parts.length) return CharSet.ofRanges(ranges, false, negated);
    const others = parts.filter((part) => !plain.includes(part));
    return new CharSet([{ ranges, properties: [], fold: false, negated: false }, ...others], negated);
  }

  get isComplement(): boolean {
    return this.#negated;
  }

  /** Equal sets have equal keys. */
  get key(): string {
    const parts = this.#parts.map(({ ranges, properties, fold, negated }) => [
      ...ranges,
      ...properties,
      fold ? 'i' : '',
      negated ? '^' : '',
    ]);
    return `${this.#negated ? '^' : ''}${parts.join(';')}`;
  }

  has(codePoint: number): boolean {
    for (let i = 0; i < this.#parts.length; i++) {
      if (this.#partHas(i, codePoint)) return !this.#negated;
    }
    return this.#negated;
  }

  #partHas(index: number, codePoint: number): boolean {
    const { ranges, properties, fold, negated } = this.#parts[index] as CharSetPart;
    if (properties.length === 0 && !fold) return rangesHave(ranges, codePoint);
    if (properties.length === 0 && codePoint < 0x80) return asciiVariants(codePoint).some((one) => rangesHave(ranges, one)) !== negated;
    this.#properties ??= this.#parts.map(platformTest);
    return (this.#properties[index] as RegExp).test(String.fromCodePoint(codePoint)) !== negated;
  }
}

/** Properties and case folding use the platform's RegExp for single characters. The source contains only numbers and checked names. */
function platformTest({ ranges, properties, fold }: CharSetPart): RegExp {
  const members = properties.map((name) => `\\p{${name}}`);
  for (let i = 0; i < ranges.length; i += 2) {
    members.push(`\\u{${(ranges[i] as number).toString(16)}}-\\u{${(ranges[i + 1] as number).toString(16)}}`);
  }
  return new RegExp(`^[${members.join('')}]$`, fold ? 'iu' : 'u');
}

/** The Kelvin sign is a variant of K, the long s of S. */
function asciiVariants(codePoint: number): readonly number[] {
  const letter = codePoint | 0x20;
  if (letter < 0x61 || letter > 0x7a || codePoint < 0x41) return [codePoint];
  const others = letter === 0x6b ? [0x212a] : letter === 0x73 ? [0x17f] : [];
  return [letter, letter - 0x20, ...others];
}

/** Whether a range contains ASCII letters or non-ASCII characters. */
function isCaseSensitive(ranges: Ranges): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    const [low, high] = [ranges[i] as number, ranges[i + 1] as number];
    if (high >= 0x80 || (low <= 0x5a && high >= 0x41) || (low <= 0x7a && high >= 0x61)) return !(low === 0 && high === maxCodePoint);
  }
  return false;
}

function rangesHave(ranges: Ranges, codePoint: number): boolean {
  let [low, high] = [0, ranges.length >> 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (codePoint > (ranges[2 * middle + 1] as number)) low = middle + 1;
    else if (codePoint < (ranges[2 * middle] as number)) high = middle;
    else return true;
  }
  return false;
}

function isMerged(pairs: Ranges): boolean {
  for (let i = 2; i < pairs.length; i += 2) if ((pairs[i] as number) <= (pairs[i - 1] as number) + 1) return false;
  return true;
}

function mergeRanges(pairs: Ranges): Ranges {
  if (isMerged(pairs)) return pairs;
  const sorted: (readonly [low: number, high: number])[] = [];
  for (let i = 0; i < pairs.length; i += 2) sorted.push([pairs[i] as number, pairs[i + 1] as number]);
  sorted.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [low, high] of sorted) {
    const last = merged.length - 1;
    if (last > 0 && low <= (merged[last] as number) + 1) merged[last] = Math.max(merged[last] as number, high);
    else merged.push(low, high);
  }
  return merged;
}

export function complement(ranges: Ranges): Ranges {
  const gaps: number[] = [];
  let next = 0;
  for (let i = 0; i < ranges.length; i += 2) {
    if (next < (ranges[i] as number)) gaps.push(next, (ranges[i] as number) - 1);
    next = (ranges[i + 1] as number) + 1;
  }
  if (next <= maxCodePoint) gaps.push(next, maxCodePoint);
  return gaps;
}

/** Perl's `\d`, and the names of POSIX's `[:alpha:]`; `\s` has no vertical tab, unlike `[:space:]`. */
export const perlClasses: ReadonlyMap<string, Ranges> = new Map([
  ['d', [0x30, 0x39]],
  ['s', [0x9, 0xa, 0xc, 0xd, 0x20, 0x20]],
  ['w', [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]],
]);

export const posixClasses: ReadonlyMap<string, Ranges> = new Map([
  ['alnum', [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ['alpha', [0x41, 0x5a, 0x61, 0x7a]],
  ['ascii', [0, 0x7f]],
  ['blank', [0x9, 0x9, 0x20, 0x20]],
  ['cntrl', [0, 0x1f, 0x7f, 0x7f]],
  ['digit', [0x30, 0x39]],
  ['graph', [0x21, 0x7e]],
  ['lower', [0x61, 0x7a]],
  ['print', [0x20, 0x7e]],
  ['punct', [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ['space', [0x9, 0xd, 0x20, 0x20]],
  ['upper', [0x41, 0x5a]],
  ['word', [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]],
  ['xdigit', [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

const categories = /^(?:C[cfos]|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
/** Other names of four letters are abbreviations, which Go does not support. */
const shortScripts = /^(?:Ahom|Cham|Kawi|Lisu|Miao|Modi|Newa|Thai|Toto)$/;
/** Scripts added after Unicode 15, the version of Go 1.24, which Kubernetes 1.34 uses. */
const laterScripts =
  /^(?:Beria_Erfe|Garay|Gurung_Khema|Kirat_Rai|Ol_Onal|Sidetic|Sunuwar|Tai_Yo|Todhri|Tolong_Siki|Tulu_Tigalari|Unknown)$/;

/** The set of `\p{name}` in Go 1.24; undefined for unknown names. */
export function unicodeClass(name: string, fold: boolean, negated: boolean): CharSet | undefined {
  if (name === 'Any') return CharSet.ofRanges(negated ? [] : [0, maxCodePoint]);
  // Unassigned code points have no category in Go.
  if (name === 'C') return CharSet.ofProperties(['Cc', 'Cf', 'Cs', 'Co'], fold, negated);
  if (categories.test(name)) return CharSet.ofProperties([name], fold, negated);
  return isScript(name) ? CharSet.ofProperties([`Script=${name}`], fold, negated) : undefined;
}

function isScript(name: string): boolean {
  if (!/^[A-Z][A-Za-z_]+$/.test(name) || laterScripts.test(name)) return false;
  if (name.length === 4 && !shortScripts.test(name)) return false;
  try {
    return new RegExp(`\\p{Script=${name}}`, 'u') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
