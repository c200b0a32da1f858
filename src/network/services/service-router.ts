import type { Clock, Random } from '../../env/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import type { ClusterState } from '../cluster-state.ts';
import type { Endpoint } from '../network-namespace.ts';

/** Where a connection comes from. */
export interface Source {
  readonly address: string;
  /** The node of the client's namespace; empty outside of the cluster. */
  readonly node: string;
}

/** What a Service does with a connection: `reject` is an error at once, `drop` is silence. */
export type ServiceRoute = Endpoint | 'reject' | 'drop';

interface ServicePort {
  readonly service: corev1.Service;
  readonly port: corev1.ServicePort;
  /** Reached by the cluster address, or from outside (node port, load balancer, external address). */
  readonly isExternal: boolean;
  /** The node that routes the connection: the one with the address of a node port, or that of the client. */
  readonly router: string;
}

interface Affinity {
  readonly endpoint: Endpoint;
  untilMs: number;
}

const defaultAffinitySeconds = 10_800;

/** Chooses endpoints of Services, as kube-proxy does. */
export class ServiceRouter {
  readonly #state: ClusterState;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #random: Pick<Random, 'integer'>;
  readonly #affinities = new Map<string, Affinity>();

  constructor(state: ClusterState, { clock, random }: { readonly clock: Pick<Clock, 'nowMs'>; readonly random: Pick<Random, 'integer'> }) {
    this.#state = state;
    this.#clock = clock;
    this.#random = random;
  }

  /** The route of a connection to an address of a Service, or of the node `node`; undefined: it is none. */
  route({ address, port }: Endpoint, protocol: string, source: Source, node: string | undefined): ServiceRoute | undefined {
    let isOfService = false;
    for (const service of this.#state.services()) {
      const kind = kindOf(service, address, node !== undefined);
      if (!kind || !this.#state.isRouted(service)) continue;
      isOfService ||= kind !== 'node';
      const found = service.spec.ports?.find(
        (one) => (one.protocol ?? 'TCP') === protocol && (kind === 'node' ? one.nodePort : one.port) === port,
      );
      if (found) {
        const router = (kind === 'node' ? node : undefined) ?? source.node;
        return this.#choose({ service, port: found, isExternal: kind !== 'cluster', router }, source);
      }
    }
    return isOfService ? 'reject' : undefined;
  }

  #choose(target: ServicePort, source: Source): ServiceRoute {
    const { service, port } = target;
    const all = this.#endpointsOf(service, port);
    const usable = usableOf(all);
    if (usable.length === 0) return 'reject';
    const local = usableOf(all.filter(({ node }) => node === target.router));
    const isLocal = isLocalOnly(target, source);
    if (isLocal && local.length === 0) return 'drop';
    const candidates = isLocal ? local : preferredOf(usable, target.router, this.#state.zoneOf(target.router));
    if (service.spec.sessionAffinity !== 'ClientIP') return this.#random1(candidates);
    const key = `${service.metadata.namespace}/${service.metadata.name}/${port.name ?? ''}/${source.address}`;
    return this.#sticky(key, candidates, service.spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinitySeconds);
  }

  #sticky(key: string, candidates: readonly Endpoint[], seconds: number): Endpoint {
    const nowMs = this.#clock.nowMs();
    const before = this.#affinities.get(key);
    const isValid = before && before.untilMs > nowMs && candidates.some((one) => isSame(one, before.endpoint));
    const endpoint = isValid ? before.endpoint : this.#random1(candidates);
    this.#affinities.set(key, { endpoint, untilMs: nowMs + seconds * 1000 });
    return endpoint;
  }

  #random1(candidates: readonly Endpoint[]): Endpoint {
    const { address = '', port = 0 } = candidates[this.#random.integer(candidates.length)] ?? {};
    return { address, port };
  }

  #endpointsOf({ metadata }: corev1.Service, { name = '' }: corev1.ServicePort): readonly ServiceEndpoint[] {
    const { namespace = '', name: service = '' } = metadata;
    return this.#state.slicesOf(namespace, service).flatMap((slice) => endpointsOfSlice(slice, name));
  }
}

interface ServiceEndpoint extends Endpoint {
  readonly node: string;
  readonly conditions: discoveryv1.EndpointConditions;
  readonly hints: discoveryv1.EndpointHints | undefined;
}

function endpointsOfSlice({ endpoints, ports }: discoveryv1.EndpointSlice, name: string): readonly ServiceEndpoint[] {
  const port = ports?.find((one) => (one.name ?? '') === name)?.port;
  if (port === undefined) return [];
  return (endpoints ?? []).flatMap(({ addresses, conditions, hints, nodeName = '' }) =>
    (addresses ?? []).slice(0, 1).map((address) => ({ address, port, node: nodeName, conditions, hints })),
  );
}

/** The ready endpoints; if there are none, those that still serve while they terminate. */
function usableOf(endpoints: readonly ServiceEndpoint[]): readonly ServiceEndpoint[] {
  const ready = endpoints.filter(({ conditions }) => conditions.ready !== false);
  if (ready.length > 0) return ready;
  return endpoints.filter(({ conditions }) => conditions.serving !== false && conditions.terminating === true);
}

/** The endpoints that hints assign to a node or its zone, where all have such hints. Cf. pkg/proxy topologyModeFromHints. */
function preferredOf(endpoints: readonly ServiceEndpoint[], node: string, zone: string | undefined): readonly ServiceEndpoint[] {
  for (const [kind, wanted] of [
    ['forNodes', node],
    ['forZones', zone],
  ] as const) {
    const preferred = endpoints.filter(({ hints }) => hints?.[kind]?.some(({ name }) => name === wanted));
    if (preferred.length > 0 && endpoints.every(({ hints }) => hints?.[kind]?.length)) return preferred;
  }
  return endpoints;
}

/** Whether only endpoints of the routing node are used. Clients on that node reach external addresses by way of the cluster. */
function isLocalOnly({ service, isExternal, router }: ServicePort, { node }: Source): boolean {
  if (!isExternal) return service.spec.internalTrafficPolicy === 'Local';
  return service.spec.externalTrafficPolicy === 'Local' && node !== router;
}

function kindOf({ spec, status }: corev1.Service, address: string, isNode: boolean): 'cluster' | 'external' | 'node' | undefined {
  if (spec.type === 'ExternalName') return undefined;
  const addresses = spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []);
  if (addresses.includes(address)) return 'cluster';
  if (spec.externalIPs?.includes(address)) return 'external';
  if (status?.loadBalancer?.ingress?.some(({ ip, ipMode }) => ip === address && ipMode !== 'Proxy')) return 'external';
  return isNode && (spec.type === 'NodePort' || spec.type === 'LoadBalancer') ? 'node' : undefined;
}

function isSame(one: Endpoint, other: Endpoint): boolean {
  return one.address === other.address && one.port === other.port;
}
