import type { AuditEvent } from '../event.ts';
import type { AuditSink } from './sink.ts';

/** The latest events, and those to come: the audit log where there are no files. */
export interface AuditRing extends AuditSink {
  /** Oldest first. */
  readonly events: readonly AuditEvent[];
  /** Tells of each event as it comes; the returned function ends that. */
  onEvent(listener: (event: AuditEvent) => void): () => void;
}

export function createAuditRing(capacity: number): AuditRing {
  const events: AuditEvent[] = [];
  const listeners = new Set<(event: AuditEvent) => void>();
  return {
    events,
    async take(taken) {
      events.push(...taken);
      if (events.length > capacity) events.splice(0, events.length - capacity);
      for (const event of taken) for (const listener of listeners) listener(event);
      return true;
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      listeners.clear();
    },
  };
}
