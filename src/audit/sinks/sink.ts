import type { AuditEvent } from '../event.ts';

/** Where events go. */
export interface AuditSink {
  /** False: some are lost. Whoever may not lose any goes no further then. */
  take(events: readonly AuditEvent[]): Promise<boolean>;
  /** Passes on what still waits, and takes no more. */
  close(): Promise<void>;
}

/** Several as one: each takes everything. */
export function allSinks(sinks: readonly AuditSink[]): AuditSink {
  const [only] = sinks;
  if (only && sinks.length === 1) return only;
  return {
    async take(events) {
      const taken = await Promise.all(sinks.map((sink) => sink.take(events)));
      return taken.every((whole) => whole);
    },
    async close() {
      await Promise.all(sinks.map((sink) => sink.close()));
    },
  };
}

/** Mode `blocking`: the request waits until its events are taken, and goes on even when they are lost. */
export function forgivingSink(sink: AuditSink): AuditSink {
  return {
    async take(events) {
      await sink.take(events);
      return true;
    },
    close: () => sink.close(),
  };
}
