import { type ApiClient, hasStatus, runWorkers, WorkQueue } from '../../client/index.ts';
import { formatMicroTime } from '../../meta/index.ts';
import { type coordinationv1, coordinationv1Leases, type corev1 } from '../../schema/api/index.ts';
import type { NodeContext } from '../node-context.ts';

/** The kubelet renews a lease of 40 s every 10 s. Cf. pkg/kubelet NewMainKubelet (leaseDuration, renewInterval). */
const leaseSeconds = 40;
const renewMs = 10_000;

/** Renews the leases of nodes while `isRunning`; `add` starts the renewals of a node. Cf. component-helpers/apimachinery/lease. */
export function startLeases(context: NodeContext, isRunning: (node: string) => boolean): { add(node: string): void } {
  const { clock, log, signal, clients, nodes } = context;
  const queue = new WorkQueue<string>({ clock, signal });
  const leases = new Map<string, coordinationv1.Lease>();
  const renew = async (name: string): Promise<void> => {
    const node = nodes.store.get(name);
    if (!node || !isRunning(name)) {
      leases.delete(name);
      return;
    }
    leases.set(name, await writeLease(clients.of(name), leases.get(name), leaseOf(node, context)));
    queue.addAfter(name, renewMs);
  };
  runWorkers({ queue, workers: 4, reconcile: renew, name: 'node leases', log, signal });
  // The cache may show a node later than its registration succeeded.
  const added = new Set<string>();
  const enqueue = ({ metadata: { name = '' } }: corev1.Node): void => {
    if (added.has(name)) queue.add(name);
  };
  nodes.addHandler({ onAdd: enqueue });
  return {
    add: (node) => {
      added.add(node);
      queue.add(node);
    },
  };
}

function leaseOf({ metadata: { name = '', uid = '' } }: corev1.Node, { clock, product }: NodeContext): LeaseContent {
  const namespace = product.names.nodeLeaseNamespace;
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
  const renewTime = formatMicroTime(clock.nowMs());
  return { metadata: { name, namespace, ownerReferences }, spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime } };
}

type LeaseContent = Pick<coordinationv1.Lease, 'metadata' | 'spec'>;

/** Updates the lease that was written last; reads it again after a conflict, and creates it when there is none. */
async function writeLease(
  client: ApiClient,
  known: coordinationv1.Lease | undefined,
  content: LeaseContent,
): Promise<coordinationv1.Lease> {
  const leases = client.resource(coordinationv1Leases);
  const { name = '', namespace = '' } = content.metadata;
  const replace = (lease: coordinationv1.Lease): Promise<coordinationv1.Lease> =>
    leases.update({ ...lease, spec: { ...lease.spec, ...content.spec } });
  if (known) {
    try {
      return await replace(known);
    } catch (error) {
      if (!hasStatus(error, 404, 409)) throw error;
    }
  }
  const stored = await leases.getIfExists({ name, namespace });
  return stored ? replace(stored) : leases.create(content);
}
