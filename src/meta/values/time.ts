/**
 * Timestamps of the API (part 2.5): `Time` with whole seconds in UTC, `MicroTime` with six decimals. Parsing follows Go's time.Parse step
 * by step, since clients see its errors.
 */
export interface Instant {
  /** Milliseconds since 1970, rounded down. */
  readonly ms: number;
  /** Nanoseconds within the second. */
  readonly nanos: number;
}

/** Invalid time; the message is Go's. */
export class TimeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TimeError';
  }
}

export type TimeLayout = 'Time' | 'MicroTime';

const layoutTexts: Readonly<Record<TimeLayout, string>> = {
  Time: '2006-01-02T15:04:05Z07:00',
  MicroTime: '2006-01-02T15:04:05.000000Z07:00',
};

/** The canonical forms, in which most times are sent and all are stored; without February 29th. */
const canonicalTime =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{6})?Z$/;
const canonicalLengths: Readonly<Record<TimeLayout, number>> = { Time: 20, MicroTime: 27 };

function isCanonical(text: string, layout: TimeLayout): boolean {
  return text.length === canonicalLengths[layout] && canonicalTime.test(text);
}

/** Returns a time in the canonical form of its layout. @throws TimeError */
export function normalizeTime(text: string, layout: TimeLayout): string {
  if (isCanonical(text, layout)) return text;
  const instant = parseParts(text, layout);
  return layout === 'Time' ? formatTime(instant.ms) : formatInstant(instant);
}

/** @throws TimeError */
export function parseTime(text: string): number {
  return parseInstant(text, 'Time').ms;
}

/** `2026-01-01T00:00:00Z`; fractions of a second are dropped. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** `2026-01-01T00:00:00.123000Z`. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

function formatInstant({ ms, nanos }: Instant): string {
  return `${new Date(ms).toISOString().slice(0, 19)}.${String(Math.trunc(nanos / 1000)).padStart(6, '0')}Z`;
}

/** @throws TimeError */
export function parseInstant(text: string, layout: TimeLayout): Instant {
  if (!isCanonical(text, layout)) return parseParts(text, layout);
  return { ms: Date.parse(text), nanos: layout === 'Time' ? 0 : Number(text.slice(-7, -1)) * 1000 };
}

/** @throws TimeError */
function parseParts(text: string, layout: TimeLayout): Instant {
  const reader = new TimeReader(text, layoutTexts[layout]);
  const year = reader.year();
  reader.literal('-');
  const month = reader.number('01', true, 1, 12, 'month');
  reader.literal('-');
  const day = reader.number('02', true, 0, 99, 'day');
  reader.literal('T');
  const hour = reader.number('15', false, 0, 23, 'hour');
  reader.literal(':');
  const minute = reader.number('04', true, 0, 59, 'minute');
  reader.literal(':');
  const second = reader.number('05', true, 0, 59, 'second');
  const nanos = layout === 'Time' ? reader.anyFraction() : reader.sixDecimals();
  const offsetMinutes = reader.zone();
  reader.end();
  if (day < 1 || day > daysIn(year, month)) throw reader.outOfRange('day');
  const date = new Date(0);
  // Date.UTC maps years below 100 to the 20th century.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return { ms: date.getTime() - offsetMinutes * 60_000 + Math.trunc(nanos / 1_000_000), nanos };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Parses a time from left to right; errors show the remaining text and the expected element. */
class TimeReader {
  readonly #text: string;
  readonly #layout: string;
  #rest: string;

  constructor(text: string, layout: string) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  year(): number {
    const match = this.#take(/^\d{4}/);
    if (match === undefined) throw this.#cannotParse('2006');
    return Number(match);
  }

  literal(mark: string): void {
    if (!this.#rest.startsWith(mark)) throw this.#cannotParse(mark);
    this.#rest = this.#rest.slice(mark.length);
  }

  number(element: string, twoDigits: boolean, min: number, max: number, name: string): number {
    const match = this.#take(twoDigits ? /^\d\d/ : /^\d\d?/);
    if (match === undefined) throw this.#cannotParse(element);
    const value = Number(match);
    if (value < min || value > max) throw this.outOfRange(name);
    return value;
  }

  /** A fraction may follow the seconds although the layout has none. */
  anyFraction(): number {
    const match = this.#take(/^[.,]\d+/);
    return match === undefined ? 0 : Number(match.slice(1, 10).padEnd(9, '0'));
  }

  sixDecimals(): number {
    const match = this.#take(/^[.,]\d{6}/);
    if (match === undefined) throw this.#cannotParse('.000000');
    return Number(match.slice(1)) * 1000;
  }

  zone(): number {
    if (this.#take(/^Z/) !== undefined) return 0;
    const match = this.#take(/^[-+]\d\d:\d\d/);
    if (match === undefined) throw this.#cannotParse('Z07:00');
    const [hours, minutes] = [Number(match.slice(1, 3)), Number(match.slice(4))];
    // Go accepts offsets of 24 hours and of 60 minutes.
    if (hours > 24) throw this.outOfRange('time zone offset hour');
    if (minutes > 60) throw this.outOfRange('time zone offset minute');
    return (match.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
  }

  end(): void {
    if (this.#rest !== '') throw this.#failure(`: extra text: ${quote(this.#rest)}`);
  }

  outOfRange(name: string): TimeError {
    return this.#failure(`: ${name} out of range`);
  }

  #take(pattern: RegExp): string | undefined {
    const match = pattern.exec(this.#rest)?.[0];
    if (match !== undefined) this.#rest = this.#rest.slice(match.length);
    return match;
  }

  #cannotParse(element: string): TimeError {
    return this.#failure(` as ${quote(this.#layout)}: cannot parse ${quote(this.#rest)} as ${quote(element)}`);
  }

  #failure(what: string): TimeError {
    return new TimeError(`parsing time ${quote(this.#text)}${what}`);
  }
}

const encoder = new TextEncoder();

/** Quotes like Go's time package: bytes beyond printable ASCII in hexadecimal. */
function quote(text: string): string {
  const inner = text.replace(/["\\]|[^ -~]+/g, (run) => (run === '"' || run === '\\' ? `\\${run}` : escapeBytes(run)));
  return `"${inner}"`;
}

/** By byte: `\x0a`. */
const byteEscapes = Array.from({ length: 256 }, (_, byte) => `\\x${byte.toString(16).padStart(2, '0')}`);

function escapeBytes(text: string): string {
  let escaped = '';
  for (const byte of encoder.encode(text)) escaped += byteEscapes[byte];
  return escaped;
}
