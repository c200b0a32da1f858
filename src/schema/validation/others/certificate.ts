import {
  duplicate,
  type FieldError,
  invalid,
  isDns1123Label,
  isDns1123Subdomain,
  type JsonObject,
  type NameRule,
  required,
  tooLong,
} from '../../../meta/index.ts';
import { type Errors, none, oneOf } from '../checks.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { numberAt, recordAt, textAt, textsAt } from '../reading.ts';
import { metadataUpdate, wholeMetadata } from '../revalidated.ts';
import { type CertificateDoor, certificateChanges, certificateStatus } from './certificate-update.ts';

/** Cf. upstream ValidateCertificateSigningRequestCreate. */
export function certificateValidators(context: ValidationContext): KindValidators {
  const legacy = context.rename('kubernetes.io/legacy-unknown');
  const kind = { type: 'certificates.CertificateSigningRequest', namespaced: false };
  const create = (object: JsonObject): Errors => signingRequest(recordAt(object, 'spec'), legacy);
  const through =
    (door: CertificateDoor) =>
    (next: JsonObject, old: JsonObject): Errors => [
      ...wholeMetadata(kind, next),
      ...create(next),
      ...certificateStatus(next, old),
      ...certificateChanges(next, old, door, context),
      ...metadataUpdate(next, old),
    ];
  return {
    [kind.type]: { create, update: through('object'), updateStatus: through('status'), subresources: { approval: through('approval') } },
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

function signingRequest(spec: JsonObject, legacy: string): Errors {
  const given = textsAt(spec, 'usages');
  const seconds = numberAt(spec, 'expirationSeconds');
  const name = textAt(spec, 'signerName');
  const errors: FieldError[] = [...pemRequest(spec['request'])];
  if (given.length === 0) errors.push(required('spec.usages', ''));
  for (const [index, usage] of given.entries()) {
    errors.push(...oneOf(usage, usages, `spec.usages[${index}]`));
    if (given.indexOf(usage) < index) errors.push(duplicate(`spec.usages[${index}]`, usage));
  }
  if (name === legacy) errors.push(invalid('spec.signerName', name, 'the legacy signerName is not allowed via this API version'));
  else errors.push(...signerName(name, 'spec.signerName'));
  if (seconds !== undefined && seconds < minSeconds) {
    errors.push(invalid('spec.expirationSeconds', seconds, 'may not specify a duration less than 600 seconds (10 minutes)'));
  }
  return errors;
}

/** Only the frame is looked at; the signer reads the rest. */
function pemRequest(request: unknown): Errors {
  const text = typeof request === 'string' ? atob(request) : '';
  if (/-----BEGIN CERTIFICATE REQUEST-----\s/.test(text)) return none;
  // Upstream shows bytes, which JSON writes in base64.
  return [invalid('spec.request', typeof request === 'string' ? request : null, 'PEM block type must be CERTIFICATE REQUEST')];
}

const maxDomain = 253;
const maxName = 571;

/** `example.com/signer`. */
export function signerName(name: string, path: string): Errors {
  if (name === '') return [required(path, '')];
  const segments = name.split('/');
  if (segments.length !== 2) {
    return [invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const [domain = '', target = ''] = segments;
  const labels = domain.split('.');
  return [
    ...(domain.length > maxDomain ? [tooLong(path, maxDomain)] : none),
    ...firstWrong(labels, isDns1123Label, domain, path),
    ...(labels.length < 2 ? [invalid(path, domain, 'should be a domain with at least two segments separated by dots')] : none),
    ...firstWrong(target.split('.'), isDns1123Subdomain, target, path),
    ...(name.length > maxName ? [tooLong(path, maxName)] : none),
  ];
}

function firstWrong(labels: readonly string[], rule: NameRule, shown: string, path: string): Errors {
  const wrong = labels.find((label) => rule(label).length > 0);
  if (wrong === undefined) return none;
  return rule(wrong).map((text) => invalid(path, shown, `validating label ${JSON.stringify(wrong)}: ${text}`));
}
