/** Durations in Go's format: `1h2m3.5s`. */

import { trimEnd } from './trim-end.ts';

const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const maxNanos = 2n ** 63n;

/** Invalid duration; the message is Go's. */
export class DurationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DurationError';
  }
}

/** Returns nanoseconds. @throws DurationError */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  let rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0n;
  if (rest === '') throw new DurationError(`time: invalid duration ${JSON.stringify(text)}`);
  let total = 0n;
  while (rest !== '') {
    const { nanos, length } = parsePart(rest, text);
    total += nanos;
    rest = rest.slice(length);
    if (total > maxNanos) throw new DurationError(`time: invalid duration ${JSON.stringify(text)}`);
  }
  if (!negative && total === maxNanos) throw new DurationError(`time: invalid duration ${JSON.stringify(text)}`);
  return negative ? -total : total;
}

function parsePart(rest: string, whole: string): { readonly nanos: bigint; readonly length: number } {
  const [matched = '', digits = '', , fraction = ''] = /^(\d*)(\.(\d*))?/.exec(rest) ?? [];
  const isTooLarge = digits.length > 19 || BigInt(digits) > maxNanos;
  if ((digits === '' && fraction === '') || isTooLarge) throw new DurationError(`time: invalid duration ${JSON.stringify(whole)}`);
  const [unit = ''] = /^[^.\d]*/.exec(rest.slice(matched.length)) ?? [];
  if (unit === '') throw new DurationError(`time: missing unit in duration ${JSON.stringify(whole)}`);
  const scale = Object.hasOwn(unitNanos, unit) ? unitNanos[unit] : undefined;
  if (scale === undefined) throw new DurationError(`time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(whole)}`);
  const part = fraction.slice(0, 18);
  const nanos = BigInt(digits) * scale + (BigInt(part || '0') * scale) / 10n ** BigInt(part.length);
  return { nanos, length: matched.length + unit.length };
}

/** Formats nanoseconds as Go does. */
export function formatDuration(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  if (size === 0n) return '0s';
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${formatDecimal(size, 3)}µs`;
  if (size < 1_000_000_000n) return `${sign}${formatDecimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${formatDecimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

function formatDecimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = trimEnd(digits.slice(-places), '0');
  return fraction === '' ? digits.slice(0, -places) : `${digits.slice(0, -places)}.${fraction}`;
}
