import { bytesToHex } from '../../meta/index.ts';
import { type ColumnType, convert, formatValue, type SqlValue } from './expressions.ts';
import { SqlError } from './sql-error.ts';

/** The object identifiers of types. */
export const typeIds: Readonly<Record<ColumnType, number>> = {
  boolean: 16,
  bigint: 20,
  integer: 23,
  text: 25,
  'double precision': 701,
  'character varying': 1043,
  date: 1082,
  timestamp: 1184,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
};

/** Types that clients name for parameters, besides those above. */
const otherTypes: Readonly<Record<number, ColumnType>> = {
  19: 'text',
  21: 'integer',
  114: 'jsonb',
  700: 'double precision',
  1042: 'character varying',
  1114: 'timestamp',
};

/** Undefined: the type is not specified. @throws SqlError */
export function typeOfId(id: number): ColumnType | undefined {
  if (id === 0 || id === 705) return undefined;
  const type = (Object.keys(typeIds) as ColumnType[]).find((one) => typeIds[one] === id) ?? otherTypes[id];
  if (!type) throw new SqlError('0A000', `parameters of type ${id} are not supported`);
  return type;
}

const dayMs = 86_400_000;

/** Times are counted from 2000. */
const epochMs = Date.UTC(2000, 0);

function numberBytes(size: 1 | 4 | 8, set: (view: DataView) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(size));
  set(view);
  return new Uint8Array(view.buffer);
}

/** A value as the protocol has it, in text (0) or binary (1) format. */
export function encodeValue(value: SqlValue, type: ColumnType, format: number): Uint8Array {
  const text = formatValue(value);
  if (format === 1) {
    switch (type) {
      case 'boolean':
        return Uint8Array.of(value === true ? 1 : 0);
      case 'integer':
        return numberBytes(4, (view) => view.setInt32(0, Number(value)));
      case 'bigint':
        return numberBytes(8, (view) => view.setBigInt64(0, BigInt(Math.trunc(Number(value)))));
      case 'double precision':
        return numberBytes(8, (view) => view.setFloat64(0, Number(value)));
      case 'date':
        return numberBytes(4, (view) => view.setInt32(0, Math.round((Date.parse(text) - epochMs) / dayMs)));
      case 'timestamp':
        return numberBytes(8, (view) => view.setBigInt64(0, BigInt(Date.parse(text.replace(/\+00$/, 'Z')) - epochMs) * 1000n));
      case 'uuid':
        return Uint8Array.from(text.replaceAll('-', '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
      case 'numeric':
        return encodeNumeric(text);
      case 'jsonb':
        return new TextEncoder().encode(`\u0001${text}`);
      default:
    }
  }
  return new TextEncoder().encode(text);
}

/** Groups of four decimal digits. */
function encodeNumeric(text: string): Uint8Array {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const groupsOf = (digits: string): number[] => (digits.match(/\d{4}/g) ?? []).map(Number);
  const groups = groupsOf(whole.padStart(Math.ceil(whole.length / 4) * 4, '0'));
  const weight = groups.length - 1;
  groups.push(...groupsOf(fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0')));
  const view = new DataView(new ArrayBuffer(8 + groups.length * 2));
  const head = [groups.length, weight, text.startsWith('-') ? 0x4000 : 0, fraction.length];
  for (const [at, value] of [...head, ...groups].entries()) view.setUint16(at * 2, value);
  return new Uint8Array(view.buffer);
}

/** A parameter. @throws SqlError */
export function decodeValue(bytes: Uint8Array, type: ColumnType, format: number): SqlValue {
  if (format === 0 || /^(?:text|character varying)$/.test(type)) return convert(new TextDecoder().decode(bytes), type);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const integer = (): number =>
    bytes.length === 8 ? Number(view.getBigInt64(0)) : bytes.length === 2 ? view.getInt16(0) : view.getInt32(0);
  switch (type) {
    case 'boolean':
      return bytes[0] === 1;
    case 'integer':
    case 'bigint':
      return integer();
    case 'double precision':
      return bytes.length === 4 ? view.getFloat32(0) : view.getFloat64(0);
    case 'date':
      return new Date(epochMs + integer() * dayMs).toISOString().slice(0, 10);
    case 'timestamp':
      return new Date(epochMs + Math.floor(integer() / 1000)).toISOString().replace('T', ' ').replace('Z', '+00');
    case 'uuid':
      return bytesToHex(bytes).replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    case 'jsonb':
      return new TextDecoder().decode(bytes[0] === 1 ? bytes.subarray(1) : bytes);
    default:
      throw new SqlError('0A000', `parameters of type ${type} have no binary format here`);
  }
}
