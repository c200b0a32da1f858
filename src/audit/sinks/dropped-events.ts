import type { Log } from '../../env/index.ts';
import type { AuditEvent } from '../event.ts';

/** Logs the IDs of dropped events, without their content. */
export function logDroppedEvents(log: Log, sink: string, events: readonly AuditEvent[], error: unknown): void {
  log.error('audit events are lost', { sink, auditIds: events.map(({ auditId }) => auditId), error });
}
