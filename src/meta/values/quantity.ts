import { ownMember } from '../json/json.ts';
import { trimEnd } from './trim-end.ts';

/**
 * Amounts such as `500m` or `1Gi` (part 2.5), like k8s.io/apimachinery's `resource.Quantity`: exact decimals with their suffix format, and
 * with their original spelling as long as the real server caches it.
 */
export interface Quantity {
  /** The value is `unscaled` × 10^`exponent`. */
  readonly unscaled: bigint;
  readonly exponent: number;
  readonly format: QuantityFormat;
  /** The original spelling, cached while it fits the real server's fast path (64 bits); otherwise the canonical form is printed. */
  readonly text: string | undefined;
  /** Beyond the fast path: rounding and overflow differ from those of small amounts. */
  readonly wide: boolean;
}

/** `''` is the format of a bare `0`: sums take the other operand's format. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent' | '';

/** Invalid quantity; the message is the real server's. */
export class QuantityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QuantityError';
  }
}

const decimalSuffixes: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binarySuffixes: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const suffixOfExponent = new Map(Object.entries(decimalSuffixes).map(([suffix, exponent]) => [exponent, suffix]));
const binarySuffixOfExponent = new Map([
  [0, ''],
  ...Object.entries(binarySuffixes).map(([suffix, exponent]) => [exponent, suffix] as const),
]);

const spelling = /^([+-]?)(\d*)(?:\.(\d*))?((?:[eEinumkKMGTP]+[-+]?\d*|[-+]\d*)?)$/;
const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);
/** Number of digits that always fits 63 bits. */
const safeDigits = 18;
const nano = -9;
/** Limit for exponents: larger ones would occupy the server for hours. */
const maxExponent = 10_000;

/** Limit for digits: parsing takes quadratic time. */
const maxDigits = 10_000;

const zero: Quantity = { unscaled: 0n, exponent: 0, format: '', text: '0', wide: false };

/** @throws QuantityError */
export function parseQuantity(text: string): Quantity {
  if (text === '0') return zero;
  const match = text === '' ? null : spelling.exec(text);
  if (!match) {
    throw new QuantityError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  const [, sign, allDigits = '', fraction = '', suffix = ''] = match;
  const digits = allDigits.replace(/^0+/, '');
  const unit = readSuffix(suffix);
  if (digits.length + fraction.length > maxDigits) throw new QuantityError('unable to parse numeric part of quantity');
  const whole = digits === '' ? '0' : digits;
  const negative = sign === '-';
  return (
    smallQuantity(text, whole, fraction, negative, unit) ??
    wideQuantity(BigInt(whole + fraction) * (negative ? -1n : 1n), fraction.length, unit)
  );
}

/** Returns whether a text parses. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

interface Unit {
  readonly format: QuantityFormat;
  /** Exponent of 10, or of 2 with BinarySI. */
  readonly exponent: number;
}

function readSuffix(suffix: string): Unit {
  const decimal = ownMember(decimalSuffixes, suffix);
  if (decimal !== undefined) return { format: 'DecimalSI', exponent: decimal };
  const binary = ownMember(binarySuffixes, suffix);
  if (binary !== undefined) return { format: 'BinarySI', exponent: binary };
  const exponent = /^[eE][-+]?\d+$/.test(suffix) ? Number(suffix.slice(1)) : maxExponent;
  if (Math.abs(exponent) < maxExponent) return { format: 'DecimalExponent', exponent };
  throw new QuantityError("unable to parse quantity's suffix");
}

/** The fast path, which preserves the spelling; undefined when the amount does not fit it. */
function smallQuantity(text: string, whole: string, fraction: string, negative: boolean, unit: Unit): Quantity | undefined {
  const binary = unit.format === 'BinarySI';
  if (binary && fraction !== '') return undefined;
  const spareDigits = binary ? 15 - whole.length - Math.trunc((unit.exponent * 3) / 10) - 1 : safeDigits - whole.length - fraction.length;
  const exponent = (binary ? 0 : unit.exponent) - fraction.length;
  if (spareDigits < 0 || exponent < nano) return undefined;
  const digits = whole + fraction;
  const value = BigInt(digits) << BigInt(binary ? unit.exponent : 0);
  if (value > maxInt64) return undefined;
  const shorter = digits.endsWith('000') || (binary && BigInt(digits) % 1024n === 0n);
  const plain = exponent % 3 === 0 && !shorter && !digits.startsWith('0');
  return { unscaled: negative ? -value : value, exponent, format: unit.format, text: plain ? text : undefined, wide: false };
}

