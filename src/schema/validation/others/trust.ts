import { collectErrors, decodeBase64, type FieldError, invalid, isDns1123Subdomain, required, tooLong } from '../../../meta/index.ts';
import { isSignedBy, type PublicKey, pemBlocks, readPublicKey, X509Error } from '../../../x509/index.ts';
import type { certificatesv1alpha1, metav1 } from '../../api/index.ts';
import { int64At, isSemanticallyEqual } from '../accessors.ts';
import { createStructImmutability, type Errors, none, unsupported, validateImmutable, validateNameWith } from '../checks.ts';
import { validateConditions } from '../conditions.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';
import { validateSignerName } from './certificate.ts';
import { parseCertificate, validateIssuedCertificate } from './issued-certificate.ts';

type Condition = Decoded<metav1.Condition>;
type TrustBundle = Decoded<certificatesv1alpha1.ClusterTrustBundle>;
type PodRequest = Decoded<certificatesv1alpha1.PodCertificateRequest>;
type PodRequestSpec = NonNullable<PodRequest['spec']>;

/** ClusterTrustBundle and PodCertificateRequest. Cf. upstream ValidateClusterTrustBundle, ValidatePodCertificateRequest. */
export function trustValidators(context: ValidationContext): KindValidators {
  return {
    'certificates.ClusterTrustBundle': {
      create: (bundle) => [...validateBundleSigner(bundle, context), ...validateTrustAnchors(bundle.spec?.trustBundle ?? '')],
      update: (next, old) => validateTrustBundleUpdate(next, old, context),
    },
    'certificates.PodCertificateRequest': {
      create: (request) => validatePodRequest(request.spec ?? {}, context.rename),
      validateAsync: validateProofOfPossession,
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...createStructImmutability(context, 'certificates/v1alpha1.PodCertificateRequestSpec')(next.spec, old.spec, 'spec'),
      ],
      updateStatus: validatePodRequestStatus,
    },
  };
}

function validateBundleSigner({ spec }: TrustBundle, context: ValidationContext): Errors {
  const signer = spec?.signerName ?? '';
  return signer === '' ? none : validateSignerName(signer, 'spec.signerName', context.rename);
}

function validateTrustBundleUpdate(next: TrustBundle, old: TrustBundle, context: ValidationContext): Errors {
  const bundle = next.spec?.trustBundle ?? '';
  return [
    ...validateFullMetadata({ type: 'certificates.ClusterTrustBundle', namespaced: false }, next),
    ...validateBundleSigner(next, context),
    ...(bundle === (old.spec?.trustBundle ?? '') ? none : validateTrustAnchors(bundle)),
    ...validateObjectMetaUpdate(next, old),
    ...validateImmutable(next.spec?.signerName ?? '', old.spec?.signerName ?? '', 'spec.signerName'),
  ];
}

const bundlePath = 'spec.trustBundle';
const maxBundle = 1024 * 1024;

function validateTrustAnchors(bundle: string): Errors {
  if (bundle.length > maxBundle) return [tooLong(bundlePath, maxBundle)];
  const refuse = (why: string): FieldError => invalid(bundlePath, '<value omitted>', why);
  const indexes = new Map<string, number[]>();
  const errors: FieldError[] = [];
  for (const [index, { type, hasHeaders, bytes }] of pemBlocks(bundle).entries()) {
    const certificate = type === 'CERTIFICATE' && !hasHeaders ? parseCertificate(bytes) : undefined;
    if (type !== 'CERTIFICATE') errors.push(refuse(`entry ${index} has bad block type: ${type}`));
    else if (hasHeaders) errors.push(refuse(`entry ${index} has PEM block headers`));
    else if (!certificate) errors.push(refuse(`entry ${index} does not parse as X.509`));
    else if (certificate.basicConstraints?.isAuthority !== true) errors.push(refuse(`entry ${index} does not have the CA bit set`));
    else indexes.set(String(bytes), [...(indexes.get(String(bytes)) ?? []), index]);
  }
  if (errors.length > 0) return errors;
  if (indexes.size === 0) return [refuse('at least one trust anchor must be provided')];
  return [...indexes.values()]
    .filter(({ length }) => length > 1)
    .map((same) => refuse(`duplicate trust anchor (indices [${same.join(' ')}])`));
}

const maxUid = 128;
/** Minimum lifetime of pod certificates. */
export const minCertificateSeconds = 3_600;
const [longest, longestOwn] = [91 * 86_400, 86_400];

/** Maximum lifetime of pod certificates; shorter for the product's own signers. */
export function maxCertificateSeconds(signer: string, rename: ValidationContext['rename']): number {
  const own = rename('kubernetes.io/').slice(0, -1);
  return `.${signer.split('/')[0]}`.endsWith(`.${own}`) ? longestOwn : longest;
}
const maxKey = 10 * 1024;
const keyPath = 'spec.pkixPublicKey';

function validatePodRequest(spec: PodRequestSpec, rename: ValidationContext['rename']): Errors {
  const signer = spec.signerName ?? '';
  const seconds = int64At(spec, 'maxExpirationSeconds');
  const most = maxCertificateSeconds(signer, rename);
  const path = 'spec.maxExpirationSeconds';
  const subjectErrors = [
    ...validateSignerName(signer, 'spec.signerName', rename),
    ...(['pod', 'serviceAccount', 'node'] as const).flatMap((one) => validateSubject(spec, one)),
  ];
  if (seconds === undefined) return [...subjectErrors, required(path, 'must be set')];
  const fits = seconds >= minCertificateSeconds && seconds <= most;
  return [
    ...subjectErrors,
    ...(fits ? none : [invalid(path, seconds, `must be in the range [${minCertificateSeconds}, ${most}]`)]),
    ...validatePublicKey(spec),
  ];
}

