import { formatIp, parseCidr, parseIp } from '../../meta/index.ts';
import type { NumberRange } from './number-pool.ts';

export type IpFamily = 'IPv4' | 'IPv6';

/** A range of Service addresses. */
export interface AddressRange extends NumberRange {
  readonly family: IpFamily;
  /** `10.96.0.0/12`, as in errors. */
  readonly text: string;
}

/** `--service-cluster-ip-range` and `--service-node-port-range`. */
export interface ServiceRanges {
  /** One range, or one per family; the first one's family is the default. */
  readonly addresses: readonly AddressRange[];
  readonly nodePorts: NumberRange;
}

interface PortBounds {
  readonly first: number;
  readonly last: number;
}

const defaultPorts: PortBounds = { first: 30_000, last: 32_767 };

/** `cidrs` must be valid. */
export function serviceRanges(cidrs: readonly string[] = ['10.96.0.0/12'], { first, last }: PortBounds = defaultPorts): ServiceRanges {
  const addresses = cidrs.map((text) => {
    const range = addressRange(text);
    if (!range) throw new Error(`${text} is no range of addresses`);
    return range;
  });
  return { addresses, nodePorts: { first: BigInt(first), last: BigInt(last), reserved: reservedPorts(last - first + 1) } };
}

/** Excludes the network address and the IPv4 broadcast address; undefined for an invalid CIDR. */
export function addressRange(text: string): AddressRange | undefined {
  const cidr = parseCidr(text);
  if (!cidr) return undefined;
  const { family, bytes } = cidr.address;
  const bits = bytes.length * 8;
  const size = 1n << BigInt(bits - cidr.prefixLength);
  const network = (numberOf(bytes) / size) * size;
  return {
    family,
    text: `${addressText(family, network)}/${cidr.prefixLength}`,
    first: network + 1n,
    last: network + size - (family === 'IPv4' ? 2n : 1n),
    reserved: reservedAddresses(size),
  };
}

export interface AddressNumber {
  readonly family: IpFamily;
  readonly number: bigint;
}

/** Returns undefined when the text is no IP address. */
export function addressNumber(text: string): AddressNumber | undefined {
  const ip = parseIp(text);
  return ip && { family: ip.family, number: numberOf(ip.bytes) };
}

export function addressText(family: IpFamily, number: bigint): string {
  const length = family === 'IPv4' ? 4 : 16;
  return formatIp({ bytes: Array.from({ length }, (_, index) => Number((number >> BigInt((length - 1 - index) * 8)) & 255n)) });
}

function numberOf(bytes: readonly number[]): bigint {
  return bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
}

/** Reserved for requests of a certain address: a sixteenth, from 16 to 256 (upstream ipallocator calculateRangeOffset). */
function reservedAddresses(size: bigint): bigint {
  if (size <= 16n) return 0n;
  const share = size / 16n;
  return share < 16n ? 16n : share > 256n ? 256n : share;
}

/** Reserved for requests of a certain port: a 32nd, from 16 to 128 (upstream portallocator calculateRangeOffset). */
function reservedPorts(size: number): bigint {
  return size <= 16 ? 0n : BigInt(Math.min(128, Math.max(16, Math.floor(size / 32))));
}
