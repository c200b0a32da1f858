import { parseCidr } from '../../meta/index.ts';
import type { ClusterCidr } from './cidr-set.ts';

/** `--cluster-cidr` with `--node-cidr-mask-size`, or the latter for each family of a dual-stack cluster. */
interface ClusterCidrSettings {
  /** One range, or one of each family. */
  readonly cidrs: readonly string[];
  /** Prefix length of nodes; 0: 24 for IPv4, 64 for IPv6. */
  readonly nodeMaskSize: number;
}

/** More parts would need too much memory. Cf. cidrset clusterSubnetMaxDiff. */
const maxPartBits = 16;

/** @throws Error with the message of the real controller manager. Cf. startNodeIpamController, NewNodeIpamController, NewCIDRSet */
export function parseClusterCidrs({ cidrs, nodeMaskSize }: ClusterCidrSettings): readonly ClusterCidr[] {
  const parsed = cidrs.map((text, index) => {
    const base = parseCidr(text);
    if (!base) throw new Error(`invalid CIDR[${index}]: <nil> (invalid CIDR address: ${text})`);
    return base;
  });
  const lengths = parsed.map(({ address }) => address.bytes.length);
  if (parsed.length > 1 && new Set(lengths).size === 1) {
    throw new Error(`len of ClusterCIDRs==${parsed.length} and they are not configured as dual stack (at least one from each IPFamily`);
  }
  if (parsed.length > 2) throw new Error(`length of clusterCIDRs is:${parsed.length} more than max allowed of 2`);
  if (parsed.length > 1 && nodeMaskSize !== 0) throw new Error('usage of --node-cidr-mask-size is not allowed with dual-stack clusters');
  return parsed.map((base) => {
    const isIpv4 = base.address.bytes.length === 4;
    const size = nodeMaskSize === 0 ? (isIpv4 ? 24 : 64) : nodeMaskSize;
    if (base.prefixLength > size || size > base.address.bytes.length * 8) {
      throw new Error(
        'Controller: Invalid clusterCIDR, mask size of clusterCIDR must be less than or equal to --node-cidr-mask-size configured for CIDR family',
      );
    }
    if (size - base.prefixLength > maxPartBits) throw new Error('New CIDR set failed; the node CIDR size is too big');
    return { base, nodeMaskSize: size };
  });
}
