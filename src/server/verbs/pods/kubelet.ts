import { notFound, StatusError } from '../../../meta/index.ts';
import { subjectOf } from '../../../registry/index.ts';
import type { corev1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { Kubelets } from '../../../streaming/index.ts';
import type { RequestContext } from '../../request-context.ts';

export interface Kubelet {
  /** Undefined: it cannot be reached. */
  readonly kubelet: ReturnType<Kubelets['kubeletOf']>;
  readonly host: string;
  /** What the host resolves to: the names of nodes whose kubelets can be reached are known. */
  readonly address: string;
  readonly port: string;
}

/** Preferred address types of a node (--kubelet-preferred-address-types). */
const preferred = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const usualPort = 10_250;

/** Where the kubelet of a node listens. @throws StatusError 404; 500 for a node without addresses */
export async function kubeletOf(context: RequestContext, name: string): Promise<Kubelet> {
  const { catalog, store } = context.server;
  const nodes = catalog.resource('v1', 'nodes');
  const node = nodes && (await store.find({ resource: nodes, namespace: '', name }));
  // As upstream, the error names the requested resource.
  if (!node) throw notFound(subjectOf(context.resource), name);
  const { status }: Decoded<corev1.Node> = node.object;
  const addresses = (status?.addresses ?? []).map(({ type = '', address = '' }) => ({ type, address }));
  const host = preferred.map((kind) => addresses.find(({ type }) => type === kind)?.address).find((address) => address !== undefined);
  if (host === undefined) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new StatusError(500, '', `no preferred addresses found; known addresses: [${known}]`);
  }
  const port = status?.daemonEndpoints?.kubeletEndpoint?.Port ?? 0;
  const kubelet = context.server.kubelets.kubeletOf(name);
  const address = (kubelet && addresses.find(({ type }) => type === 'InternalIP')?.address) ?? host;
  return { kubelet, host, address, port: String(port > 0 ? port : usualPort) };
}