function wideQuantity(digits: bigint, decimals: number, unit: Unit): Quantity {
  let unscaled = digits;
  let exponent = -decimals;
  let format = unit.format;
  if (format === 'BinarySI') unscaled <<= BigInt(unit.exponent);
  else exponent += unit.exponent;
  const rounded = roundUp(unscaled, exponent, nano);
  [unscaled, exponent] = [rounded.unscaled, rounded.exponent];
  if (format === 'BinarySI') {
    const size = unscaled < 0n ? -unscaled : unscaled;
    if (compareAmounts(size, exponent, maxInt64, 0) > 0) [unscaled, exponent] = [unscaled < 0n ? -maxInt64 : maxInt64, 0];
    else if (compareAmounts(size, exponent, 1n, 0) < 0) format = 'DecimalSI';
  }
  return { unscaled, exponent, format, text: undefined, wide: true };
}

/** Rounds away from zero to a multiple of 10^`exponent`; exact multiples are unchanged. */
function roundUp(unscaled: bigint, from: number, exponent: number): { readonly unscaled: bigint; readonly exponent: number } {
  if (from >= exponent || unscaled === 0n) return { unscaled, exponent: from };
  // Below the smallest unit there is nothing to divide, however small the exponent.
  if (exponent - from > unscaled.toString().length) return { unscaled: unscaled < 0n ? -1n : 1n, exponent };
  const divisor = 10n ** BigInt(exponent - from);
  const whole = unscaled / divisor;
  const exact = whole * divisor === unscaled;
  return { unscaled: exact ? whole : unscaled < 0n ? whole - 1n : whole + 1n, exponent };
}

/** Formats a quantity for a response: with its original spelling, or in canonical form. */
export function formatQuantity(quantity: Quantity): string {
  return quantity.text ?? canonicalQuantity(quantity);
}

/** Formats without a fraction, with the largest suffix that is exact. */
export function canonicalQuantity(quantity: Quantity): string {
  const { unscaled } = quantity;
  if (unscaled === 0n) return '0';
  const whole = quantity.format === 'BinarySI' ? binaryInteger(quantity) : undefined;
  if (whole !== undefined) return formatBinary(whole);
  let { amount, exponent } = stripZeros(unscaled, quantity.exponent);
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent -= 1;
  }
  if (quantity.format === 'DecimalExponent' || quantity.format === '') return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  return `${amount}${suffixOfExponent.get(exponent) ?? ''}`;
}

/** Binary suffixes require integers from 1024 on; other amounts are printed in decimal. */
function binaryInteger({ unscaled, exponent }: Quantity): bigint | undefined {
  const { amount, exponent: left } = stripZeros(unscaled, exponent);
  if (left < 0) return undefined;
  const whole = amount * 10n ** BigInt(left);
  return whole > -1024n && whole < 1024n ? undefined : whole;
}

function formatBinary(whole: bigint): string {
  let amount = whole;
  let exponent = 0;
  while (amount % 1024n === 0n && exponent < 60) {
    amount /= 1024n;
    exponent += 10;
  }
  return `${amount}${binarySuffixOfExponent.get(exponent) ?? ''}`;
}

function stripZeros(unscaled: bigint, from: number): { amount: bigint; exponent: number } {
  const digits = unscaled.toString();
  const zeros = digits.length - trimEnd(digits, '0').length;
  return { amount: zeros > 0 ? unscaled / 10n ** BigInt(zeros) : unscaled, exponent: from + zeros };
}

/** Most quantities: they are in this form already. */
const normalQuantity = /^[1-9]\d{0,2}(?:[mkMGTP]|[KMGTP]i)?$/;

