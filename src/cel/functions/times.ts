import { trimEnd } from '../../meta/index.ts';
import { Duration, Failure, fitsInt, type Result, Timestamp } from '../values/value.ts';
import type { Functions } from './functions.ts';

const second = 1_000_000_000n;
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

/** Limited to years 1 to 9999. */
export function timestampOf(nanos: bigint, offsetMinutes = 0): Result {
  const seconds = floorDiv(nanos, second);
  return seconds < minSeconds || seconds > maxSeconds ? new Failure('timestamp overflow') : new Timestamp(nanos, offsetMinutes);
}

export function durationOf(nanos: bigint): Result {
  return fitsInt(nanos) ? new Duration(nanos) : new Failure('integer overflow');
}

function floorDiv(a: bigint, b: bigint): bigint {
  const whole = a / b;
  return a % b < 0n ? whole - 1n : whole;
}

const layout = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|[+-]\d\d:\d\d)$/;

/** Parses RFC 3339; undefined for invalid text, a failure when out of range. */
export function parseTimestamp(text: string): Result | undefined {
  const match = layout.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, seconds, fraction = '', zone = 'Z'] = match;
  const offset = zone === 'Z' ? 0 : zoneMinutes(zone);
  const ms = utcMs(Number(year), Number(month), Number(day));
  if (ms === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59 || offset === undefined) return undefined;
  const wholeSeconds = BigInt(ms / 1000 + Number(hour) * 3600 + (Number(minute) - offset) * 60 + Number(seconds));
  return timestampOf(wholeSeconds * second + BigInt(fraction.slice(0, 9).padEnd(9, '0')), offset);
}

function zoneMinutes(zone: string): number | undefined {
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function utcMs(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** RFC 3339 in the original zone, with as many decimals as needed. */
export function formatTimestamp({ nanos, offsetMinutes }: Timestamp): string {
  const seconds = floorDiv(nanos, second);
  const fraction = trimEnd((nanos - seconds * second).toString().padStart(9, '0'), '0');
  const text = new Date((Number(seconds) + offsetMinutes * 60) * 1000).toISOString().replace(/\.\d+Z$/, '');
  return `${text}${fraction === '' ? '' : `.${fraction}`}${formatOffset(offsetMinutes)}`;
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const size = Math.abs(minutes);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Seconds in the format of a double: `1.5s`. */
export function formatSeconds({ nanos }: Duration): string {
  const size = nanos < 0n ? -nanos : nanos;
  if (size >= second) return `${Number(nanos / second) + Number(nanos % second) / 1e9}s`;
  const fraction = trimEnd(size.toString().padStart(9, '0'), '0');
  return `${nanos < 0n ? '-' : ''}0${fraction === '' ? '' : `.${fraction}`}s`;
}

/** A date whose UTC fields are those of the zone; a failure for unknown zones. */
function inZone({ nanos }: Timestamp, zone: string | undefined): Date | Failure {
  const ms = Number(floorDiv(nanos, 1_000_000n));
  if (zone === undefined || zone === '' || zone === 'UTC') return new Date(ms);
  if (zone.includes(':')) return atOffset(ms, zone);
  if (zone === 'Local') return new Date(ms);
  if (/^[/\\]|\.\./.test(zone)) return new Failure('time: invalid location name');
  try {
    return namedZone(ms, zone) ?? new Failure(`unknown time zone ${zone}`);
  } catch (error) {
    if (error instanceof RangeError) return new Failure(`unknown time zone ${zone}`);
    throw error;
  }
}

function atOffset(ms: number, zone: string): Date | Failure {
  const colon = zone.indexOf(':');
  const [hours, minutes] = [zone.slice(0, colon), zone.slice(colon + 1)];
  for (const part of [hours, minutes]) {
    const why = !/^[+-]?\d+$/.test(part) ? 'invalid syntax' : fitsInt(BigInt(part.replace('+', ''))) ? undefined : 'value out of range';
    if (why !== undefined) return new Failure(`strconv.Atoi: parsing ${JSON.stringify(part)}: ${why}`);
  }
  const offset = Number(hours) * 60 + (zone.startsWith('-') ? -Number(minutes) : Number(minutes));
  return new Date(ms + offset * 60_000);
}

/** Expressions mostly use the same few zones; creating a format takes a hundred times as long as using it. */
const maxZoneFormats = 64;
const zoneFormats = new Map<string, Intl.DateTimeFormat | undefined>();

/** Undefined for a name in the wrong case: Go looks for a file. @throws RangeError for an unknown zone */
function zoneFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  if (zoneFormats.has(timeZone)) return zoneFormats.get(timeZone);
  const fields = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', era: 'short', ...fields });
  const known = format.resolvedOptions().timeZone;
  const spelled = known.toLowerCase() === timeZone.toLowerCase() ? known === timeZone : /^[A-Z]/.test(timeZone);
  if (zoneFormats.size >= maxZoneFormats) zoneFormats.clear();
  zoneFormats.set(timeZone, spelled ? format : undefined);
  return spelled ? format : undefined;
}

function namedZone(ms: number, timeZone: string): Date | undefined {
  const format = zoneFormat(timeZone);
  if (!format) return undefined;
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? Number.NaN;
  const date = new Date(0);
  date.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  date.setUTCHours(part('hour'), part('minute'), part('second'), ((ms % 1000) + 1000) % 1000);
  return date;
}

type Read = (date: Date) => number;

function calendar(read: Read) {
  return (time: Timestamp, zone?: string): Result => {
    const date = inZone(time, zone);
    return date instanceof Failure ? date : BigInt(read(date));
  };
}

/** For a timestamp the field, for a duration the total in that unit. */
function clock(read: Read, unitNanos: bigint) {
  const ofTime = calendar(read);
  return (value: Timestamp | Duration, zone?: string): Result =>
    value instanceof Duration ? value.nanos / unitNanos : ofTime(value, zone);
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
}

export const times: Functions = {
  getFullYear: calendar((date) => date.getUTCFullYear()),
  getMonth: calendar((date) => date.getUTCMonth()),
  getDate: calendar((date) => date.getUTCDate()),
  getDayOfMonth: calendar((date) => date.getUTCDate() - 1),
  getDayOfWeek: calendar((date) => date.getUTCDay()),
  getDayOfYear: calendar(dayOfYear),
  getHours: clock((date) => date.getUTCHours(), 3_600n * second),
  getMinutes: clock((date) => date.getUTCMinutes(), 60n * second),
  getSeconds: clock((date) => date.getUTCSeconds(), second),
  getMilliseconds: clock((date) => date.getUTCMilliseconds(), 1_000_000n),
};
