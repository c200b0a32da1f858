import { cacheKeyOf, type KubeObject } from '../../client/index.ts';
import { type JsonObject, sameJson } from '../../meta/index.ts';
import { type corev1, corev1ResourceQuotas } from '../../schema/api/index.ts';
import { matchesQuotaScopes, type QuotaContext, type QuotaResource, quotaUsageOf, type Usage } from '../../schema/index.ts';
import type { Controller } from '../controller.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { namespaceLister } from '../namespace-lister.ts';
import { runPeriodically } from '../run-periodically.ts';
import { startWorkers } from '../start-workers.ts';
import { countedResources, isEqual, quotaStatus, usageOfObjects } from './compute-usage.ts';
import { QuotaSources } from './quota-sources.ts';

const name = 'resourcequota-controller';
/** Between full calculations (--resource-quota-sync-period). */
const resyncMs = 5 * 60 * 1000;

/** Calculates what the objects of namespaces use of their quotas. Cf. pkg/controller/resourcequota. */
export const resourceQuotas: Controller = (context) => {
  const { client, clock, informers, product } = context;
  const quotaContext = (): QuotaContext => ({ product, nowMs: clock.nowMs() });
  const quotas = informers.informer(corev1ResourceQuotas);
  const quotasIn = namespaceLister(quotas.store);

  /** Enqueues the quotas of a namespace that count a resource, after an update only those for which the usage or the scope changed. */
  const replenish = (resource: QuotaResource, object: KubeObject, old?: KubeObject): void => {
    const isCounted = (quota: corev1.ResourceQuota): boolean =>
      countedResources(quota).some((one) => one.group === resource.group && one.resource === resource.resource);
    const counting = quotasIn(object.metadata.namespace).filter(isCounted);
    if (counting.length === 0) return;
    const usageOf = (one: KubeObject): Usage => quotaUsageOf(resource, one as unknown as JsonObject, quotaContext());
    const isSameUsage = old !== undefined && sameJson(usageOf(object), usageOf(old));
    for (const quota of counting) {
      const isIn = (one: KubeObject): boolean => matchesQuotaScopes(quota.spec, resource, one as unknown as JsonObject);
      if (!(isSameUsage && isIn(object) === isIn(old))) queue.add(cacheKeyOf(quota));
    }
  };
  const sources = new QuotaSources(context, (resource, source) => {
    source.addHandler({
      // Admission counts new objects, where it is enabled.
      onAdd: (object) => replenish(resource, object),
      onUpdate: (object, old) => replenish(resource, object, old),
      onDelete: (object) => replenish(resource, object),
    });
  });

  const reconcile = async (key: string): Promise<void> => {
    const quota = quotas.store.get(key);
    if (!quota) return;
    let usage: Usage = {};
    for (const resource of countedResources(quota)) {
      const source = await sources.get(resource);
      if (!source) continue;
      const objects = namespaceLister(source.store)(quota.metadata.namespace);
      usage = { ...usage, ...usageOfObjects(quota, resource, objects as unknown as readonly JsonObject[], quotaContext()) };
    }
    const status = quotaStatus(quota, usage);
    if (status) await ignoreStaleWrite(client.resource(corev1ResourceQuotas).updateStatus({ ...quota, status }));
  };
  const queue = startWorkers({ name, informers: [quotas], reconcile }, context);
  const enqueue = (quota: corev1.ResourceQuota): void => queue.add(cacheKeyOf(quota));
  quotas.addHandler({
    onAdd: enqueue,
    onUpdate: (quota, old) => {
      if (!isEqual(quota.spec.hard ?? {}, old.spec.hard ?? {})) enqueue(quota);
    },
  });
  const enqueueAll = async (): Promise<void> => {
    for (const quota of quotas.store.list()) enqueue(quota);
  };
  void quotas.synced.then(() => runPeriodically(name, resyncMs, enqueueAll, context));
};
