import type { corev1 } from '../../schema/api/index.ts';
import { dumpPort, hashOf, sortPorts } from '../services/index.ts';

/** One address with one port, or with none. */
export interface PortAddress {
  readonly address: corev1.EndpointAddress;
  readonly port: corev1.EndpointPort | undefined;
  readonly isReady: boolean;
}

interface PortEntry {
  readonly port: corev1.EndpointPort | undefined;
  /** By IP and UID, with the readiness; not ready wins. */
  readonly addresses: Map<string, { readonly address: corev1.EndpointAddress; readonly isReady: boolean }>;
}

/** Groups addresses by the ports that all of them have. Cf. pkg/api/v1/endpoints RepackSubsets. */
export function repackSubsets(all: readonly PortAddress[]): readonly corev1.EndpointSubset[] {
  const byPort = new Map<string, PortEntry>();
  for (const { address, port, isReady } of all) {
    const portKey = port ? dumpPort(port) : '';
    const entry = byPort.get(portKey) ?? { port, addresses: new Map() };
    byPort.set(portKey, entry);
    const key = addressKey(address);
    if (entry.addresses.get(key)?.isReady !== false) entry.addresses.set(key, { address, isReady });
  }
  const byAddresses = new Map<string, { readonly entry: PortEntry; readonly ports: corev1.EndpointPort[] }>();
  for (const entry of byPort.values()) {
    const key = [...entry.addresses]
      .map(([one, { isReady }]) => `${one} ${isReady}`)
      .sort()
      .join();
    const group = byAddresses.get(key) ?? { entry, ports: [] };
    byAddresses.set(key, group);
    if (entry.port) group.ports.push(entry.port);
  }
  const subsets = [...byAddresses.values()].map(({ entry, ports }) => subsetOf(entry, sortPorts(ports)));
  // Upstream sorts by a hash that contains UIDs.
  const ordered = subsets.map((subset) => ({ subset, order: (subset.ports ?? []).map((port) => hashOf(dumpPort(port))).join() }));
  return ordered.sort((a, b) => (a.order < b.order ? -1 : 1)).map(({ subset }) => subset);
}

function subsetOf({ addresses }: PortEntry, ports: readonly corev1.EndpointPort[]): corev1.EndpointSubset {
  const sorted = [...addresses.values()].sort((a, b) => (isBefore(a.address, b.address) ? -1 : 1));
  const ready = sorted.filter(({ isReady }) => isReady).map(({ address }) => address);
  const notReady = sorted.filter(({ isReady }) => !isReady).map(({ address }) => address);
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
    ...(ports.length === 0 ? {} : { ports }),
  };
}

function addressKey({ ip, targetRef }: corev1.EndpointAddress): string {
  return `${ip} ${targetRef?.uid ?? ''}`;
}

/** Cf. LessEndpointAddress. */
function isBefore(a: corev1.EndpointAddress, b: corev1.EndpointAddress): boolean {
  return a.ip === b.ip ? (a.targetRef?.uid ?? '') < (b.targetRef?.uid ?? '') : a.ip < b.ip;
}
