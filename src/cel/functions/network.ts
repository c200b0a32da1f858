import { formatIp, parseIp } from '../../meta/index.ts';
import { Failure, noSuchOverload, OpaqueValue, type Result, type Value } from '../values/value.ts';
import { addressProblem } from './address-problem.ts';
import type { Functions } from './functions.ts';

export class Ip extends OpaqueValue {
  readonly typeName = 'net.IP';
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
  }

  override get size(): number {
    return this.bytes.length;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof Ip && other.toString() === this.toString();
  }

  override toString(): string {
    return formatIp(this);
  }
}

export class Cidr extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly ip: Ip;
  readonly prefixLength: number;

  constructor(ip: Ip, prefixLength: number) {
    super();
    this.ip = ip;
    this.prefixLength = prefixLength;
  }

  override get size(): number {
    return Math.ceil(this.prefixLength / 8);
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof Cidr && other.toString() === this.toString();
  }

  /** With the host bits cleared. */
  masked(): Cidr {
    const bytes = this.ip.bytes.map((byte, i) => byte & ~(255 >> Math.min(8, Math.max(0, this.prefixLength - i * 8))));
    return new Cidr(new Ip(bytes), this.prefixLength);
  }

  contains(ip: Ip): boolean {
    return ip.bytes.length === this.ip.bytes.length && new Cidr(ip, this.prefixLength).masked().equals(this.masked());
  }

  override toString(): string {
    return `${this.ip}/${this.prefixLength}`;
  }
}

/** Returns the address, or the error as text. */
function readIp(text: string): Ip | string {
  const shown = JSON.stringify(text);
  const zone = text.indexOf('%');
  const plain = zone < 0 ? text : text.slice(0, zone);
  const problem = zone >= 0 && !/[.:]/.test(plain) ? 'missing IPv6 address' : addressProblem(plain);
  if (problem !== undefined) return `IP Address ${shown} parse error during conversion from string: ParseAddr(${shown}): ${problem}`;
  if (zone >= 0 && !plain.includes(':')) {
    return `IP Address ${shown} parse error during conversion from string: ParseAddr(${shown}): unexpected character (at ${JSON.stringify(text.slice(zone))})`;
  }
  if (zone >= 0) return `IP address ${shown} with zone value is not allowed`;
  const address = parseIp(text);
  if (!address || address.mapped) return `IPv4-mapped IPv6 address ${shown} is not allowed`;
  return new Ip(address.bytes);
}

function readCidr(text: string): Cidr | string {
  const shown = JSON.stringify(text);
  const wrong = (why: string) => `network address parse error during conversion from string: netip.ParsePrefix(${shown}): ${why}`;
  const cut = text.lastIndexOf('/');
  if (cut < 0) return wrong("no '/'");
  const [host, bits] = [text.slice(0, cut), text.slice(cut + 1)];
  const problem = addressProblem(host);
  if (problem !== undefined) return wrong(`ParseAddr(${JSON.stringify(host)}): ${problem}`);
  if (!/^(?:0|[1-9]\d*)$/.test(bits)) return wrong(`bad bits after slash: ${JSON.stringify(bits)}`);
  const address = parseIp(host);
  if (!address || address.mapped) return `IPv4-mapped IPv6 address ${shown} is not allowed`;
  if (Number(bits) > address.bytes.length * 8) return wrong('prefix length out of range');
  return new Cidr(new Ip(address.bytes), Number(bits));
}

function toResult<T extends Value>(read: T | string, prefix = ''): T | Failure {
  return typeof read === 'string' ? new Failure(`${prefix}${read}`) : (read as T);
}

function toCidr(text: string): Cidr | Failure {
  return toResult(readCidr(text), 'network address parse error during conversion from string: ');
}

const starts = (ip: Ip, test: (first: number, second: number) => boolean) => test(ip.bytes[0] ?? 0, ip.bytes[1] ?? 0);
const isLoopback = (ip: Ip) => (ip.bytes.length === 4 ? ip.bytes[0] === 127 : ip.toString() === '::1');
const isUnspecified = (ip: Ip) => ip.bytes.every((byte) => byte === 0);
const isLinkLocal = (ip: Ip) => starts(ip, (a, b) => (ip.bytes.length === 4 ? a === 169 && b === 254 : a === 0xfe && (b & 0xc0) === 0x80));
const isMulticast = (ip: Ip) => starts(ip, (a) => (ip.bytes.length === 4 ? (a & 0xf0) === 0xe0 : a === 0xff));
const isLinkLocalMulticast = (ip: Ip) =>
  ip.bytes.length === 4 ? ip.bytes.slice(0, 3).join('.') === '224.0.0' : starts(ip, (a, b) => a === 0xff && (b & 0x0f) === 2);
const isBroadcast = (ip: Ip) => ip.bytes.length === 4 && ip.bytes.every((byte) => byte === 255);

export const network: Functions = {
  cidr: toCidr,
  containsCIDR: (cidr: Cidr, other: Cidr | string): Result => {
    const inner = typeof other === 'string' ? toCidr(other) : other;
    if (inner instanceof Failure) return inner;
    return cidr.prefixLength <= inner.prefixLength && cidr.contains(inner.ip);
  },
  containsIP: (cidr: Cidr, other: Ip | string): Result => {
    const ip = typeof other === 'string' ? readIp(other) : other;
    return typeof ip === 'string' ? noSuchOverload() : cidr.contains(ip);
  },
  family: (ip: Ip): Result => (ip.bytes.length === 4 ? 4n : 6n),
  ip: (from: string | Cidr): Result => (from instanceof Cidr ? from.ip : toResult(readIp(from))),
  'ip.isCanonical': (text: string): Result => {
    const ip = readIp(text);
    return typeof ip === 'string' ? new Failure(ip) : ip.toString() === text;
  },
  isCIDR: (text: string): Result => typeof readCidr(text) !== 'string',
  isGlobalUnicast: (ip: Ip): Result => ![isUnspecified, isLoopback, isMulticast, isLinkLocal, isBroadcast].some((test) => test(ip)),
  isIP: (text: string): Result => typeof readIp(text) !== 'string',
  isLinkLocalMulticast: (ip: Ip): Result => isLinkLocalMulticast(ip),
  isLinkLocalUnicast: (ip: Ip): Result => isLinkLocal(ip),
  isLoopback: (ip: Ip): Result => isLoopback(ip),
  isUnspecified: (ip: Ip): Result => isUnspecified(ip),
  masked: (cidr: Cidr): Result => cidr.masked(),
  prefixLength: (cidr: Cidr): Result => BigInt(cidr.prefixLength),
};
