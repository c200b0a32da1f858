/**
 * Names of events: the object's name and the time in nanoseconds, as in client-go. The clock has only milliseconds, so the rest is a number
 * that differs between the events of a recorder, and, by its start, between recorders: controllers may report the same object at once.
 */
export class EventNames {
  #sequence: number;

  /** `component`: what distinguishes the recorder. */
  constructor(component: string) {
    this.#sequence = [...component].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % perMillisecond, 0);
  }

  next(objectName: string, nowMs: number): string {
    const nanos = BigInt(nowMs) * BigInt(perMillisecond) + BigInt(this.#sequence++ % perMillisecond);
    return `${objectName}.${nanos.toString(16)}`;
  }
}

const perMillisecond = 1_000_000;
