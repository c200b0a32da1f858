/** The controllers: each is a client that watches objects and writes the changes it decides on. */

import { AbortGroup, ApiClient, InformerFactory } from '../client/index.ts';
import { bootstrapSigner } from './bootstrap-signer.ts';
import type { Controller, ControllerManagerOptions } from './controller.ts';
import { isControllerEnabled } from './controller-names.ts';
import { namespaces } from './namespaces.ts';
import { persistentVolumeClaimProtection } from './persistent-volume-claim-protection.ts';
import { persistentVolumeProtection } from './persistent-volume-protection.ts';
import { roleAggregation } from './role-aggregation.ts';
import { rootCertificate } from './root-certificate.ts';
import { serviceAccountOf } from './service-account-of.ts';
import { serviceAccounts } from './service-accounts.ts';
import { serviceCidrProtection } from './service-cidr-protection.ts';
import { superviseController } from './supervise.ts';
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

/** The controllers of a controller manager, and the list of `--controllers` that enables some of them. */
export interface ControllerSelection {
  readonly available: Readonly<Record<string, Controller>>;
  readonly enabled: readonly string[];
}

export const baseControllerNames: readonly string[] = Object.keys(baseControllers);

const baseSelection: ControllerSelection = { available: baseControllers, enabled: baseControllerNames };

/** Starts the enabled controllers; the returned function stops them. */
export function startControllers(
  { api, accountApi, ...options }: ControllerManagerOptions,
  { available, enabled }: ControllerSelection = baseSelection,
): () => void {
  const running = new AbortGroup();
  const client = new ApiClient({ api, product: options.product, signal: running.add().signal });
  const informers = new InformerFactory(client, options.clock, running.add().signal);
  const stops = Object.entries(available)
    .filter(([name]) => isControllerEnabled(name, enabled))
    .map(([name, start]) => {
      const account = serviceAccountOf(name);
      const ownApi = account === undefined || !accountApi ? api : accountApi(account);
      const createClient = (signal: AbortSignal): ApiClient => new ApiClient({ api: ownApi, product: options.product, signal });
      return superviseController({ name, start, options, informers, createClient });
    });
  return () => {
    for (const stop of stops) stop();
    running.abort();
  };
}
