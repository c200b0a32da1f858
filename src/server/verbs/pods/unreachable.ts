import { joinHostPort, parseIp } from '../../../meta/index.ts';

/** Error messages of Go's dialer for unreachable hosts. */

const namedPorts: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
]);

export function dialProblem(host: string, port: string): string {
  const number = namedPorts.get(port) ?? port;
  if (!/^\d+$/.test(number)) return `dial tcp: lookup tcp/${port}: unknown port`;
  if (Number(number) > 65535) return `dial tcp: address ${number}: invalid port`;
  const address = host === 'localhost' ? '127.0.0.1' : host;
  if (!parseIp(address)) return `dial tcp: ${lookupProblem(host)}`;
  return `dial tcp ${joinHostPort(address, number)}: connect: ${isLoopback(address) ? 'connection refused' : 'no route to host'}`;
}

export function lookupProblem(host: string): string {
  return `lookup ${host}: no such host`;
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

/** Go's IP.IsGlobalUnicast: whether the server may proxy to the address. */
export function isGlobalUnicast(address: string): boolean {
  const ip = parseIp(address);
  if (!ip) return false;
  const [first = 0, second = 0] = ip.bytes;
  const onlyLast = (last: number): boolean => ip.bytes.every((byte, index) => byte === (index === ip.bytes.length - 1 ? last : 0));
  if (ip.family === 'IPv6') return !onlyLast(0) && !onlyLast(1) && first !== 0xff && !(first === 0xfe && second >> 6 === 2);
  const isBroadcast = ip.bytes.every((byte) => byte === 255);
  return !onlyLast(0) && !isBroadcast && first !== 127 && first >> 4 !== 14 && !(first === 169 && second === 254);
}
