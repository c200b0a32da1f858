import { createHash } from 'node:crypto';
import type { ServerIdentity } from '../../cluster/index.ts';
import type { Product } from '../../meta/index.ts';

/** The identity of the API server of a host: one of each host. Cf. k8s.io/apiserver server/config.go NewConfig. */
export function serverIdentity(hostname: string, product: Product): ServerIdentity {
  const parts = [hostname, product.rename('kube-apiserver')].map((text) => withLength(Buffer.from(text)));
  const hash = createHash('sha256').update(Buffer.concat(parts)).digest();
  return { id: `apiserver-${base32(hash.subarray(0, 16))}`, hostname };
}

/** Preceded by its length in two bytes. */
function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const digits = 'abcdefghijklmnopqrstuvwxyz234567';

/** Base 32 in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => digits[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}
