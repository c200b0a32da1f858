import type { AuditEvent } from '../event.ts';
import type { AuditSink } from './sink.ts';

/** The latest events, and those to come: the audit log where there are no files. */
export interface AuditRing extends AuditSink {
  /** Oldest first. */
  readonly events: readonly AuditEvent[];
  /** Tells of each event as it comes; the returned function ends that. */
  onEvent(listener: (event: AuditEvent) => void): () => void;
}

export interface AuditRingLimits {
  readonly events: number;
  /** What the bodies of all events together may come to, in UTF-16 code units. */
  readonly bodies: number;
}

/** In steps of a tenth, so that a busy ring does not copy itself for every event. */
const spared = 0.9;

/** Holds at least nine tenths of what it may hold, once that much has come. */
export function createAuditRing(limits: AuditRingLimits): AuditRing {
  const events: AuditEvent[] = [];
  const listeners = new Set<(event: AuditEvent) => void>();
  let bodies = 0;
  return {
    events,
    async take(taken) {
      for (const event of taken) {
        events.push(event);
        bodies += bodySize(event);
      }
      if (events.length > limits.events || bodies > limits.bodies) bodies -= drop(events, limits.events * spared, bodies - limits.bodies);
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

/** Lets the oldest go until at most `most` are left, and of their bodies at least `excess` less; how much less. */
function drop(events: AuditEvent[], most: number, excess: number): number {
  let dropped = 0;
  const end = events.findIndex((event, at) => {
    if (events.length - at <= most && dropped >= excess) return true;
    dropped += bodySize(event);
    return false;
  });
  events.splice(0, end < 0 ? events.length : end);
  return dropped;
}

function bodySize({ requestObject = '', responseObject = '' }: AuditEvent): number {
  return requestObject.length + responseObject.length;
}
