import { formatIp, parseIp } from '../../meta/index.ts';

const [v4, v6] = ['.in-addr.arpa.', '.ip6.arpa.'];

/** The name of an address for reverse lookups: `5.0.244.10.in-addr.arpa.` */
export function reverseName(address: string): string | undefined {
  const ip = parseIp(address);
  if (!ip) return undefined;
  if (ip.bytes.length === 4) return `${[...ip.bytes].reverse().join('.')}${v4}`;
  const digits = [...ip.bytes].flatMap((byte) => [...byte.toString(16).padStart(2, '0')]);
  return `${digits.reverse().join('.')}${v6}`;
}

/** The address of such a name. */
export function addressOfReverseName(name: string): string | undefined {
  if (name.endsWith(v4)) {
    const address = name.slice(0, -v4.length).split('.').reverse().join('.');
    return parseIp(address) ? address : undefined;
  }
  if (!name.endsWith(v6)) return undefined;
  const digits = name.slice(0, -v6.length).split('.').reverse();
  if (digits.length !== 32 || digits.some((digit) => !/^[\da-f]$/.test(digit))) return undefined;
  const groups = Array.from({ length: 8 }, (_, at) => digits.slice(at * 4, at * 4 + 4).join(''));
  const ip = parseIp(groups.join(':'));
  return ip && formatIp(ip);
}
