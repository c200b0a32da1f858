/** How Go prints a resource.Quantity that was read from storage. Cf. resource.ParseQuantity. */
export function dumpQuantity(text: string): string {
  const { amount = zeroAmount, decimal = '<nil>', text: reused, format } = text === '0' ? zero : parse(text);
  return `{i:${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)${decimal}} s:(string)${reused} Format:(resource.Format)${format}}`;
}

interface Parsed {
  /** The printed number, when 64 bits are enough. */
  readonly amount?: string;
  /** The printed number of any size. */
  readonly decimal?: string;
  /** The text of a quantity in canonical form, where Go recognizes that. */
  readonly text: string;
  readonly format: string;
}

const zeroAmount = int64Amount(0n, 0);
const zero: Parsed = { text: '0', format: 'DecimalSI' };

/** The most decimal digits that fit into 64 bits for certain (upstream maxInt64Factors). */
const maxDigits = 18;

/** Number of decimals of the smallest fraction. */
const nanoDecimals = 9;

/** Numbers with a larger exponent are without use, and printing their digits would take very long. */
const maxExponent = 1_000;

const maxInt64 = 2n ** 63n - 1n;

function parse(text: string): Parsed {
  const isNegative = text.startsWith('-');
  const number = /^[-+\d.]*/.exec(text)?.[0] ?? '';
  const { format, base, exponent } = suffixOf(text.slice(number.length));
  const [digits = '', fraction = ''] = number.replace(/^[-+]/, '').split('.');
  const integer = digits.replace(/^0+/, '') || '0';
  const factor = base === 2 ? 2n ** BigInt(exponent) : 1n;
  const scale = (base === 10 ? exponent : 0) - fraction.length;
  const unscaled = BigInt(integer + fraction);
  const value = unscaled * factor;
  if (isSmall(integer, fraction, base, exponent) && scale >= -nanoDecimals && value <= maxInt64) {
    const isReused = base === 2 ? (unscaled & 7n) !== 0n : isCanonicalDecimal(integer + fraction, scale);
    return { amount: int64Amount(isNegative ? -value : value, scale), text: isReused ? text : '', format };
  }
  return { decimal: decimalOf(value, -scale, base, isNegative), text: '', format };
}

function isSmall(integer: string, fraction: string, base: 2 | 10, exponent: number): boolean {
  if (base === 10) return integer.length + fraction.length <= maxDigits;
  return fraction === '' && 15 - integer.length - Math.trunc((exponent * 3) / 10) - 1 >= 0;
}

function isCanonicalDecimal(digits: string, scale: number): boolean {
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

function int64Amount(value: bigint, scale: number): string {
  return `(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
}

/** `decimals` is the scale of inf.Dec: the number of decimals. Other numbers than 0 get those of the smallest fraction, rounded up. */
function decimalOf(value: bigint, decimals: number, base: 2 | 10, isNegative: boolean): string {
  if (value === 0n) return decimal(0n, decimals, false);
  const shift = nanoDecimals - decimals;
  const divisor = 10n ** BigInt(Math.max(0, -shift));
  const rounded = shift >= 0 ? value * 10n ** BigInt(shift) : (value + divisor - 1n) / divisor;
  if (base === 2 && rounded > maxInt64 * 10n ** BigInt(nanoDecimals)) return decimal(maxInt64, 0, isNegative);
  return decimal(rounded, nanoDecimals, isNegative);
}

/** In words of 64 bits, the lowest first. */
function decimal(unscaled: bigint, scale: number, isNegative: boolean): string {
  const words: bigint[] = [];
  for (let rest = unscaled; rest > 0n; rest >>= 64n) words.push(BigInt.asUintN(64, rest));
  const list = words.length === 0 ? '<nil>' : `[${words.join(' ')}]`;
  return `{unscaled:(big.Int){neg:(bool)${isNegative} abs:(big.nat)${list}} scale:(inf.Scale)${scale}}`;
}

const binarySuffixes = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];

function suffixOf(suffix: string): { readonly format: string; readonly base: 2 | 10; readonly exponent: number } {
  const binary = binarySuffixes.indexOf(suffix);
  if (binary >= 0) return { format: 'BinarySI', base: 2, exponent: 10 * (binary + 1) };
  const power = decimalSuffixes.indexOf(suffix);
  if (power >= 0) return { format: 'DecimalSI', base: 10, exponent: 3 * (power - 3) };
  const exponent = Math.max(-maxExponent, Math.min(maxExponent, Number(suffix.slice(1))));
  return { format: 'DecimalExponent', base: 10, exponent };
}
