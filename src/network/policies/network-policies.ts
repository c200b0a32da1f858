import { labelSelectorRequirements, matchesLabels, parseCidr, parseIp } from '../../meta/index.ts';
import type { corev1, metav1, networkingv1 } from '../../schema/api/index.ts';
import type { ClusterState } from '../cluster-state.ts';

/** A connection between two addresses, after a Service was resolved. */
export interface PolicyTraffic {
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: string;
}

type Direction = 'Ingress' | 'Egress';

/** What network policies depend on. */
export type PolicyState = Pick<ClusterState, 'policiesOf' | 'namespaceLabels' | 'podOf' | 'nodeOf'>;

/** How the policies that select a pod decide about one direction of its traffic. */
export interface PolicyDecision {
  readonly direction: Direction;
  readonly isAllowed: boolean;
  /** Those that allow it; if none does, those that isolate the pod. Empty: no policy selects the pod. */
  readonly policies: readonly networkingv1.NetworkPolicy[];
}

/** Whether the network policies allow a connection. */
export function isAllowed(state: PolicyState, traffic: PolicyTraffic): boolean {
  return policyDecisions(state, traffic).every((decision) => decision.isAllowed);
}

/** The decisions about a connection: of its client and of its server. Traffic of a pod with itself or its own node needs none. */
export function policyDecisions(state: PolicyState, { from, to, port, protocol }: PolicyTraffic): readonly PolicyDecision[] {
  const [client, server] = [state.podOf(from), state.podOf(to)];
  if (client !== undefined && client === server) return [];
  const sides: PolicyDecision[] = [];
  const rest = { port, protocol, ports: server };
  if (client && !isNodeOf(state, client, to)) sides.push(decide(state, client, 'Egress', { peer: to, pod: server, ...rest }));
  if (server && !isNodeOf(state, server, from)) sides.push(decide(state, server, 'Ingress', { peer: from, pod: client, ...rest }));
  return sides;
}

/** The other side of a connection. */
interface Peer {
  readonly peer: string;
  /** The pod of the address `peer`. */
  readonly pod: corev1.Pod | undefined;
  readonly port: number;
  readonly protocol: string;
  /** The pod whose ports names stand for: the server. */
  readonly ports: corev1.Pod | undefined;
}

function isNodeOf(state: PolicyState, { spec }: corev1.Pod, address: string): boolean {
  return spec.nodeName !== undefined && state.nodeOf(address) === spec.nodeName;
}

/** A pod that no policy selects for a direction is not isolated in it. */
function decide(state: PolicyState, pod: corev1.Pod, direction: Direction, peer: Peer): PolicyDecision {
  const { namespace = '', labels = {} } = pod.metadata;
  const policies = state.policiesOf(namespace).filter(({ spec }) => typesOf(spec).includes(direction) && selects(spec.podSelector, labels));
  const allowing = policies.filter((policy) => allows(state, policy, direction, peer));
  const isAllowed = policies.length === 0 || allowing.length > 0;
  return { direction, isAllowed, policies: isAllowed ? allowing : policies };
}

function typesOf({ policyTypes, egress }: networkingv1.NetworkPolicySpec): readonly string[] {
  return policyTypes ?? (egress ? ['Ingress', 'Egress'] : ['Ingress']);
}

function allows(state: PolicyState, { metadata, spec }: networkingv1.NetworkPolicy, direction: Direction, peer: Peer): boolean {
  const rules =
    direction === 'Ingress'
      ? (spec.ingress ?? []).map((rule) => ({ peers: rule.from, ports: rule.ports }))
      : (spec.egress ?? []).map((rule) => ({ peers: rule.to, ports: rule.ports }));
  return rules.some(({ peers = [], ports = [] }) => {
    const isPort = ports.length === 0 || ports.some((port) => matchesPort(port, peer));
    return isPort && (peers.length === 0 || peers.some((one) => matchesPeer(state, one, metadata.namespace ?? '', peer)));
  });
}

function matchesPort({ protocol = 'TCP', port, endPort }: networkingv1.NetworkPolicyPort, peer: Peer): boolean {
  if (protocol !== peer.protocol) return false;
  if (port === undefined) return true;
  if (typeof port === 'number') return peer.port >= port && peer.port <= (endPort ?? port);
  const named = peer.ports?.spec.containers?.flatMap(({ ports }) => ports ?? []).filter(({ name }) => name === port) ?? [];
  return named.some(({ containerPort }) => containerPort === peer.port);
}

function matchesPeer(state: PolicyState, rule: networkingv1.NetworkPolicyPeer, namespace: string, { peer, pod }: Peer): boolean {
  const { ipBlock, podSelector, namespaceSelector } = rule;
  if (ipBlock) return inCidr(peer, ipBlock.cidr) && !(ipBlock.except ?? []).some((except) => inCidr(peer, except));
  if (!pod) return false;
  const { namespace: own = '', labels = {} } = pod.metadata;
  const isNamespace = namespaceSelector ? selects(namespaceSelector, state.namespaceLabels(own)) : own === namespace;
  return isNamespace && (!podSelector || selects(podSelector, labels));
}

function selects(selector: metav1.LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  return matchesLabels(labelSelectorRequirements(selector ?? {}), labels);
}

function inCidr(address: string, text: string): boolean {
  const [ip, cidr] = [parseIp(address), parseCidr(text)];
  if (!ip || !cidr || ip.bytes.length !== cidr.address.bytes.length) return false;
  return ip.bytes.every((byte, at) => {
    const bits = Math.min(8, Math.max(0, cidr.prefixLength - at * 8));
    const mask = (0xff << (8 - bits)) & 0xff;
    return (byte & mask) === ((cidr.address.bytes[at] ?? 0) & mask);
  });
}