/** The form after decoding: `1000m` is unchanged, ` 1` is trimmed, `0.5Gi` becomes `512Mi`. @throws QuantityError */
export function normalizeQuantity(text: string): string {
  if (normalQuantity.test(text)) return text;
  return formatQuantity(parseQuantity(text.trim()));
}

/** Returns a negative number, zero or a positive number, as `a` is less than, equal to or greater than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return compareAmounts(a.unscaled, a.exponent, b.unscaled, b.exponent);
}

/** Whether two quantities have the same value, in any format: `1Gi` and `1073741824`. @throws QuantityError */
export function isSameAmount(a: string, b: string): boolean {
  return a === b || compareQuantities(parseQuantity(a), parseQuantity(b)) === 0;
}

function compareAmounts(a: bigint, aExponent: number, b: bigint, bExponent: number): number {
  const [left, right] = alignExponents(a, aExponent, b, bExponent);
  return left < right ? -1 : left > right ? 1 : 0;
}

function alignExponents(a: bigint, aExponent: number, b: bigint, bExponent: number): readonly [bigint, bigint, number] {
  const exponent = Math.min(aExponent, bExponent);
  return [a * 10n ** BigInt(aExponent - exponent), b * 10n ** BigInt(bExponent - exponent), exponent];
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const [left, right, exponent] = alignExponents(a.unscaled, a.exponent, b.unscaled, b.exponent);
  return combineQuantities(a, b, left + right, exponent);
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  const [left, right, exponent] = alignExponents(a.unscaled, a.exponent, b.unscaled, b.exponent);
  return combineQuantities(a, b, left - right, exponent);
}

function combineQuantities(a: Quantity, b: Quantity, unscaled: bigint, exponent: number): Quantity {
  const format = a.unscaled === 0n ? b.format : a.format;
  const wide = a.wide || b.wide || unscaled > maxInt64 || unscaled < minInt64;
  return { unscaled, exponent, format, text: undefined, wide };
}

/** Rounds away from zero to a multiple of 10^`exponent`; exact multiples retain their spelling. */
export function roundQuantityUp(quantity: Quantity, exponent: number): Quantity {
  if (quantity.exponent >= exponent) return quantity;
  return { ...quantity, ...roundUp(quantity.unscaled, quantity.exponent, exponent), text: undefined };
}

/** -1, 0 or 1. */
export function signOfQuantity({ unscaled }: Quantity): number {
  return unscaled === 0n ? 0 : unscaled < 0n ? -1 : 1;
}

/** Go scales up by these numbers of digits in one step, which may overflow; by any other number digit by digit, with an overflow check. */
const scaledAtOnce: ReadonlySet<number> = new Set([1, 2, 3, 6, 9]);

/** The integer value (in thousandths with `exponent` -3) as Go's int64: rounded, with Go's overflow behaviour. */
export function quantityInteger(quantity: Quantity, exponent = 0): bigint {
  if (quantity.wide) return wideInteger(quantity, exponent);
  const shift = quantity.exponent - exponent;
  if (shift < 0) return roundUp(quantity.unscaled, quantity.exponent, exponent).unscaled;
  if (shift > 400) return 0n;
  const value = quantity.unscaled * 10n ** BigInt(shift);
  return (value <= maxInt64 && value >= minInt64) || scaledAtOnce.has(shift) ? BigInt.asIntN(64, value) : 0n;
}

/** Wide amounts are counted in billionths, except the largest binary ones. */
function wideInteger(quantity: Quantity, exponent: number): bigint {
  const retainsExponent = quantity.exponent <= nano || (quantity.exponent === 0 && abs(quantity.unscaled) === maxInt64);
  const own = retainsExponent ? quantity.exponent : nano;
  const unscaled = quantity.unscaled * 10n ** BigInt(quantity.exponent - own);
  if (own >= exponent) return BigInt.asIntN(64, unscaled * 10n ** BigInt(own - exponent));
  const divisor = 10n ** BigInt(exponent - own);
  // Truncates and then adds one, also for negative amounts, as the real server does; large negative amounts overflow first.
  const from = unscaled < maxInt64 ? BigInt.asIntN(64, unscaled) : unscaled;
  const whole = from / divisor;
  return BigInt.asIntN(64, from % divisor === 0n ? whole : whole + 1n);
}

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
