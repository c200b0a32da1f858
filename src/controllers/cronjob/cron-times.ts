import type { CronSchedule } from '../../schema/index.ts';
import { TimeZone } from './time-zone.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The times of a schedule. */
export interface CronTimes {
  /** The first time after the given one, in milliseconds; undefined when there is none within five years. */
  next(afterMs: number): number | undefined;
}

/** Cf. robfig/cron ParseStandard. @throws RangeError for an unknown time zone of the schedule */
export function createCronTimes(schedule: CronSchedule): CronTimes {
  const { every, fields, timeZone = '' } = schedule;
  if (every !== undefined) {
    // Cf. robfig/cron Every: whole seconds, at least one.
    const delayMs = Math.max(1, Number(every / 1_000_000_000n)) * secondMs;
    return { next: (afterMs) => Math.floor(afterMs / secondMs) * secondMs + delayMs };
  }
  return new FieldTimes(fields ?? [], new TimeZone(timeZone));
}

/** The part of the time that a field of the schedule describes, and the start of the next such part. */
interface Unit {
  matches(local: Date): boolean;
  /** Start of the part; only used before the first increment. */
  floor(atMs: number): number;
  add(atMs: number): number;
  /** Whether the increment also changed a larger unit, whose field then has to match again. */
  wraps(local: Date): boolean;
}

/** Cf. robfig/cron SpecSchedule. */
class FieldTimes implements CronTimes {
  readonly #zone: TimeZone;
  readonly #units: readonly Unit[];

  constructor(fields: NonNullable<CronSchedule['fields']>, zone: TimeZone) {
    this.#zone = zone;
    const [minutes, hours, days, months, weekdays] = fields;
    const isDay = (local: Date): boolean => {
      const [onDay, onWeekday] = [days?.values.has(local.getUTCDate()) === true, weekdays?.values.has(local.getUTCDay()) === true];
      // When both are restricted, one of them has to match.
      return days?.any || weekdays?.any ? onDay && onWeekday : onDay || onWeekday;
    };
    this.#units = [
      {
        matches: (local) => months?.values.has(local.getUTCMonth() + 1) === true,
        floor: (atMs) => this.#date(atMs, ({ year, month }) => Date.UTC(year, month, 1)),
        add: (atMs) => this.#date(atMs, ({ year, month, day, timeMs }) => Date.UTC(year, month + 1, day) + timeMs),
        wraps: (local) => local.getUTCMonth() === 0,
      },
      {
        matches: isDay,
        floor: (atMs) => this.#date(atMs, ({ year, month, day }) => Date.UTC(year, month, day)),
        add: (atMs) => this.#toMidnight(this.#date(atMs, ({ year, month, day, timeMs }) => Date.UTC(year, month, day + 1) + timeMs)),
        wraps: (local) => local.getUTCDate() === 1,
      },
      {
        matches: (local) => hours?.values.has(local.getUTCHours()) === true,
        floor: (atMs) => this.#date(atMs, ({ year, month, day, hour }) => Date.UTC(year, month, day, hour)),
        add: (atMs) => atMs + hourMs,
        wraps: (local) => local.getUTCHours() === 0,
      },
      {
        matches: (local) => minutes?.values.has(local.getUTCMinutes()) === true,
        floor: (atMs) => Math.floor(atMs / minuteMs) * minuteMs,
        add: (atMs) => atMs + minuteMs,
        wraps: (local) => local.getUTCMinutes() === 0,
      },
      {
        matches: (local) => local.getUTCSeconds() === 0,
        floor: (atMs) => atMs,
        add: (atMs) => atMs + secondMs,
        wraps: (local) => local.getUTCSeconds() === 0,
      },
    ];
  }

  next(afterMs: number): number | undefined {
    let atMs = Math.floor(afterMs / secondMs) * secondMs + secondMs;
    const lastYear = this.#zone.local(atMs).getUTCFullYear() + 5;
    let isFloored = false;
    for (let index = 0; index < this.#units.length; ) {
      const unit = this.#units[index];
      const local = this.#zone.local(atMs);
      if (local.getUTCFullYear() > lastYear) return undefined;
      if (!unit || unit.matches(local)) {
        index += 1;
        continue;
      }
      if (!isFloored) atMs = unit.floor(atMs);
      isFloored = true;
      atMs = unit.add(atMs);
      if (unit.wraps(this.#zone.local(atMs))) index = 0;
    }
    return atMs;
  }

  /** The instant of a local time that is computed from the parts of another. */
  #date(atMs: number, localMs: (parts: LocalParts) => number): number {
    const local = this.#zone.local(atMs);
    const midnight = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
    return this.#zone.instant(
      localMs({
        year: local.getUTCFullYear(),
        month: local.getUTCMonth(),
        day: local.getUTCDate(),
        hour: local.getUTCHours(),
        timeMs: local.getTime() - midnight,
      }),
    );
  }

  /** Where a change of the offset skips midnight, days start at another hour. */
  #toMidnight(atMs: number): number {
    const hour = this.#zone.local(atMs).getUTCHours();
    if (hour === 0) return atMs;
    return atMs + (hour > 12 ? 24 - hour : -hour) * hourMs;
  }
}

interface LocalParts {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  /** Since midnight. */
  readonly timeMs: number;
}
