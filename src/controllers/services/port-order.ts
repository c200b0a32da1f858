import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import { md5 } from './md5.ts';

/**
 * Sorts ports as upstream does: by the MD5 hash of Go's dump of each port, of which clients see the order.
 * Cf. pkg/api/v1/endpoints portsByHash.
 */
export function sortPorts(ports: readonly corev1.EndpointPort[]): readonly corev1.EndpointPort[] {
  return sortByHash(ports, dumpPort);
}

/** Sorts the ports of a slice in the same way. Cf. endpointslice/util portsInOrder. */
export function sortSlicePorts(ports: readonly discoveryv1.EndpointPort[]): readonly discoveryv1.EndpointPort[] {
  return sortByHash(ports, dumpSlicePort);
}

function sortByHash<Port>(ports: readonly Port[], dump: (port: Port) => string): readonly Port[] {
  const hashed = ports.map((port) => ({ port, hash: hashOf(dump(port)) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ port }) => port);
}

/** A text that differs for different ports: Go's dump. */
export function dumpPort({ name = '', port, protocol = '', appProtocol }: corev1.EndpointPort): string {
  return `(v1.EndpointPort){Name:(string)${name} Port:(int32)${port} Protocol:(v1.Protocol)${protocol} ${dumpAppProtocol(appProtocol)}}`;
}

function dumpSlicePort({ name, port, protocol, appProtocol }: discoveryv1.EndpointPort): string {
  return `(v1.EndpointPort){Name:(*string)${name} Protocol:(*v1.Protocol)${protocol} Port:(*int32)${port} ${dumpAppProtocol(appProtocol)}}`;
}

function dumpAppProtocol(appProtocol = '<nil>'): string {
  return `AppProtocol:(*string)${appProtocol}`;
}

/** The MD5 hash of a text, in hexadecimal digits. */
export function hashOf(dump: string): string {
  return md5(new TextEncoder().encode(dump));
}
