import { decodeBase64, invalid, parseTime, required, tooLong } from '../../../meta/index.ts';
import { type Certificate, pemBlocks, readCertificate, sameBytes, X509Error } from '../../../x509/index.ts';
import type { certificatesv1alpha1 } from '../../api/index.ts';
import { int64At } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';
import type { Decoded } from '../decoded.ts';

type Spec = Decoded<certificatesv1alpha1.PodCertificateRequestSpec>;
type Status = Decoded<certificatesv1alpha1.PodCertificateRequestStatus>;

/** The issued certificate of a pod, compared with the request's status. Cf. upstream ValidatePodCertificateRequestStatusUpdate. */
const maxChain = 100 * 1024;
const chainPath = 'status.certificateChain';
const minute = 60_000;
const nanosecondsPerMs = 1_000_000;

/** Like upstream, returns only the first error, except that missing times are reported together. */
export function validateIssuedCertificate(status: Status, spec: Spec, now: string): Errors {
  const chain = status.certificateChain ?? '';
  if (chain.length > maxChain) return [tooLong(chainPath, maxChain)];
  const refuse = (why: string): Errors => [invalid(chainPath, chain, why)];
  const [first, ...others] = pemBlocks(chain);
  if (!first) return refuse('issued certificate chain must contain at least one certificate');
  if (first.type !== 'CERTIFICATE') return refuse('issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  const leaf = parseCertificate(first.bytes);
  if (!leaf) return refuse('leaf certificate does not parse as valid X.509');
  const key = decodeBase64(spec.pkixPublicKey ?? '');
  if (!key || !sameBytes(key, leaf.spki)) return refuse('leaf certificate was not issued to the requested public key');
  const missing = validateTimesPresent(status);
  if (missing.length > 0) return missing;
  const timeErrors = validateTimes(status, leaf, spec, parseTime(now));
  if (timeErrors.length > 0) return timeErrors;
  const wrong = others.find(({ type, bytes }) => type !== 'CERTIFICATE' || !parseCertificate(bytes));
  if (!wrong) return none;
  return wrong.type === 'CERTIFICATE'
    ? refuse('intermediate certificate does not parse as valid X.509')
    : refuse('issued certificate chain must consist entirely of CERTFICATE PEM blocks');
}

function validateTimesPresent(status: Status): Errors {
  const consistent = 'must be present and consistent with the issued certificate';
  const times = [
    ['notBefore', consistent],
    ['notAfter', consistent],
    ['beginRefreshAt', 'must be present and in the range [notbefore+10min, notafter-10min]'],
  ] as const;
  return times.flatMap(([field, why]) => ((status[field] ?? '') === '' ? [required(`status.${field}`, why)] : none));
}

function validateTimes(status: Status, leaf: Certificate, spec: Spec, nowMs: number): Errors {
  const [begins, ends, refresh] = [status.notBefore, status.notAfter, status.beginRefreshAt].map((time = '') => parseTime(time));
  const refuse = (field: 'notBefore' | 'notAfter' | 'beginRefreshAt', why: string): Errors => [
    invalid(`status.${field}`, status[field] ?? '', why),
  ];
  if (begins !== leaf.notBeforeMs) return refuse('notBefore', 'must be set to the NotBefore time encoded in the leaf certificate');
  if (Math.abs(leaf.notBeforeMs - nowMs) >= 5 * minute) {
    return refuse('notBefore', "must be set to within 5 minutes of kube-apiserver's current time");
  }
  if (ends !== leaf.notAfterMs) return refuse('notAfter', 'must be set to the NotAfter time encoded in the leaf certificate');
  const lifetime = leaf.notAfterMs - leaf.notBeforeMs;
  const most = int64At(spec, 'maxExpirationSeconds') ?? 0;
  const lasts = (why: string): Errors => [
    invalid(chainPath, BigInt(lifetime) * BigInt(nanosecondsPerMs), `leaf certificate lifetime must be ${why}`),
  ];
  if (lifetime < 60 * minute) return lasts('>= 1 hour');
  if (lifetime > Number(most) * 1000) return lasts(`<= spec.maxExpirationSeconds (${most})`);
  if ((refresh ?? 0) < leaf.notBeforeMs + 10 * minute)
    return refuse('beginRefreshAt', 'must be at least 10 minutes after status.notBefore');
  if ((refresh ?? 0) > leaf.notAfterMs - 10 * minute) return refuse('beginRefreshAt', 'must be at least 10 minutes before status.notAfter');
  return none;
}

/** Undefined when the bytes are not a certificate. */
export function parseCertificate(bytes: Uint8Array): Certificate | undefined {
  try {
    return readCertificate(bytes);
  } catch (error) {
    if (error instanceof X509Error) return undefined;
    throw error;
  }
}
