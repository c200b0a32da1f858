import { type ApiObject, readBootstrapSecret } from '../meta/index.ts';
import { writeRequest } from './api-call.ts';
import type { Controller } from './controller.ts';
import { startInformer } from './informer.ts';
import { createSingleWorkerQueue } from './single-worker-queue.ts';

/** Limit of timer delays: setTimeout overflows after 24.8 days. */
const longestMs = 24 * 60 * 60 * 1000;

/** Deletes expired bootstrap tokens (part 3.2). */
export const tokenCleaner: Controller = (parts, signal) => {
  const { product, clock, api } = parts;
  const path = `/api/v1/namespaces/${product.names.systemNamespace}/secrets`;
  let cancel = (): void => {};
  const clean = createSingleWorkerQueue('token cleaner', { ...parts, signal }, async () => {
    cancel();
    const { expired, nextMs } = findExpiredTokens([...secrets.objects.values()], clock.nowMs());
    for (const { metadata } of expired) {
      const preconditions = metadata.uid === undefined ? {} : { preconditions: { uid: metadata.uid } };
      await api(writeRequest('DELETE', `${path}/${metadata.name}`, { kind: 'DeleteOptions', apiVersion: 'v1', ...preconditions }, signal));
    }
    if (nextMs !== undefined && !signal.aborted) cancel = clock.schedule(Math.min(nextMs - clock.nowMs(), longestMs), () => clean());
  });
  const type = product.rename('bootstrap.kubernetes.io/token');
  const secrets = startInformer(parts, { path, fieldSelector: `type=${type}` }, () => clean(), signal);
  signal.addEventListener('abort', () => cancel(), { once: true });
};

/** The expired secrets, and the time of the next expiration. */
export function findExpiredTokens(
  secrets: readonly ApiObject[],
  nowMs: number,
): { readonly expired: readonly ApiObject[]; readonly nextMs: number | undefined } {
  const known = secrets.map((secret) => ({ secret, expiresMs: readBootstrapSecret(secret).expiresMs ?? Number.POSITIVE_INFINITY }));
  const expired = known.filter(({ expiresMs }) => expiresMs <= nowMs).map(({ secret }) => secret);
  const next = Math.min(...known.map(({ expiresMs }) => expiresMs).filter((ms) => ms > nowMs));
  return { expired, nextMs: Number.isFinite(next) ? next : undefined };
}
