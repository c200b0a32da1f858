import { cacheKeyOf } from '../../client/index.ts';
import { parseCidr } from '../../meta/index.ts';
import { type corev1, corev1Nodes } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { CidrSet } from './cidr-set.ts';

const name = 'node-ipam-controller';
/** The addresses of pods (--cluster-cidr), and those of one node (--node-cidr-mask-size). */
const clusterCidr = '10.244.0.0/16';
const nodePrefixLength = 24;

/** Gives each node a range of addresses for its pods. Cf. pkg/controller/nodeipam. */
export const nodeIpam: Controller = (context) => {
  const { client, informers } = context;
  const base = parseCidr(clusterCidr);
  if (!base) return;
  const cidrs = new CidrSet(base, nodePrefixLength);
  const recorder = createEventRecorder(context, 'cidrAllocator');
  const nodes = informers.informer(corev1Nodes);
  /** Ranges that are not in the cache yet. */
  const allocated = new Map<string, string>();

  const reconcile = async (key: string): Promise<void> => {
    const node = nodes.store.get(key);
    if (!node || node.spec.podCIDR) return;
    const podCIDR = allocated.get(key) ?? cidrs.allocate();
    if (podCIDR === undefined) {
      const { apiVersion, kind, metadata } = node;
      const about = { apiVersion, kind, metadata: { name: key, ...(metadata.uid === undefined ? {} : { uid: metadata.uid }) } };
      recorder.event(about, 'Normal', 'CIDRNotAvailable', `Node ${key} status is now: CIDRNotAvailable`);
      throw new Error('no range of addresses is available');
    }
    allocated.set(key, podCIDR);
    await ignoreStaleWrite(client.resource(corev1Nodes).patch({ name: key }, 'strategic', { spec: { podCIDR, podCIDRs: [podCIDR] } }));
  };
  const queue = startWorkers({ name, informers: [nodes], reconcile }, context);
  const onNode = (node: corev1.Node): void => {
    const { podCIDR } = node.spec;
    if (podCIDR) cidrs.occupy(podCIDR);
    if (podCIDR) allocated.delete(cacheKeyOf(node));
    else queue.add(cacheKeyOf(node));
  };
  nodes.addHandler({
    onAdd: onNode,
    onUpdate: onNode,
    onDelete: (node) => {
      const podCIDR = node.spec.podCIDR ?? allocated.get(cacheKeyOf(node));
      allocated.delete(cacheKeyOf(node));
      if (podCIDR) cidrs.release(podCIDR);
    },
  });
};
