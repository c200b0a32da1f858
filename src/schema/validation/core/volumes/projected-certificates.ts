import { invalid, notListed, required } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At } from '../../accessors.ts';
import { type Errors, none, validateLabelSelector } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { bundleNames } from '../../metadata-rules.ts';
import { validateSignerName } from '../../others/certificate.ts';
import { maxCertificateSeconds, minCertificateSeconds } from '../../others/trust.ts';
import { validateNonReservedPath } from './paths.ts';

/** The volume of a projected source. */
export interface Projection {
  readonly path: string;
  /** Paths of files that the volume already has. */
  readonly seen: Set<string>;
  readonly context: ValidationContext;
}

/** A ClusterTrustBundle projection. Cf. upstream validateProjectionSources. */
export function validateTrustBundle(source: Decoded<corev1.ClusterTrustBundleProjection>, path: string, into: Projection): Errors {
  const file = source.path ?? '';
  return [
    ...validateSelectedBundle(source, path, into.context),
    ...(file === '' ? [required(`${path}.path`, '')] : none),
    ...validateNonReservedPath(file, `${path}.path`),
    ...validateUniquePath(file, into),
  ];
}

/** Selects one bundle by name, or those of a signer by a label selector. */
function validateSelectedBundle(
  source: Decoded<corev1.ClusterTrustBundleProjection>,
  path: string,
  { internal, rename }: ValidationContext,
): Errors {
  const [name, signer] = [source.name, source.signerName];
  const selector = source.labelSelector;
  if (name !== undefined && signer !== undefined) {
    const shown = internal.value(source, 'core/v1.ClusterTrustBundleProjection');
    return [invalid(path, shown, 'only one of name and signerName may be used')];
  }
  if (name !== undefined) {
    const shown = selector && internal.value(selector, 'meta/v1.LabelSelector');
    return [
      ...validateBundleName(name, `${path}.name`),
      ...(selector ? [invalid(`${path}.labelSelector`, shown, 'labelSelector must be unset if name is specified')] : none),
    ];
  }
  if (signer === undefined) return [required(path, 'either name or signerName must be specified')];
  return [
    ...(signer === '' ? [required(`${path}.signerName`, 'must be a valid signer name')] : none),
    ...validateSignerName(signer, `${path}.signerName`, rename),
    ...validateLabelSelector(selector, `${path}.labelSelector`),
  ];
}

function validateBundleName(name: string, path: string): Errors {
  const end = name.lastIndexOf(':');
  const rule = bundleNames(end < 0 ? '' : name.slice(0, end).replaceAll(':', '/'));
  return [
    ...(name === '' ? [required(path, 'must be a valid object name')] : none),
    ...rule.name(name).map((why) => invalid(path, name, `not a valid clustertrustbundlename: ${why}`)),
  ];
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const files = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

/** A certificate of the pod, with its key. */
export function validatePodCertificate(source: Decoded<corev1.PodCertificateProjection>, path: string, into: Projection): Errors {
  const [signer, keyType] = [source.signerName ?? '', source.keyType ?? ''];
  const present = files.flatMap((field) => (source[field] ? [[field, source[field]] as const] : []));
  return [
    ...validateSignerName(signer, `${path}.signerName`, into.context.rename),
    ...(keyTypes.includes(keyType) ? none : [notListed(`${path}.keyType`, keyType, keyTypes)]),
    ...validateLifetime(source, signer, `${path}.maxExpirationSeconds`, into.context),
    ...present.flatMap(([field, file]) => [...validateNonReservedPath(file, `${path}.${field}`), ...validateUniquePath(file, into)]),
    ...(present.length === 0 ? [required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath')] : none),
  ];
}

function validateLifetime(
  source: Decoded<corev1.PodCertificateProjection>,
  signer: string,
  path: string,
  { rename }: ValidationContext,
): Errors {
  const seconds = int64At(source, 'maxExpirationSeconds');
  if (seconds === undefined) return none;
  const most = maxCertificateSeconds(signer, rename);
  const outside = (bound: string): Errors => [invalid(path, seconds, `if provided, maxExpirationSeconds must be ${bound}`)];
  if (seconds < minCertificateSeconds) return outside(`>= ${minCertificateSeconds}`);
  return seconds > most ? outside(`<= ${most}`) : none;
}

function validateUniquePath(file: string, { path, seen }: Projection): Errors {
  if (seen.has(file)) return [invalid(path, file, 'conflicting duplicate paths')];
  seen.add(file);
  return none;
}
