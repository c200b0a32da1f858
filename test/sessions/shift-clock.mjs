// Preloaded: sets the clock of a process to the day of the recording, because ages of fixed dates grow from day to day.
const offset = Date.UTC(2026, 10, 21, 12) - Date.now();
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offset);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + offset;
  }
};
