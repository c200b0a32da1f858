import { cacheKeyOf } from '../../client/index.ts';
import { parseCidr } from '../../meta/index.ts';
import { type corev1, corev1Nodes } from '../../schema/api/index.ts';
import type { Controller } from '../controller.ts';
import { createEventRecorder } from '../create-event-recorder.ts';
import { ignoreStaleWrite } from '../ignore-stale-write.ts';
import { startWorkers } from '../start-workers.ts';
import { CidrSet, type ClusterCidr } from './cidr-set.ts';

const name = 'node-ipam-controller';
const noneLeft = 'CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range';

function defaultCidrs(): readonly ClusterCidr[] {
  const base = parseCidr('10.244.0.0/16');
  return base ? [{ base, nodeMaskSize: 24 }] : [];
}

/** Gives each node a range of addresses for its pods, of each family. Cf. pkg/controller/nodeipam. */
export const nodeIpam: Controller = (context) => {
  const { client, informers, clusterCidrs = defaultCidrs() } = context;
  const sets = clusterCidrs.map(({ base, nodeMaskSize }) => new CidrSet(base, nodeMaskSize));
  const release = (cidrs: readonly string[]): void => {
    for (const [index, cidr] of cidrs.entries()) sets[index]?.release(cidr);
  };
  const recorder = createEventRecorder(context, 'cidrAllocator');
  const nodes = informers.informer(corev1Nodes);
  /** Ranges that are not in the cache yet. */
  const allocated = new Map<string, readonly string[]>();

  /** Cf. AllocateOrOccupyCIDR. */
  const allocate = (node: corev1.Node): readonly string[] => {
    const found: string[] = [];
    for (const [index, set] of sets.entries()) {
      const cidr = set.allocate();
      if (cidr === undefined) {
        release(found);
        const { apiVersion, kind, metadata } = node;
        const { name: key = '', uid } = metadata;
        const about = { apiVersion, kind, metadata: { name: key, ...(uid === undefined ? {} : { uid }) } };
        recorder.event(about, 'Normal', 'CIDRNotAvailable', `Node ${key} status is now: CIDRNotAvailable`);
        throw new Error(`failed to allocate cidr from cluster cidr at idx:${index}: ${noneLeft}`);
      }
      found.push(cidr);
    }
    return found;
  };

  const reconcile = async (key: string): Promise<void> => {
    const node = nodes.store.get(key);
    if (!node || node.spec.podCIDR) return;
    const podCIDRs = allocated.get(key) ?? allocate(node);
    const [podCIDR = ''] = podCIDRs;
    allocated.set(key, podCIDRs);
    await ignoreStaleWrite(client.resource(corev1Nodes).patch({ name: key }, 'strategic', { spec: { podCIDR, podCIDRs } }));
  };
  const queue = startWorkers({ name, informers: [nodes], reconcile }, context);
  const onNode = (node: corev1.Node): void => {
    const { podCIDR } = node.spec;
    for (const [index, cidr] of cidrsOf(node).entries()) sets[index]?.occupy(cidr);
    if (podCIDR) allocated.delete(cacheKeyOf(node));
    else queue.add(cacheKeyOf(node));
  };
  nodes.addHandler({
    onAdd: onNode,
    onUpdate: onNode,
    onDelete: (node) => {
      const known = cidrsOf(node);
      release(known.length > 0 ? known : (allocated.get(cacheKeyOf(node)) ?? []));
      allocated.delete(cacheKeyOf(node));
    },
  });
};

const cidrsOf = ({ spec }: corev1.Node): readonly string[] => spec.podCIDRs ?? (spec.podCIDR ? [spec.podCIDR] : []);
