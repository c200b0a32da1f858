import type { corev1 } from '../../schema/api/index.ts';
import { md5 } from './md5.ts';

/**
 * Sorts ports as upstream does: by the MD5 hash of Go's dump of each port, of which clients see the order.
 * Cf. pkg/api/v1/endpoints portsByHash.
 */
export function sortPorts(ports: readonly corev1.EndpointPort[]): readonly corev1.EndpointPort[] {
  const hashed = ports.map((port) => ({ port, hash: hashOf(port) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ port }) => port);
}

/** A text that differs for different ports: Go's dump. */
export function dumpPort({ name = '', port, protocol = '', appProtocol }: corev1.EndpointPort): string {
  const app = appProtocol === undefined ? '(*string)<nil>' : `(*string)${appProtocol}`;
  return `(v1.EndpointPort){Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} AppProtocol:${app}}`;
}

/** A text in the order of the hashes. */
export function hashOf(port: corev1.EndpointPort): string {
  return md5(new TextEncoder().encode(dumpPort(port)));
}
