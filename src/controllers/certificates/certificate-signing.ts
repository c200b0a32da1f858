import { cacheKeyOf, createControllerRateLimiter } from '../../client/index.ts';
import { formatTime } from '../../meta/index.ts';
import { type certificatesv1, certificatesv1CertificateSigningRequests } from '../../schema/api/index.ts';
import type { CertificateAuthority, Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { hasCondition, isApproved, isIssued, retryBaseMs } from './certificate-conditions.ts';
import { signerNames, signerProblem } from './signers.ts';

const name = 'certificatesigningrequest-signing-controller';
/** Validity of certificates (--cluster-signing-duration), and the shortest that can be requested. */
const longestMs = 365 * 24 * 60 * 60 * 1000;
const shortestMs = 10 * 60 * 1000;
/** Clocks of clients may be that much behind. */
const backdateMs = 5 * 60 * 1000;
/** Certificates for less time are valid for all of it, in spite of the backdating. */
const shortMs = 8 * 60 * 60 * 1000;

/** Signs approved certificate requests. Cf. pkg/controller/certificates/signer. */
export const certificateSigning: Controller = (context) => {
  const { certificateAuthority: authority, client, clock, informers, product } = context;
  if (!authority) return;
  const requests = informers.informer(certificatesv1CertificateSigningRequests);
  const signers = new Map(signerNames.map((signer) => [product.rename(signer), signer]));
  const reconcile = async (key: string): Promise<void> => {
    const request = requests.store.get(key);
    if (!request || isIssued(request) || !isApproved(request) || hasCondition(request, 'Failed')) return;
    const signer = signers.get(request.spec.signerName);
    if (signer === undefined) return;
    const status = await clock.hostWork(signedStatus(request, signer, authority, clock.nowMs()));
    await ignoreStaleWrite(client.resource(certificatesv1CertificateSigningRequests).updateStatus({ ...request, status }));
  };
  const rateLimiter = createControllerRateLimiter<string>(clock, { baseMs: retryBaseMs });
  const queue = startWorkers({ name, informers: [requests], reconcile, rateLimiter }, context);
  const enqueue = (request: certificatesv1.CertificateSigningRequest): void => queue.add(cacheKeyOf(request));
  requests.addHandler({ onAdd: enqueue, onUpdate: enqueue });
};

/** The status with the certificate, or with the reason why there is none. */
async function signedStatus(
  { spec, status }: certificatesv1.CertificateSigningRequest,
  signer: string,
  authority: CertificateAuthority,
  nowMs: number,
): Promise<certificatesv1.CertificateSigningRequestStatus> {
  const request = atob(spec.request ?? '');
  const { usages = [] } = spec;
  const message = signerProblem(signer, await authority.readRequest(request), usages);
  if (message !== undefined) {
    const now = formatTime(nowMs);
    const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message };
    return { ...status, conditions: [...(status.conditions ?? []), { ...failed, lastUpdateTime: now, lastTransitionTime: now }] };
  }
  const certificate = await authority.sign({ request, usages, ...validity(spec.expirationSeconds, nowMs) });
  return { ...status, certificate: btoa(certificate) };
}

/** Cf. signer duration, authority PermissiveSigningPolicy. */
export function validity(
  expirationSeconds: number | undefined,
  nowMs: number,
): { readonly notBeforeMs: number; readonly notAfterMs: number } {
  const requestedMs = expirationSeconds === undefined ? longestMs : expirationSeconds * 1000;
  const durationMs = Math.min(longestMs, Math.max(shortestMs, requestedMs));
  const notAfterMs = nowMs + durationMs - (durationMs < shortMs ? 0 : backdateMs);
  return { notBeforeMs: nowMs - backdateMs, notAfterMs };
}
