import type { ControllerHealth } from '../../controllers/index.ts';
import { type Clock, errorMessage } from '../../env/index.ts';
import type { HealthCheck, Lifecycle } from '../../server/index.ts';
import type { TimedKeySpace } from '../../storage/index.ts';
import type { ClusterOptions } from '../cluster-options.ts';

/** The real server's post-start hooks, in its order. They always pass: a cluster serves requests only after its start. */
const startHooks: readonly string[] = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/aggregator-reload-proxy-client-cert',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];

/** The checks of the controllers that run in this server, by their names. Those of kube-controller-manager are at its own port. */
export function controllerChecks(health: ControllerHealth): readonly HealthCheck[] {
  return health.controllers.map((name) => ({ name, isUnlisted: true, run: () => Promise.resolve(health.problemOf(name)) }));
}

/** The checks of `/livez`, `/readyz` and `/healthz`, in order. */
export function createHealthChecks(
  { storage, storageChecks, product, env: { clock } }: Pick<ClusterOptions, 'storage' | 'storageChecks' | 'product' | 'env'>,
  lifecycle: Lifecycle,
): readonly HealthCheck[] {
  return [
    { name: 'ping', run: pass },
    { name: 'log', run: pass },
    { name: 'etcd', run: () => checkStorage(storage, clock) },
    { name: 'etcd-readiness', only: '/readyz', run: () => checkStorage(storage, clock) },
    ...storageChecks,
    { name: 'informer-sync', only: '/readyz', run: pass },
    ...startHooks.map((name) => ({ name: product.rename(name), run: pass })),
    { name: 'shutdown', only: '/readyz', run: () => Promise.resolve(lifecycle.shutdownProblem()) },
  ];
}

function pass(): Promise<undefined> {
  return Promise.resolve(undefined);
}

/** Timeout of the storage check (`--etcd-healthcheck-timeout`). */
const healthyMs = 2_000;

async function checkStorage(storage: TimedKeySpace, clock: Clock): Promise<string | undefined> {
  const tooLong = new AbortController();
  try {
    const late = clock.sleep(healthyMs, tooLong.signal).then(() => 'context deadline exceeded');
    late.catch(() => {});
    return await Promise.race([storage.revision().then(() => undefined), late]);
  } catch (error) {
    return errorMessage(error);
  } finally {
    tooLong.abort();
  }
}
