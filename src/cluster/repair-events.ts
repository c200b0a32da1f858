import { type ApiHandler, formatMicroTime, type Product } from '../meta/index.ts';
import type { Repair } from './address-repair.ts';
import { createLoopbackRequest } from './loopback-request.ts';

export interface RepairEventOptions {
  readonly handle: ApiHandler;
  readonly token: string;
  readonly product: Product;
  readonly nowMs: () => number;
}

const controller = 'ipallocator-repair-controller';

/** Records repairs as events, as upstream's event recorder does. */
export function createRepairEventRecorder({ handle, token, product, nowMs }: RepairEventOptions): (repair: Repair) => Promise<void> {
  return async ({ regarding, event }) => {
    if (!event) return;
    const { apiVersion, kind, metadata } = regarding;
    const { name = '', namespace = '', uid, resourceVersion } = metadata;
    const home = namespace || 'default';
    const now = nowMs();
    const object = {
      apiVersion: product.rename('events.k8s.io/v1'),
      kind: 'Event',
      metadata: { name: `${name}.${(BigInt(now) * 1_000_000n).toString(16)}`, namespace: home },
      eventTime: formatMicroTime(now),
      reportingController: controller,
      reportingInstance: `${controller}-${product.rename('kube-apiserver')}`,
      type: 'Warning',
      regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
      ...event,
    };
    const target = product.rename(`/apis/events.k8s.io/v1/namespaces/${home}/events`);
    const { status, body } = await handle(createLoopbackRequest({ method: 'POST', target, object }, token, product));
    // 404: the group is not served, or the namespace was deleted; 409: an event with the same time exists.
    if (status !== 201 && status !== 404 && status !== 409) throw new Error(`an event is refused: ${status} ${String(body)}`);
  };
}
