import type { Json } from '../../meta/index.ts';
import {
  formatDuration,
  formatMicroTime,
  formatTime,
  parseDuration,
  parseInstant,
  parseJson,
  stringifyJson,
  type TimeLayout,
} from '../../meta/index.ts';
import { ProtoError, readFields, type WireField } from './reader.ts';
import type { ProtoWriter } from './writer.ts';

/** Types with a custom JSON encoding. In protobuf each is a message; these functions encode and decode its content. */

/** Go's zero time, which stands for null. */
const zeroTime = /^0001-01-01T00:00:00(?:\.0+)?Z$/;

/** `int64 seconds = 1; int32 nanos = 2`; empty for null. */
export function writeTime(writer: ProtoWriter, layout: TimeLayout, value: unknown): void {
  if (typeof value !== 'string' || zeroTime.test(value)) return;
  const { ms, nanos } = parseInstant(value, layout);
  writer.integer(1, Math.floor(ms / 1000));
  writer.integer(2, layout === 'MicroTime' ? nanos : 0);
}

export function readTime(bytes: Uint8Array, layout: TimeLayout): string | null {
  if (bytes.length === 0) return null;
  const ms = Number(BigInt.asIntN(64, BigInt(integerOf(bytes, 1)))) * 1000;
  // Go cannot encode years outside of 0 to 9999 as JSON either.
  if (!(ms >= -62_167_219_200_000 && ms < 253_402_300_800_000)) throw new ProtoError('Time.MarshalJSON: year outside of range [0,9999]');
  if (layout === 'Time') return formatTime(ms);
  const micros = Math.floor(Number(integerOf(bytes, 2)) / 1000) % 1_000_000;
  return formatMicroTime(ms).replace(/\.\d+Z$/, `.${String(micros).padStart(6, '0')}Z`);
}

/** `int64 duration = 1`, in nanoseconds */
export function writeDuration(writer: ProtoWriter, value: unknown): void {
  writer.integer(1, typeof value === 'string' && value !== '' ? parseDuration(value) : 0);
}

export function readDuration(bytes: Uint8Array): string {
  return formatDuration(BigInt.asIntN(64, BigInt(integerOf(bytes, 1))));
}

/** `string string = 1` */
export function writeQuantity(writer: ProtoWriter, value: unknown): void {
  writer.string(1, value === undefined || value === null ? '0' : String(value));
}

export function readQuantity(bytes: Uint8Array): string {
  const last = lastOf(bytes, 1);
  return last ? last.text : '0';
}

/** `int64 type = 1 (0 number, 1 string); int32 intVal = 2; string strVal = 3` */
export function writeIntOrString(writer: ProtoWriter, value: unknown): void {
  const isText = typeof value === 'string';
  writer.integer(1, isText ? 1 : 0);
  writer.integer(2, typeof value === 'number' ? value : 0);
  writer.string(3, isText ? value : '');
}

export function readIntOrString(bytes: Uint8Array): string | number {
  if (Number(integerOf(bytes, 1)) !== 1) return Number(BigInt.asIntN(32, BigInt(integerOf(bytes, 2))));
  const text = lastOf(bytes, 3);
  return text ? text.text : '';
}

/** `bytes raw = 1`: JSON text, for types without a schema. */
export function writeRaw(writer: ProtoWriter, value: unknown): void {
  if (value !== undefined && value !== null) writer.string(1, plainJson(value));
}

export function readRaw(bytes: Uint8Array): Json {
  const raw = lastOf(bytes, 1);
  if (!raw) return null;
  const text = raw.text;
  if (text === '') return null;
  try {
    return parseJson(text).value;
  } catch (cause) {
    throw new ProtoError(cause instanceof Error ? cause.message : 'invalid JSON', cause);
  }
}

/** JSON without HTML escapes. */
function plainJson(value: unknown): string {
  const named: Readonly<Record<string, string>> = { '\\u003c': '<', '\\u003e': '>', '\\u0026': '&' };
  return stringifyJson(value).replace(/\\(?:u003c|u003e|u0026|.)/g, (escaped) => named[escaped] ?? escaped);
}

export function lastOf(bytes: Uint8Array, number: number): WireField | undefined {
  let last: WireField | undefined;
  for (const field of readFields(bytes)) if (field.number === number) last = field;
  return last;
}

function integerOf(bytes: Uint8Array, number: number): number | bigint {
  return lastOf(bytes, number)?.integer ?? 0;
}
