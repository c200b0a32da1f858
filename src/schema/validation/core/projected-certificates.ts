import { invalid, type JsonObject, notListed, required } from '../../../meta/index.ts';
import { int64At, optionalRecordAt, optionalTextAt, textAt } from '../accessors.ts';
import { type Errors, labelSelector, none } from '../checks.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { bundleNames } from '../metadata-rules.ts';
import { signerName } from '../others/certificate.ts';
import { maxCertificateSeconds, minCertificateSeconds } from '../others/trust.ts';
import { nonReservedPath } from './paths.ts';

/** The volume of a projected source. */
export interface Projection {
  readonly path: string;
  /** Paths of files that the volume already has. */
  readonly seen: Set<string>;
  readonly context: ValidationContext;
}

/** A ClusterTrustBundle projection. Cf. upstream validateProjectionSources. */
export function trustBundle(source: JsonObject, path: string, into: Projection): Errors {
  const file = textAt(source, 'path');
  return [
    ...selectedBundle(source, path, into.context),
    ...(file === '' ? [required(`${path}.path`, '')] : none),
    ...nonReservedPath(file, `${path}.path`),
    ...uniquePath(file, into),
  ];
}

/** Selects one bundle by name, or those of a signer by a label selector. */
function selectedBundle(source: JsonObject, path: string, { internal }: ValidationContext): Errors {
  const [name, signer] = [optionalTextAt(source, 'name'), optionalTextAt(source, 'signerName')];
  const selector = optionalRecordAt(source, 'labelSelector');
  if (name !== undefined && signer !== undefined) {
    const shown = internal.value(source, 'core/v1.ClusterTrustBundleProjection');
    return [invalid(path, shown, 'only one of name and signerName may be used')];
  }
  if (name !== undefined) {
    const shown = selector && internal.value(selector, 'meta/v1.LabelSelector');
    return [
      ...bundleName(name, `${path}.name`),
      ...(selector ? [invalid(`${path}.labelSelector`, shown, 'labelSelector must be unset if name is specified')] : none),
    ];
  }
  if (signer === undefined) return [required(path, 'either name or signerName must be specified')];
  return [
    ...(signer === '' ? [required(`${path}.signerName`, 'must be a valid signer name')] : none),
    ...signerName(signer, `${path}.signerName`),
    ...labelSelector(selector, `${path}.labelSelector`),
  ];
}

function bundleName(name: string, path: string): Errors {
  const end = name.lastIndexOf(':');
  const rule = bundleNames(end < 0 ? '' : name.slice(0, end).replaceAll(':', '/'));
  return [
    ...(name === '' ? [required(path, 'must be a valid object name')] : none),
    ...rule.name(name).map((why) => invalid(path, name, `not a valid clustertrustbundlename: ${why}`)),
  ];
}

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const files = ['credentialBundlePath', 'keyPath', 'certificateChainPath'];

/** A certificate of the pod, with its key. */
export function podCertificate(source: JsonObject, path: string, into: Projection): Errors {
  const [signer, keyType] = [textAt(source, 'signerName'), textAt(source, 'keyType')];
  const present = files.filter((field) => textAt(source, field) !== '');
  return [
    ...signerName(signer, `${path}.signerName`),
    ...(keyTypes.includes(keyType) ? none : [notListed(`${path}.keyType`, keyType, keyTypes)]),
    ...lifetime(source, signer, `${path}.maxExpirationSeconds`, into.context),
    ...present.flatMap((field) => [
      ...nonReservedPath(textAt(source, field), `${path}.${field}`),
      ...uniquePath(textAt(source, field), into),
    ]),
    ...(present.length === 0 ? [required(path, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath')] : none),
  ];
}

function lifetime(source: JsonObject, signer: string, path: string, { rename }: ValidationContext): Errors {
  const seconds = int64At(source, 'maxExpirationSeconds');
  if (seconds === undefined) return none;
  const most = maxCertificateSeconds(signer, rename);
  const outside = (bound: string): Errors => [invalid(path, seconds, `if provided, maxExpirationSeconds must be ${bound}`)];
  if (seconds < minCertificateSeconds) return outside(`>= ${minCertificateSeconds}`);
  return seconds > most ? outside(`<= ${most}`) : none;
}

function uniquePath(file: string, { path, seen }: Projection): Errors {
  if (seen.has(file)) return [invalid(path, file, 'conflicting duplicate paths')];
  seen.add(file);
  return none;
}
