import { type ApiClient, hasStatus } from '../../client/index.ts';
import { formatMicroTime, type Product } from '../../meta/index.ts';
import { eventsv1Events } from '../../schema/api/index.ts';
import type { Repair } from './address-repair.ts';

export interface RepairEventOptions {
  readonly client: ApiClient;
  readonly product: Product;
  readonly nowMs: () => number;
}

const controller = 'ipallocator-repair-controller';

/** Records repairs as events, as upstream's event recorder does. */
export function createRepairEventRecorder({ client, product, nowMs }: RepairEventOptions): (repair: Repair) => Promise<void> {
  const events = client.resource(eventsv1Events);
  return async ({ regarding, event }) => {
    if (!event) return;
    const { apiVersion, kind, metadata } = regarding;
    const { name = '', namespace = '', uid = '', resourceVersion = '' } = metadata;
    const now = nowMs();
    const write = events.create({
      metadata: { name: `${name}.${(BigInt(now) * 1_000_000n).toString(16)}`, namespace: namespace || 'default' },
      eventTime: formatMicroTime(now),
      reportingController: controller,
      reportingInstance: `${controller}-${product.rename('kube-apiserver')}`,
      type: 'Warning',
      regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
      ...event,
    });
    await write.catch((error: unknown) => {
      // 404: the group is not served, or the namespace was deleted; 409: an event with the same time exists.
      if (!hasStatus(error, 404, 409)) throw error;
    });
  };
}
