import { DurationError, parseDuration } from '../../../meta/index.ts';

/** A cron schedule, parsed like robfig/cron's standard parser, since clients see its errors. */
export interface CronSchedule {
  /** Minutes, hours, days of the month, months, days of the week; undefined with `@every`. */
  readonly fields: readonly CronField[] | undefined;
  /** Interval in nanoseconds, with `@every`. */
  readonly every: bigint | undefined;
  /** Of a `TZ=` or `CRON_TZ=` prefix. */
  readonly timeZone: string | undefined;
}

export interface CronField {
  readonly values: ReadonlySet<number>;
  /** Written as `*` or `?`. */
  readonly any: boolean;
}

export class CronError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CronError';
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const bounds: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: weekdays },
];
const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** @throws CronError */
export function parseCron(text: string): CronSchedule {
  if (text === '') throw new CronError('empty spec string');
  const zoned = /^(?:TZ|CRON_TZ)=(\S*)\s*/.exec(text);
  if (zoned && !isTimeZone(zoned[1] ?? '')) throw new CronError(`provided bad location ${zoned[1]}: unknown time zone ${zoned[1]}`);
  const timeZone = zoned?.[1];
  const spec = zoned ? text.slice(zoned[0].length).trim() : text;
  if (spec.startsWith('@')) return { ...parseDescriptor(spec), timeZone };
  const parts = spec.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== bounds.length) throw new CronError(`expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`);
  return { fields: bounds.map((bound, index) => parseField(parts[index] ?? '', bound)), every: undefined, timeZone };
}

/** Whether the platform knows a time zone, in any case. */
export function isTimeZone(name: string): boolean {
  // Intl accepts offsets such as `+05:30`, the time zone database does not contain them.
  if (/^[-+\u2212]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function parseDescriptor(spec: string): CronSchedule {
  const standard = Object.hasOwn(descriptors, spec) ? descriptors[spec] : undefined;
  if (standard !== undefined) return parseCron(standard);
  const prefix = '@every ';
  if (!spec.startsWith(prefix)) throw new CronError(`unrecognized descriptor: ${spec}`);
  try {
    return { fields: undefined, every: parseDuration(spec.slice(prefix.length)), timeZone: undefined };
  } catch (error) {
    if (error instanceof DurationError) throw new CronError(`failed to parse duration ${spec}: ${error.message}`);
    throw error;
  }
}

function parseField(text: string, bound: Bounds): CronField {
  const values = new Set<number>();
  let any = false;
  for (const expression of text.split(',').filter((part) => part !== '')) {
    const range = parseRange(expression, bound);
    any ||= range.any;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
  }
  return { values, any };
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly any: boolean;
}

function parseRange(expression: string, bound: Bounds): Range {
  const [range = '', stepText, ...moreSlashes] = expression.split('/');
  const [low = '', high, ...moreHyphens] = range.split('-');
  const any = low === '*' || low === '?';
  if (!any && moreHyphens.length > 0) throw new CronError(`too many hyphens: ${expression}`);
  const start = any ? bound.min : parseName(low, bound);
  const named = any ? bound.max : high === undefined ? start : parseName(high, bound);
  if (moreSlashes.length > 0) throw new CronError(`too many slashes: ${expression}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  // `5/15` extends to the end of the range.
  const end = stepText !== undefined && !any && high === undefined ? bound.max : named;
  if (start < bound.min) throw new CronError(`beginning of range (${start}) below minimum (${bound.min}): ${expression}`);
  if (end > bound.max) throw new CronError(`end of range (${end}) above maximum (${bound.max}): ${expression}`);
  if (start > end) throw new CronError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (step === 0) throw new CronError(`step of range should be a positive number: ${expression}`);
  return { start, end, step, any: any && step === 1 };
}

function parseName(text: string, bound: Bounds): number {
  const index = bound.names?.indexOf(text.toLowerCase()) ?? -1;
  return index >= 0 ? index + bound.min : parseNumber(text);
}

function parseNumber(text: string): number {
  if (!/^[-+]?\d+$/.test(text)) {
    throw new CronError(`failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  }
  const value = Number(text);
  if (value < 0) throw new CronError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
