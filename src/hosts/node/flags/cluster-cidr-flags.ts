import { type ClusterCidr, parseClusterCidrs } from '../../../cluster/index.ts';
import { FlagError } from './flag-error.ts';
import type { FlagRow } from './flag-rows.ts';
import type { FlagValues } from './flag-values.ts';

/** Flags of kube-controller-manager. */
export const clusterCidrFlagRows: readonly FlagRow[] = [
  {
    name: 'cluster-cidr',
    type: 'strings',
    initial: '10.244.0.0/16',
    value: 'CIDR,…',
    about: 'CIDR range for pods: each node gets a part of it; two ranges, one of each family, for a dual-stack cluster',
  },
  {
    name: 'node-cidr-mask-size',
    type: 'int',
    initial: '0',
    value: 'BITS',
    about:
      'mask size of the part of a node; 0 is 24 for IPv4 and 64 for IPv6. When all parts are in use, nodes get the event CIDRNotAvailable',
  },
];

/** @throws FlagError */
export function readClusterCidrs(values: FlagValues): readonly ClusterCidr[] {
  try {
    return parseClusterCidrs({ cidrs: values.list('cluster-cidr'), nodeMaskSize: values.number('node-cidr-mask-size') });
  } catch (error) {
    throw new FlagError(`Error: ${error instanceof Error ? error.message : String(error)}`);
  }
}
