import type { ApiRequest } from '../meta/index.ts';

const maxUserAgentLength = 1024;

export function userAgentOf({ headers }: ApiRequest): string {
  const agent = headers.get('user-agent') ?? '';
  return agent.length > maxUserAgentLength ? `${agent.slice(0, maxUserAgentLength)}...TRUNCATED` : agent;
}

/** The addresses in forwarding headers, then the peer's. Only the last one cannot be forged. */
export function sourceIpsOf({ headers, peer }: ApiRequest): readonly string[] {
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').flatMap((part) => canonicalAddress(part.trim()) ?? []);
  const real = canonicalAddress(headers.get('x-real-ip') ?? '');
  const named = real !== undefined && !forwarded.includes(real) ? [...forwarded, real] : forwarded;
  const last = peer?.address === undefined ? undefined : canonicalAddress(peer.address);
  return last === undefined || named.at(-1) === last ? named : [...named, last];
}

/** Canonical form, IPv4-mapped addresses as IPv4; undefined for an invalid address. */
function canonicalAddress(text: string): string | undefined {
  const four = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(text)?.[1];
  if (four !== undefined) return four.split('.').every((part) => Number(part) <= 255) ? four.split('.').map(Number).join('.') : undefined;
  if (!text.includes(':') || !/^[\da-f:.]+$/i.test(text)) return undefined;
  try {
    return new URL(`http://[${text}]`).hostname.slice(1, -1);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
