const parser = /GMT(?:([-+])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * The local times of a time zone. A local time is represented by the milliseconds of the same date and time in UTC, so that the UTC methods of
 * Date read and change it.
 */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined;

  /** @throws RangeError for an unknown name */
  constructor(name: string) {
    this.#format =
      name === '' || name === 'UTC' ? undefined : new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  }

  /** Difference of the local time to UTC. */
  offsetMs(atMs: number): number {
    const match = this.#format && parser.exec(this.#format.format(atMs));
    if (!match?.[1]) return 0;
    const [, sign, hours, minutes, seconds = '0'] = match;
    return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  }

  local(atMs: number): Date {
    return new Date(atMs + this.offsetMs(atMs));
  }

  /** The instant of a local time; at a change of the offset one of the possible ones. Cf. Go time.Date. */
  instant(localMs: number): number {
    const offset = this.offsetMs(localMs);
    return localMs - (offset === 0 ? 0 : this.offsetMs(localMs - offset));
  }

  /** `2026-01-01T02:00:00+02:00`, as RFC 3339 in this time zone. */
  format(atMs: number): string {
    const offset = this.offsetMs(atMs);
    const text = new Date(atMs + offset).toISOString().slice(0, 19);
    if (offset === 0) return `${text}Z`;
    const minutes = Math.trunc(Math.abs(offset) / 60_000);
    const pad = (value: number): string => String(value).padStart(2, '0');
    return `${text}${offset < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
  }
}