/** Name and uid of an object that the certificate identifies. */
function validateSubject(spec: PodRequestSpec, of: 'pod' | 'serviceAccount' | 'node'): Errors {
  const { [`${of}Name` as const]: name = '', [`${of}UID` as const]: uid = '' } = spec;
  return [
    ...validateNameWith(isDns1123Subdomain, name, `spec.${of}Name`),
    ...(uid === '' ? [invalid(`spec.${of}UID`, uid, 'must not be empty')] : none),
    ...(uid.length > maxUid ? [tooLong(`spec.${of}UID`, maxUid)] : none),
  ];
}

/** Verifying the proof of possession is asynchronous (`proof`). */
function validatePublicKey(spec: PodRequestSpec): Errors {
  const { bytes, proof } = keyAndProof(spec);
  if (bytes.length > maxKey) return [tooLong(keyPath, maxKey)];
  if (proof.length > maxKey) return [tooLong('spec.proofOfPossession', maxKey)];
  const isKey = (keyIn(bytes)?.type ?? 'unknown') !== 'unknown';
  return isKey ? none : [invalid(keyPath, spec.pkixPublicKey ?? null, 'must be a valid PKIX-serialized public key')];
}

function keyAndProof({ pkixPublicKey, proofOfPossession }: PodRequestSpec): { readonly bytes: Uint8Array; readonly proof: Uint8Array } {
  const [bytes, proof] = [pkixPublicKey, proofOfPossession].map((text) => decodeBase64(text ?? ''));
  return { bytes: bytes ?? new Uint8Array(), proof: proof ?? new Uint8Array() };
}

function keyIn(bytes: Uint8Array): PublicKey | undefined {
  try {
    return readPublicKey(bytes);
  } catch (error) {
    if (error instanceof X509Error) return undefined;
    throw error;
  }
}

/** Validates type and size of the key, and its signature of the pod's uid; only for parsable keys. */
async function validateProofOfPossession({ spec = {} }: PodRequest, found: Errors): Promise<Errors> {
  const fields = [keyPath, 'spec.proofOfPossession'];
  if (spec.maxExpirationSeconds === undefined || found.some(({ field }) => fields.includes(field ?? ''))) return found;
  const { bytes, proof } = keyAndProof(spec);
  const key = keyIn(bytes) ?? { type: 'unknown' };
  const why = keyProblem(key);
  if (why) return [...found, invalid(keyPath, why.shown ?? spec.pkixPublicKey ?? '', why.detail)];
  const what = { key, spki: bytes, signed: new TextEncoder().encode(spec.podUID), signature: proof };
  const unproven = 'Invalid value: could not verify proof-of-possession signature';
  return (await isSignedBy(what)) ? found : [...found, { ...invalid('spec.proofOfPossession', '', ''), message: unproven }];
}

function keyProblem(key: PublicKey): { readonly shown?: string; readonly detail: string } | undefined {
  if (key.type === 'rsa') {
    const bits = Math.ceil(key.modulus.toString(2).length / 8) * 8;
    const fits = bits === 3072 || bits === 4096;
    return fits ? undefined : { shown: `${bits}-bit modulus`, detail: 'RSA keys must have modulus size 3072 or 4096' };
  }
  if (key.type === 'ecdsa') {
    const fits = key.curve !== 'P-224';
    return fits ? undefined : { shown: `curve ${key.curve}`, detail: 'elliptic public keys must use curve P256 or P384' };
  }
  return key.type === 'ed25519' ? undefined : { detail: 'unknown public key type; supported types are Ed25519, ECDSA, and RSA' };
}

const outcomes = ['Issued', 'Denied', 'Failed'];

function validatePodRequestStatus(next: PodRequest, old: PodRequest, now: string): Errors {
  const changed = validateObjectMetaUpdate(next, old);
  if (changed.length > 0) return changed;
  const [status, before] = [next.status ?? {}, old.status ?? {}];
  const list = status.conditions ?? [];
  const errors = [...validateOutcomeConditions(list), ...validateConditions(list, 'status.conditions')];
  if (errors.length > 0) return errors;
  const frozen = (why: string, like: typeof before): Errors =>
    isSemanticallyEqual(status, like) ? none : [{ ...invalid('status', '', why), message: `Invalid value: ${why}` }];
  const isOver = (of: readonly Condition[], among: readonly string[]): boolean => of.some(({ type = '' }) => among.includes(type));
  if (isOver(before.conditions ?? [], outcomes)) {
    return frozen('immutable after PodCertificateRequest is issued, denied, or failed', before);
  }
  if (isOver(list, ['Denied', 'Failed'])) {
    return frozen('non-condition status fields must be empty when denying or failing the PodCertificateRequest', { conditions: list });
  }
  if (isOver(list, ['Issued'])) return validateIssuedCertificate(status, old.spec ?? {}, now);
  return frozen('status is immutable unless transitioning to "Issued", "Denied", or "Failed"', before);
}

function validateOutcomeConditions(list: readonly Condition[]): Errors {
  const first = list.find(({ type = '' }) => outcomes.includes(type));
  const onlyOne = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
  return collectErrors(list, (one, index): Errors => {
    const { type = '', status = '' } = one;
    const path = `status.conditions.[${index}]`;
    if (!outcomes.includes(type)) return [unsupported(`${path}.type`, type, outcomes)];
    return [
      ...(one !== first ? [invalid(`${path}.type`, type, onlyOne)] : none),
      ...(status === 'True' ? none : [unsupported(`${path}.status`, status, ['True'])]),
    ];
  });
}
