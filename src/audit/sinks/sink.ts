import type { AuditEvent } from '../event.ts';

/** Receives audit events. Cf. upstream audit.Backend. */
export interface AuditSink {
  /** False: some events were dropped, so strict callers must fail. */
  processEvents(events: readonly AuditEvent[]): Promise<boolean>;
  /** Flushes pending events and stops. */
  close(): Promise<void>;
}

/** Sends all events to every sink. Cf. upstream audit.Union. */
export function unionSink(sinks: readonly AuditSink[]): AuditSink {
  const [only] = sinks;
  if (only && sinks.length === 1) return only;
  return {
    async processEvents(events) {
      const taken = await Promise.all(sinks.map((sink) => sink.processEvents(events)));
      return taken.every((whole) => whole);
    },
    async close() {
      await Promise.all(sinks.map((sink) => sink.close()));
    },
  };
}

/** Mode `blocking`: the request waits for the sink, and ignores its errors. */
export function ignoreErrorsSink(sink: AuditSink): AuditSink {
  return {
    async processEvents(events) {
      await sink.processEvents(events);
      return true;
    },
    close: () => sink.close(),
  };
}
