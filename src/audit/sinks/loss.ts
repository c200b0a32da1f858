import type { Log } from '../../env/index.ts';
import type { AuditEvent } from '../event.ts';

/** Says which events are lost, by their ids: what was in them is not for the log. */
export function tellLoss(log: Log, sink: string, events: readonly AuditEvent[], error: unknown): void {
  log.error('audit events are lost', { sink, auditIds: events.map(({ auditId }) => auditId), error });
}
