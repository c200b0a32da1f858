import { cacheKeyOf, splitCacheKey } from '../../client/index.ts';
import { readBootstrapSecret } from '../../meta/index.ts';
import { type corev1, corev1Secrets } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';

/** Limit of timer delays: setTimeout overflows after 24.8 days. */
const longestMs = 24 * 60 * 60 * 1000;

/** Deletes expired bootstrap tokens (part 3.2). Cf. pkg/controller/bootstrap/tokencleaner.go. */
export const tokenCleaner: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const fieldSelector = `type=${product.rename('bootstrap.kubernetes.io/token')}`;
  const secrets = informers.informer(corev1Secrets, { namespace: product.names.systemNamespace, fieldSelector });
  const reconcile = async (key: string): Promise<void> => {
    const secret = secrets.store.get(key);
    const remainingMs = secret && remainingLifetimeMs(secret, clock.nowMs());
    if (!secret || remainingMs === undefined) return;
    if (remainingMs > 0) return queue.addAfter(key, Math.min(remainingMs, longestMs));
    const { uid } = secret.metadata;
    await ignoreStaleWrite(client.resource(corev1Secrets).delete(splitCacheKey(key), uid === undefined ? {} : { preconditions: { uid } }));
  };
  const queue = startWorkers({ name: 'token-cleaner-controller', informers: [secrets], reconcile }, context);
  const enqueue = (secret: corev1.Secret): void => queue.add(cacheKeyOf(secret));
  secrets.addHandler({ onAdd: enqueue, onUpdate: enqueue });
};

/** Milliseconds until a token expires, 0 or less when it has expired; undefined when it never expires. */
export function remainingLifetimeMs(secret: Pick<corev1.Secret, 'data'>, nowMs: number): number | undefined {
  const { expiresMs } = readBootstrapSecret(secret);
  return expiresMs === undefined ? undefined : expiresMs - nowMs;
}
