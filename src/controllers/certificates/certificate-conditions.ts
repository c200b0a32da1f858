import { parseTime } from '../../meta/index.ts';
import type { certificatesv1 } from '../../schema/api/index.ts';

type Request = certificatesv1.CertificateSigningRequest;

/** Delay of the first retry of a request. Cf. pkg/controller/certificates NewCertificateController. */
export const retryBaseMs = 200;

export function hasCondition({ status }: Pick<Request, 'status'>, type: string): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

/** Whether a request is approved and neither denied nor failed. */
export function isApproved(request: Pick<Request, 'status'>): boolean {
  return hasCondition(request, 'Approved') && !hasCondition(request, 'Denied');
}

export function isIssued({ status }: Pick<Request, 'status'>): boolean {
  return (status.certificate ?? '') !== '';
}

const hourMs = 60 * 60 * 1000;

/** Whether a request is to be deleted. Cf. pkg/controller/certificates/cleaner. */
export function isObsolete(request: Pick<Request, 'metadata' | 'status'>, nowMs: number): boolean {
  const isOlder = (time: string | null | undefined, ms: number): boolean => nowMs - (parseTime(time ?? '') ?? nowMs) > ms;
  const conditions = request.status.conditions ?? [];
  const isOver = (type: string): boolean =>
    conditions.some((condition) => condition.type === type && isOlder(condition.lastUpdateTime, hourMs));
  if (conditions.length === 0) return isOlder(request.metadata.creationTimestamp, 24 * hourMs);
  return isOver('Denied') || isOver('Failed') || (isIssued(request) && isOver('Approved'));
}
