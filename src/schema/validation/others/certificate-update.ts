import { collectErrors, duplicate, forbiddenField, goQuote, invalid, type Json, type JsonObject, required } from '../../../meta/index.ts';
import { pemBlocks, readCertificate, X509Error } from '../../../x509/index.ts';
import type { certificatesv1 } from '../../api/index.ts';
import { isSemanticallyEqual } from '../accessors.ts';
import { type Errors, none, unsupported } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { ValidationContext } from '../kind-validator.ts';

type SigningRequest = Decoded<certificatesv1.CertificateSigningRequest>;
type Status = SigningRequest['status'];
type Condition = Decoded<certificatesv1.CertificateSigningRequestCondition>;

/** The endpoint of an update, which decides what may change. */
export type CertificateEndpoint = 'object' | 'status' | 'approval';

const path = 'status.conditions';

/** Validates conditions and the certificate. Cf. upstream validateConditions, validateCertificate. */
export function validateCertificateStatus(next: SigningRequest, old: SigningRequest): Errors {
  const conditions = conditionsOf(next);
  const types = conditionsOf(old).map(typeOf);
  return [
    ...validateStatusConditions(conditions, new Set(types), new Set(types).size === types.length),
    ...validateIssuedCertificate(next, old),
  ];
}

function conditionsOf({ status }: SigningRequest): readonly Condition[] {
  return status?.conditions ?? [];
}

function typeOf({ type = '' }: Condition): string {
  return type;
}

const decisions = ['Approved', 'Denied'] as const;
const opposites: Readonly<Record<string, string>> = { Approved: 'Denied', Denied: 'Approved' };
/** Conditions that can only be True. */
const trueOnly: readonly string[] = [...decisions, 'Failed'];

/** Errors in stored conditions, whose types are `before`, are ignored. */
function validateStatusConditions(conditions: readonly Condition[], before: ReadonlySet<string>, wereUnique: boolean): Errors {
  const earlier = new Set<string>();
  const wereBoth = decisions.every((decision) => before.has(decision));
  return collectErrors(conditions, (condition, index) => {
    const type = typeOf(condition);
    const at = `${path}[${index}]`;
    const other = opposites[type];
    const again = earlier.has(type);
    earlier.add(type);
    return [
      ...(type === '' && !before.has('') ? [required(`${at}.type`, '')] : none),
      ...validateConditionStatus(`${at}.status`, condition.status ?? '', type),
      ...(other !== undefined && earlier.has(other) && !wereBoth
        ? [invalid(path, type, 'Approved and Denied conditions are mutually exclusive')]
        : none),
      ...(again && wereUnique ? [duplicate(`${at}.type`, type)] : none),
    ];
  });
}

function validateConditionStatus(at: string, status: string, type: string): Errors {
  if (status === '') return [required(at, '')];
  const allowed = trueOnly.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  return allowed.includes(status) ? none : [unsupported(at, status, allowed)];
}

function validateIssuedCertificate(next: SigningRequest, old: SigningRequest): Errors {
  const certificate = next.status?.certificate;
  if (!certificate || certificate === old.status?.certificate) return none;
  const why = certificateProblem(atob(certificate));
  return why === undefined ? none : [invalid('status.certificate', '<certificate data>', why)];
}

/** Why a text is not a list of certificates; undefined when it is. Cf. upstream validateCertificate. */
function certificateProblem(pem: string): string | undefined {
  const blocks = pemBlocks(pem);
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    if (hasHeaders) return 'no PEM block headers are permitted';
    if (bytes.length === 0) return 'found CERTIFICATE PEM block containing 0 certificates';
    const why = parseProblem(bytes);
    if (why !== undefined) return why;
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

function parseProblem(bytes: Uint8Array): string | undefined {
  try {
    readCertificate(bytes);
    return undefined;
  } catch (error) {
    if (error instanceof X509Error) return error.message;
    throw error;
  }
}

/** Changes to decisions and to the certificate that an endpoint does not allow. Cf. upstream validateCertificateSigningRequestUpdate. */
export function validateCertificateUpdate(
  next: SigningRequest,
  old: SigningRequest,
  endpoint: CertificateEndpoint,
  context: ValidationContext,
): Errors {
  const ofType = (object: SigningRequest, type: string): readonly Condition[] => conditionsOf(object).filter((one) => typeOf(one) === type);
  const removed = trueOnly
    .filter((type) => ofType(next, type).length < ofType(old, type).length)
    .map((type) => forbiddenField(path, `updates may not remove a condition of type ${JSON.stringify(type)}`));
  const decided =
    endpoint === 'approval'
      ? none
      : decisions.flatMap((type) => validateDecisionUpdate(ofType(next, type), ofType(old, type), type, context));
  return [...removed, ...decided, ...validateCertificateChange(next.status, old.status, endpoint)];
}

function validateDecisionUpdate(
  now: readonly Condition[],
  then: readonly Condition[],
  type: string,
  { internal }: ValidationContext,
): Errors {
  const of = `a condition of type ${JSON.stringify(type)}`;
  if (now.length < then.length) return none;
  if (now.length > then.length) return [forbiddenField(path, `updates may not add ${of}`)];
  if (isSemanticallyEqual(now, then)) return none;
  const shown = (list: readonly JsonObject[]): Json =>
    list.map((one) => internal.value(one, 'certificates/v1.CertificateSigningRequestCondition'));
  return [forbiddenField(path, `updates may not modify ${of}\n${internal.difference(shown(then), shown(now))}`)];
}

function validateCertificateChange(status: Status, before: Status, endpoint: CertificateEndpoint): Errors {
  const [now, then] = [status?.certificate ?? '', before?.certificate ?? ''];
  if (now === then) return none;
  if (endpoint !== 'status') return [forbiddenField('status.certificate', 'updates may not set certificate content')];
  return then === '' ? none : [forbiddenField('status.certificate', 'updates may not modify existing certificate content')];
}
