/** The controllers: each is a client that watches objects and writes the changes it decides on. */

import { bootstrapSigner } from './bootstrap-tokens/bootstrap-signer.ts';
import { tokenCleaner } from './bootstrap-tokens/token-cleaner.ts';
import type { Controller, ControllerManagerOptions } from './controller.ts';
import { namespaces } from './namespaces/namespaces.ts';
import { roleAggregation } from './role-aggregation/role-aggregation.ts';
import { rootCertificate } from './service-accounts/root-certificate.ts';
import { serviceAccounts } from './service-accounts/service-accounts.ts';
import { tokenSecrets } from './service-accounts/token-secrets.ts';
import { serviceCidrProtection } from './service-cidrs/service-cidr-protection.ts';
import { type ControllerSelection, startSelectedControllers } from './start/start-controllers.ts';
import { validatingAdmissionPolicyStatus } from './validating-admission-policy-status/index.ts';
import { persistentVolumeClaimProtection } from './volume-protection/persistent-volume-claim-protection.ts';
import { persistentVolumeProtection } from './volume-protection/persistent-volume-protection.ts';

export type {
  CertificateAuthority,
  CertificateOrder,
  CertificateRequest,
  Controller,
  ControllerManagerOptions,
} from './controller.ts';
export { ControllerHealth } from './start/controller-health.ts';
export { resolveControllerAliases, validateControllers } from './start/controller-names.ts';
export { startSelectedControllers } from './start/start-controllers.ts';

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
