/** The controllers: each is a client that watches objects and writes the changes it decides on. */

import { bootstrapSigner } from './bootstrap-signer.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { isControllerEnabled } from './controller-names.ts';
import { defaultServiceAccount } from './default-service-account.ts';
import { namespaceDeletion } from './namespace-deletion.ts';
import { roleAggregation } from './role-aggregation.ts';
import { rootCertificate } from './root-certificate.ts';
import { serviceCidrProtection } from './service-cidr-protection.ts';
import { tokenCleaner } from './token-cleaner.ts';
import { tokenSecrets } from './token-secrets.ts';

export type { ControllerContext } from './controller.ts';
export { validateControllers } from './controller-names.ts';

/** By their names in the real controller manager. */
const controllers: Readonly<Record<string, Controller>> = {
  'bootstrap-signer-controller': bootstrapSigner,
  'serviceaccount-controller': defaultServiceAccount,
  'namespace-controller': namespaceDeletion,
  'clusterrole-aggregation-controller': roleAggregation,
  'root-ca-certificate-publisher-controller': rootCertificate,
  'service-cidr-controller': serviceCidrProtection,
  'token-cleaner-controller': tokenCleaner,
  'serviceaccount-token-controller': tokenSecrets,
};

/** The `--controllers` list that enables all controllers. */
export const allControllers: readonly string[] = ['*', 'bootstrap-signer-controller', 'token-cleaner-controller'];

/** Starts the controllers that a list of `--controllers` enables; the returned function stops them. */
export function startControllers(parts: ControllerContext, selected: readonly string[] = allControllers): () => void {
  const enabled = Object.entries(controllers).filter(([name]) => isControllerEnabled(name, selected));
  const endings = enabled.map(([, controller]) => {
    const ending = new AbortController();
    controller(parts, ending.signal);
    return ending;
  });
  return () => {
    for (const ending of endings) ending.abort();
  };
}
