/** What acts on objects by itself: each controller watches, decides, and writes as any client does. */

import { bootstrapSigner } from './bootstrap-signer.ts';
import type { Controller, ControllerParts } from './controller.ts';
import { defaultServiceAccount } from './default-service-account.ts';
import { namespaceDeletion } from './namespace-deletion.ts';
import { roleAggregation } from './role-aggregation.ts';
import { rootCertificate } from './root-certificate.ts';
import { serviceCidrProtection } from './service-cidr-protection.ts';
import { tokenCleaner } from './token-cleaner.ts';
import { tokenSecrets } from './token-secrets.ts';

export type { ControllerParts } from './controller.ts';

const controllers: readonly Controller[] = [
  bootstrapSigner,
  defaultServiceAccount,
  namespaceDeletion,
  roleAggregation,
  rootCertificate,
  serviceCidrProtection,
  tokenCleaner,
  tokenSecrets,
];

/** Starts all of them; the returned function ends that. */
export function startControllers(parts: ControllerParts): () => void {
  const endings = controllers.map((controller) => {
    const ending = new AbortController();
    controller(parts, ending.signal);
    return ending;
  });
  return () => {
    for (const ending of endings) ending.abort();
  };
}
