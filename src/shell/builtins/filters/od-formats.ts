import { CommandError } from '../../errors.ts';
import { isPrintable } from './blocks.ts';

/** How od shows the values of a line. */
export interface OdFormat {
  /** Bytes of a value. */
  readonly size: number;
  /** Characters of a value, with the space before it. */
  readonly width: number;
  show(view: DataView, at: number): string;
}

const controlNames =
  'nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp'.split(' ');
const escapes: Readonly<Record<number, string>> = { 0: '\\0', 7: '\\a', 8: '\\b', 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' };

const character: OdFormat = {
  size: 1,
  width: 4,
  show: (view, at) => {
    const byte = view.getUint8(at);
    return escapes[byte] ?? (isPrintable(byte) ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0'));
  },
};

const named: OdFormat = {
  size: 1,
  width: 4,
  show: (view, at) => {
    const byte = view.getUint8(at) & 127;
    return controlNames[byte] ?? (byte === 127 ? 'del' : String.fromCharCode(byte));
  },
};

type Radix = 'd' | 'u' | 'o' | 'x';

const widths: Readonly<Record<Radix, Readonly<Record<number, number>>>> = {
  d: { 1: 5, 2: 7, 4: 12, 8: 21 },
  u: { 1: 4, 2: 6, 4: 11, 8: 21 },
  o: { 1: 4, 2: 7, 4: 12, 8: 23 },
  x: { 1: 3, 2: 5, 4: 9, 8: 17 },
};

function integer(radix: Radix, size: number): OdFormat {
  const width = widths[radix][size] ?? 0;
  const base = { d: 10, u: 10, o: 8, x: 16 }[radix];
  const isPadded = radix === 'o' || radix === 'x';
  return {
    size,
    width,
    show(view, at) {
      let value = 0n;
      for (let byte = size - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(view.getUint8(at + byte));
      const text = (radix === 'd' ? BigInt.asIntN(size * 8, value) : value).toString(base);
      return isPadded ? text.padStart(width - 1, '0') : text;
    },
  };
}

const float = (size: 4 | 8): OdFormat => ({
  size,
  width: size === 4 ? 16 : 24,
  show: (view, at) => formatGeneral(size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true), size === 4 ? 8 : 16),
});

/** `%.8g` of printf. */
function formatGeneral(value: number, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value < 0 ? '-inf' : 'inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [, mantissa = '', exponent = '0'] = /^(.*)e(.*)$/.exec(value.toExponential(digits - 1)) ?? [];
  const power = Number(exponent);
  const short = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  if (power >= -4 && power < digits) return short(value.toFixed(digits - 1 - power));
  return `${short(mantissa)}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** The formats of the options without a type. */
export const shortFormats: Readonly<Record<string, OdFormat>> = {
  a: named,
  b: integer('o', 1),
  c: character,
  d: integer('u', 2),
  f: float(4),
  h: integer('x', 2),
  i: integer('d', 4),
  l: integer('d', 8),
  o: integer('o', 2),
  s: integer('d', 2),
  x: integer('x', 2),
};

const sizes: Readonly<Record<string, number>> = { C: 1, S: 2, I: 4, L: 8, F: 4, D: 8 };

/** The formats of `-t`: `x1`, `cx1`, `dS`. @throws CommandError */
export function typedFormats(type: string): readonly OdFormat[] {
  const formats: OdFormat[] = [];
  for (let rest = type; rest !== ''; ) {
    const [all, letter = '', size = ''] = /^(?:a|c|([dfoux])([CSILFD]|\d*))/.exec(rest) ?? [];
    if (all === undefined) throw new CommandError(`od: invalid character '${rest[0]}' in type string '${type}'`);
    rest = rest.slice(all.length);
    formats.push(all === 'a' ? named : all === 'c' ? character : numberFormat(letter, size, type));
  }
  return formats;
}

function numberFormat(letter: string, size: string, type: string): OdFormat {
  const isFloat = letter === 'f';
  const bytes = size === '' ? (isFloat ? 8 : 4) : (sizes[size] ?? Number(size));
  if (isFloat && (bytes === 4 || bytes === 8)) return float(bytes);
  if (!isFloat && [1, 2, 4, 8].includes(bytes)) return integer(letter as Radix, bytes);
  const kind = isFloat ? 'floating point' : 'integral';
  throw new CommandError(`od: invalid type string '${type}'; ${bytes}-byte ${kind} type is not supported`);
}
