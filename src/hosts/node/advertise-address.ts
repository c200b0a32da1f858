import { isIPv4, isIPv6 } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { clusterDefaults } from '../../cluster/index.ts';
import type { ServeFlags } from './flags/flags.ts';

type AddressFlags = Pick<ServeFlags, 'advertiseAddress' | 'bindAddress' | 'serviceRanges'>;

/** Reads the network interfaces of this machine. */
type ReadInterfaces = () => Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * The address under which this server is advertised. Cf. k8s.io/apimachinery pkg/util/net ResolveBindAddress: an unspecified or loopback
 * bind address stands for an address of the host. It has the IP family of the Service `kubernetes`, as clients need.
 */
export function resolveAdvertiseAddress(
  { advertiseAddress, bindAddress, serviceRanges: { addresses } }: AddressFlags,
  readInterfaces: ReadInterfaces = networkInterfaces,
): string {
  const [family = 'IPv4'] = addresses.map((range) => range.family);
  if (advertiseAddress !== undefined && !isUnspecified(advertiseAddress)) return advertiseAddress;
  const isOfFamily = family === 'IPv4' ? isIPv4 : isIPv6;
  if (!isUnspecified(bindAddress) && !isLoopback(bindAddress) && isOfFamily(bindAddress)) return bindAddress;
  const own = Object.values(readInterfaces())
    .flatMap((infos) => infos ?? [])
    .find((info) => !info.internal && info.family === family && !isLinkLocal(info.address));
  // A machine without a network has only clients on itself.
  return own?.address ?? (family === 'IPv4' ? clusterDefaults.advertiseAddress.ip : 'fd00::1');
}

const isUnspecified = (ip: string): boolean => ip === '0.0.0.0' || ip === '::';
const isLoopback = (ip: string): boolean => ip.startsWith('127.') || ip === '::1';
const isLinkLocal = (ip: string): boolean => ip.startsWith('169.254.') || /^fe[89ab]/i.test(ip);
