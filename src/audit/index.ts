/** Auditing: a policy sets the level of each request, sinks receive the events. */

export { type AuditConfig, AuditRecord } from './audit-record.ts';
export { type AuditEvent, encodeEvent } from './event.ts';
export type { AuditPolicy } from './policy.ts';
export { AuditPolicyError, readAuditPolicy } from './read-policy.ts';
export { batchingSink } from './sinks/batching-sink.ts';
export { type LineWriter, lineSink } from './sinks/line-sink.ts';
export { type AuditRing, type AuditRingLimits, createAuditRing } from './sinks/ring-sink.ts';
export { type AuditSink, ignoreErrorsSink, unionSink } from './sinks/sink.ts';
export { truncatingSink } from './sinks/truncating-sink.ts';
export { webhookSink } from './sinks/webhook-sink.ts';
