import { keyOf } from '../../client/index.ts';
import { certificatesv1CertificateSigningRequests } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { runPeriodically } from '../run-periodically.ts';
import { isObsolete } from './certificate-conditions.ts';

const periodMs = 60 * 60 * 1000;

/** Deletes old certificate requests. Cf. pkg/controller/certificates/cleaner. */
export const certificateCleaner: Controller = (context) => {
  const { client, clock, informers } = context;
  const requests = informers.informer(certificatesv1CertificateSigningRequests);
  const clean = async (): Promise<void> => {
    for (const request of requests.store.list()) {
      if (!isObsolete(request, clock.nowMs())) continue;
      await ignoreStaleWrite(client.resource(certificatesv1CertificateSigningRequests).delete(keyOf(request)));
    }
  };
  const name = 'certificatesigningrequest-cleaner-controller';
  void requests.synced.then(() => runPeriodically(name, periodMs, clean, context));
};
