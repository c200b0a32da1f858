import type { AuditEvent } from '../event.ts';
import type { AuditSink } from './sink.ts';

/** A ring buffer of the latest events, with subscription; the audit log of hosts without files. */
export interface AuditRing extends AuditSink {
  /** Oldest first. */
  readonly events: readonly AuditEvent[];
  /** Subscribes to new events; returns the function to unsubscribe. */
  onEvent(listener: (event: AuditEvent) => void): () => void;
}

export interface AuditRingLimits {
  readonly events: number;
  /** Limit for the bodies of all events together, in UTF-16 code units. */
  readonly bodies: number;
}

/** Trims to nine tenths, so that a busy ring does not move its events for every new one. */
const trimRatio = 0.9;

/** Once filled, retains at least nine tenths of its limits. */
export function createAuditRing(limits: AuditRingLimits): AuditRing {
  const events: AuditEvent[] = [];
  const listeners = new Set<(event: AuditEvent) => void>();
  let bodies = 0;
  return {
    events,
    async processEvents(taken) {
      for (const event of taken) {
        events.push(event);
        bodies += bodySize(event);
      }
      if (events.length > limits.events || bodies > limits.bodies)
        bodies -= dropOldest(events, limits.events * trimRatio, bodies - limits.bodies);
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

/** Removes the oldest events until at most `most` remain and at least `excess` of their bodies is freed; returns the freed size. */
function dropOldest(events: AuditEvent[], most: number, excess: number): number {
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
