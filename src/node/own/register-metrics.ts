import { hasStatus, runWorkers, WorkQueue } from '../../client/index.ts';
import { formatTime } from '../../meta/index.ts';
import { type apiregistrationv1, apiregistrationv1APIServices, type rbacv1, rbacv1ClusterRoles } from '../../schema/api/index.ts';
import type { NodeContext } from '../node-context.ts';

const labels = { 'k8s-app': 'metrics-server' };

/** Registers the metrics of the nodes as the manifests of metrics-server do. What exists already is not changed. */
export function registerMetrics({ client, clock, product, log, signal }: NodeContext): void {
  const service = { name: 'metrics-server', namespace: product.names.systemNamespace, port: 443 };
  const group = product.rename('metrics.k8s.io');
  const message = 'all checks passed';
  const queue = new WorkQueue<string>({ clock, signal });
  const register = async (name: string): Promise<void> => {
    const available = { type: 'Available', status: 'True', lastTransitionTime: formatTime(clock.nowMs()), reason: 'Passed', message };
    const apiService: Omit<apiregistrationv1.APIService, 'kind' | 'apiVersion'> = {
      metadata: { name, labels },
      spec: { group, version: 'v1beta1', service, insecureSkipTLSVerify: true, groupPriorityMinimum: 100, versionPriority: 100 },
      status: { conditions: [available] },
    };
    await ignoreExisting(client.resource(rbacv1ClusterRoles).create(readerRole(product.rename, group)));
    const services = client.resource(apiregistrationv1APIServices);
    const created = await ignoreExisting(services.create(apiService));
    if (created) await services.updateStatus({ ...created, status: apiService.status });
  };
  runWorkers({ queue, workers: 1, reconcile: register, name: 'registration of metrics', log, signal });
  queue.add(`v1beta1.${group}`);
}

/** A user that may view pods may view their metrics. */
function readerRole(rename: (name: string) => string, group: string): Omit<rbacv1.ClusterRole, 'kind' | 'apiVersion'> {
  const aggregations = ['admin', 'edit', 'view'].map((role) => [rename(`rbac.authorization.k8s.io/aggregate-to-${role}`), 'true']);
  return {
    metadata: { name: 'system:aggregated-metrics-reader', labels: { ...labels, ...Object.fromEntries(aggregations) } },
    rules: [{ apiGroups: [group], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] }],
  };
}

async function ignoreExisting<T>(create: Promise<T>): Promise<T | undefined> {
  try {
    return await create;
  } catch (error) {
    if (hasStatus(error, 409)) return undefined;
    throw error;
  }
}
