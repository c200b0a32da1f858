import { hasStatus, keyOf } from '../../client/index.ts';
import { type corev1, corev1ConfigMaps, corev1Pods, corev1Secrets, corev1ServiceAccounts } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { runPeriodically } from '../run-periodically.ts';
import { planCleanup, trackedSinceMs } from './plan-cleanup.ts';

const name = 'legacy-serviceaccount-token-cleaner-controller';

/** DefaultCleanerSyncInterval. */
const periodMs = 24 * 3_600_000;

/** `--legacy-service-account-token-clean-up-period`. */
const cleanUpMs = 365 * 24 * 3_600_000;

/**
 * Invalidates and later deletes automatically generated tokens of service accounts that were not used for a year. Cf.
 * pkg/controller/serviceaccount/legacy_serviceaccount_token_cleaner.go.
 */
export const legacyTokenCleaner: Controller = (context) => {
  const { client, clock, informers, log, product } = context;
  const secrets = client.resource(corev1Secrets);

  const label = async (secret: corev1.Secret, labels: Readonly<Record<string, string>>): Promise<void> => {
    const { uid } = secret.metadata;
    await secrets.patch(keyOf(secret), 'merge', { metadata: { ...(uid === undefined ? {} : { uid }), labels } });
  };
  const remove = async (secret: corev1.Secret): Promise<void> => {
    const { resourceVersion } = secret.metadata;
    await secrets.delete(keyOf(secret), resourceVersion === undefined ? {} : { preconditions: { resourceVersion } });
  };

  const clean = async (): Promise<void> => {
    const tracking = product.rename('kube-apiserver-legacy-service-account-token-tracking');
    const { data } = await client.resource(corev1ConfigMaps).get({ namespace: product.names.systemNamespace, name: tracking });
    const nowMs = clock.nowMs();
    if (nowMs < trackedSinceMs(data?.['since']) + cleanUpMs) return;
    // The caches are filled only once the server has tracked tokens for long enough.
    const type = product.rename('kubernetes.io/service-account-token');
    const tokens = informers.informer(corev1Secrets, { fieldSelector: `type=${type}` });
    const [accounts, pods] = [informers.informer(corev1ServiceAccounts), informers.informer(corev1Pods)];
    await Promise.all([tokens.synced, accounts.synced, pods.synced]);
    const objects = { secrets: tokens.store.list(), accounts: accounts.store, pods: pods.store.list() };
    for (const { secret, invalidSince } of planCleanup(objects, { nowMs, cleanUpMs, product })) {
      const labels = invalidSince && { [product.rename('kubernetes.io/legacy-token-invalid-since')]: invalidSince };
      await (labels ? label(secret, labels) : remove(secret)).catch((error: unknown) => {
        if (!hasStatus(error, 404, 409)) log.error('a legacy service account token is not cleaned up', { secret: keyOf(secret), error });
      });
    }
  };
  void runPeriodically(name, periodMs, clean, context);
};
