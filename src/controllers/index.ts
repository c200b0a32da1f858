/** The controllers: each is a client that watches objects and writes the changes it decides on. */

import { bootstrapSigner } from './bootstrap-signer.ts';
import type { Controller, ControllerManagerOptions } from './controller.ts';
import { namespaces } from './namespaces.ts';
import { persistentVolumeClaimProtection } from './persistent-volume-claim-protection.ts';
import { persistentVolumeProtection } from './persistent-volume-protection.ts';
import { roleAggregation } from './role-aggregation.ts';
import { rootCertificate } from './root-certificate.ts';
import { serviceAccounts } from './service-accounts.ts';
import { serviceCidrProtection } from './service-cidr-protection.ts';
import { type ControllerSelection, startSelectedControllers } from './start-controllers.ts';
import { tokenCleaner } from './token-cleaner.ts';
import { tokenSecrets } from './token-secrets.ts';
import { validatingAdmissionPolicyStatus } from './validating-admission-policy-status/index.ts';

export type {
  CertificateAuthority,
  CertificateOrder,
  CertificateRequest,
  Controller,
  ControllerManagerOptions,
} from './controller.ts';
export { ControllerHealth } from './controller-health.ts';
export { validateControllers } from './controller-names.ts';
export { startSelectedControllers } from './start-controllers.ts';

/**
 * The controllers that a server without nodes needs, by their names in the real controller manager: they complete namespaces, accounts and
 * roles. All controllers are in `all/index.ts`.
 */
export const baseControllers: Readonly<Record<string, Controller>> = {
  'bootstrap-signer-controller': bootstrapSigner,
  'serviceaccount-controller': serviceAccounts,
  'namespace-controller': namespaces,
  'clusterrole-aggregation-controller': roleAggregation,
  'persistentvolume-protection-controller': persistentVolumeProtection,
  'persistentvolumeclaim-protection-controller': persistentVolumeClaimProtection,
  'root-ca-certificate-publisher-controller': rootCertificate,
  'service-cidr-controller': serviceCidrProtection,
  'token-cleaner-controller': tokenCleaner,
  'serviceaccount-token-controller': tokenSecrets,
  'validatingadmissionpolicy-status-controller': validatingAdmissionPolicyStatus,
};

export const baseControllerNames: readonly string[] = /* @__PURE__ */ Object.keys(baseControllers);

const baseSelection: ControllerSelection = { available: baseControllers, enabled: baseControllerNames };

/** Starts the enabled controllers; the returned function stops them. Default: the base controllers. */
export function startControllers(options: ControllerManagerOptions, selection: ControllerSelection = baseSelection): () => void {
  return startSelectedControllers(options, selection);
}
