import {
  duplicate,
  type FieldError,
  invalid,
  isDns1123Label,
  isDns1123Subdomain,
  type JsonObject,
  type NameRule,
  repeatedIndexes,
  required,
  tooFewSegments,
  tooLong,
} from '../../../meta/index.ts';
import {
  attributeValues,
  readPemSigningRequest,
  type SigningRequest,
  signatureAlgorithmOf,
  signatureProblem,
  X509Error,
} from '../../../x509/index.ts';
import type { certificatesv1 } from '../../api/index.ts';
import { type Errors, none, validateOneOf } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';
import { type CertificateEndpoint, validateCertificateStatus, validateCertificateUpdate } from './certificate-update.ts';

type RequestObject = Decoded<certificatesv1.CertificateSigningRequest>;

/** Cf. upstream ValidateCertificateSigningRequestCreate. */
export function certificateValidators(context: ValidationContext): KindValidators {
  const kind = { type: 'certificates.CertificateSigningRequest', namespaced: false };
  const create = ({ spec = {} }: RequestObject): Errors => validateSigningRequest(spec, context);
  const through =
    (endpoint: CertificateEndpoint) =>
    (next: JsonObject, old: JsonObject): Errors => [
      ...validateFullMetadata(kind, next),
      ...create(next),
      ...validateCertificateStatus(next, old),
      ...validateCertificateUpdate(next, old, endpoint, context),
      ...validateObjectMetaUpdate(next, old),
    ];
  return {
    [kind.type]: {
      create,
      validateAsync: validateSignature,
      update: through('object'),
      updateStatus: through('status'),
      subresources: { approval: through('approval') },
    },
  };
}

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const minSeconds = 600;

function validateSigningRequest(spec: Decoded<certificatesv1.CertificateSigningRequestSpec>, context: ValidationContext): Errors {
  const { usages: given = [], expirationSeconds: seconds, signerName: name = '' } = spec;
  const errors: FieldError[] = [...validatePemRequest(spec.request)];
  if (given.length === 0) errors.push(required('spec.usages', ''));
  const repeated = repeatedIndexes(given);
  for (const [index, usage] of given.entries()) {
    errors.push(...validateOneOf(usage, usages, `spec.usages[${index}]`));
    if (repeated.has(index)) errors.push(duplicate(`spec.usages[${index}]`, usage));
  }
  if (name === context.rename('kubernetes.io/legacy-unknown'))
    errors.push(invalid('spec.signerName', name, 'the legacy signerName is not allowed via this API version'));
  else errors.push(...validateSignerName(name, 'spec.signerName', context.rename));
  if (seconds !== undefined && seconds < minSeconds) {
    errors.push(invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'));
  }
  return errors;
}

/** Validates the form; verifying the signature is asynchronous. */
function validatePemRequest(request: unknown): Errors {
  const read = parseRequest(request);
  return typeof read === 'string' ? [requestError(request, read)] : none;
}

/** Verifies the signature with the request's own key; errors in its form are already in `found`. */
async function validateSignature({ spec }: RequestObject, found: Errors): Promise<Errors> {
  const request = spec?.request;
  const read = parseRequest(request);
  if (typeof read === 'string') return found;
  const problem = await signatureProblem(signatureAlgorithmOf(read.algorithm), read);
  return problem === undefined ? found : [requestError(request, problem), ...found];
}

/** Errors show bytes as base64. */
function requestError(request: unknown, why: string): FieldError {
  return invalid('spec.request', typeof request === 'string' ? request : null, why);
}

/** Parses the request, or returns the reason why it is invalid. */
function parseRequest(request: unknown): SigningRequest | string {
  try {
    return readPemSigningRequest(atob(typeof request === 'string' ? request : ''));
  } catch (error) {
    if (error instanceof X509Error) return error.message;
    throw error;
  }
}

const organization = '2.5.4.10';

/** The organizations in the subject of a valid signing request. */
export function readRequestedOrganizations(request: string): readonly string[] {
  const read = parseRequest(request);
  return typeof read === 'string' ? [] : attributeValues(read.subjectAttributes, organization);
}

const maxDomain = 253;
const maxName = 571;

/** `example.com/signer`. The domain of the product's own signers may have one segment. */
export function validateSignerName(name: string, path: string, rename: ValidationContext['rename']): Errors {
  if (name === '') return [required(path, '')];
  const segments = name.split('/');
  if (segments.length !== 2) {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const [domain = '', target = ''] = segments;
  const labels = domain.split('.');
  const isOwn = `${domain}/` === rename('kubernetes.io/');
  return [
    ...(domain.length > maxDomain ? [tooLong(path, maxDomain)] : none),
    ...findFirstError(labels, isDns1123Label, domain, path),
    ...(labels.length < 2 && !isOwn ? [invalid(path, domain, tooFewSegments)] : none),
    ...findFirstError(target.split('.'), isDns1123Subdomain, target, path),
    ...(name.length > maxName ? [tooLong(path, maxName)] : none),
  ];
}

function findFirstError(labels: readonly string[], rule: NameRule, shown: string, path: string): Errors {
  const wrong = labels.find((label) => rule(label).length > 0);
  if (wrong === undefined) return none;
  return rule(wrong).map((text) => invalid(path, shown, `validating label ${JSON.stringify(wrong)}: ${text}`));
}
