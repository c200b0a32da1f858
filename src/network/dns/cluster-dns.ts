import { parseIp } from '../../meta/index.ts';
import type { corev1, discoveryv1 } from '../../schema/api/index.ts';
import type { ClusterState } from '../cluster-state.ts';
import type { DnsAnswer, DnsRecord, RecordType } from '../network-namespace.ts';
import { addressOfReverseName } from './reverse-name.ts';

const domain = 'cluster.local.';
const ttlSeconds = 30;

const notFound: DnsAnswer = { code: 'NXDOMAIN', records: [] };

/** An alias leads to a name of the cluster at most this often. */
const maxAliases = 8;

/**
 * The records of the cluster's names. An alias of a name of the cluster is followed by the records of that name. Cf. the DNS specification
 * of Kubernetes 1.1.0, and CoreDNS with its plugin `kubernetes`.
 */
export function queryClusterDns(state: ClusterState, name: string, type: RecordType): DnsAnswer {
  const records: DnsRecord[] = [];
  let next = name;
  for (let aliases = 0; aliases < maxAliases; aliases++) {
    const { code, records: found } = queryName(state, next, type);
    if (records.length === 0 && found.length === 0) return { code, records };
    records.push(...found);
    const alias = type === 'CNAME' ? undefined : found.find((record) => record.type === 'CNAME');
    if (!alias?.value.endsWith(`.${domain}`)) break;
    next = alias.value;
  }
  return { code: 'NOERROR', records };
}

function queryName(state: ClusterState, name: string, type: RecordType): DnsAnswer {
  const full = name.toLowerCase();
  const address = addressOfReverseName(full);
  if (address !== undefined)
    return answer(
      full,
      type,
      ptrNames(state, address).map((value) => ['PTR', value] as const),
    );
  if (!full.endsWith(`.${domain}`)) return full === domain ? { code: 'NOERROR', records: [] } : notFound;
  const labels = full.slice(0, -domain.length - 1).split('.');
  const kind = labels.at(-1);
  if (kind === 'svc') return serviceAnswer(state, full, type, labels.slice(0, -1));
  return kind === 'pod' ? podAnswer(full, type, labels.slice(0, -1)) : notFound;
}

type Value = readonly [type: RecordType, value: string];

/** Records of other types make the name exist. */
function answer(name: string, type: RecordType, values: readonly Value[]): DnsAnswer {
  if (values.length === 0) return notFound;
  // The target of an alias answers every type.
  const shown = values.filter(([one]) => one === type || one === 'CNAME');
  return { code: 'NOERROR', records: shown.map(([one, value]): DnsRecord => ({ name, type: one, ttlSeconds, value })) };
}

/** `<name>.<namespace>`, with a hostname, or a port and a protocol, before it. */
function serviceAnswer(state: ClusterState, name: string, type: RecordType, labels: readonly string[]): DnsAnswer {
  const [service = '', namespace = ''] = labels.slice(-2);
  if (labels.length < 2) return { code: namespaceExists(state, labels[0]) ? 'NOERROR' : 'NXDOMAIN', records: [] };
  const found = state.service(namespace, service);
  if (!found) return notFound;
  const further = labels.slice(0, -2);
  if (found.spec.type === 'ExternalName')
    return further.length > 0 ? notFound : answer(name, type, [['CNAME', `${found.spec.externalName}.`]]);
  const [first = '', second = ''] = further;
  if (further.length === 2) return answer(name, type, srvValues(state, found, first, second));
  if (further.length > 2) return notFound;
  const addresses = isHeadless(found) ? headlessAddresses(state, found, first) : first === '' ? clusterAddresses(found) : [];
  return answer(name, type, [...addresses.map(addressValue), ...(first === '' && type === 'SRV' ? allSrvValues(state, found) : [])]);
}

function namespaceExists(state: ClusterState, namespace = ''): boolean {
  return state.services().some(({ metadata }) => metadata.namespace === namespace);
}

function addressValue(address: string): Value {
  return [address.includes(':') ? 'AAAA' : 'A', address];
}

function isHeadless({ spec }: corev1.Service): boolean {
  return spec.clusterIP === 'None';
}

function clusterAddresses({ spec }: corev1.Service): readonly string[] {
  return spec.clusterIPs ?? (spec.clusterIP ? [spec.clusterIP] : []);
}

interface NamedEndpoint {
  readonly host: string;
  readonly address: string;
  readonly ports: readonly discoveryv1.EndpointPort[];
}

/** The endpoints of a headless Service that have names: the ready ones, or all if their addresses are published anyway. */
function endpointsOf(state: ClusterState, { metadata, spec }: corev1.Service): readonly NamedEndpoint[] {
  return state
    .slicesOf(metadata.namespace ?? '', metadata.name ?? '')
    .flatMap(({ endpoints, ports }) =>
      (endpoints ?? [])
        .filter(({ conditions }) => spec.publishNotReadyAddresses === true || conditions.ready !== false)
        .flatMap(({ addresses, hostname }) =>
          (addresses ?? []).map((address) => ({ host: hostname ?? address.replaceAll(/[.:]/g, '-'), address, ports: ports ?? [] })),
        ),
    );
}

function headlessAddresses(state: ClusterState, service: corev1.Service, host: string): readonly string[] {
  return endpointsOf(state, service)
    .filter((endpoint) => host === '' || endpoint.host === host)
    .map(({ address }) => address);
}

function srvValues(state: ClusterState, service: corev1.Service, port: string, protocol: string): readonly Value[] {
  if (!port.startsWith('_') || !protocol.startsWith('_')) return [];
  return targetsOf(state, service)
    .filter((target) => target.name === port.slice(1) && target.protocol === protocol.slice(1))
    .map(srvValue);
}

function allSrvValues(state: ClusterState, service: corev1.Service): readonly Value[] {
  return targetsOf(state, service).map(srvValue);
}

interface SrvTarget {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly target: string;
}

function srvValue({ port, target }: SrvTarget): Value {
  return ['SRV', `0 100 ${port} ${target}`];
}

/** Where the ports of a Service lead: to itself, or to the endpoints of a headless one. */
function targetsOf(state: ClusterState, service: corev1.Service): readonly SrvTarget[] {
  const own = `${service.metadata.name}.${service.metadata.namespace}.svc.${domain}`;
  const target = (name: string | undefined, protocol: string | undefined, port: number, at: string): SrvTarget => ({
    name: name ?? '',
    protocol: (protocol ?? 'TCP').toLowerCase(),
    port,
    target: at,
  });
  if (!isHeadless(service)) return (service.spec.ports ?? []).map(({ name, protocol, port }) => target(name, protocol, port, own));
  return endpointsOf(state, service).flatMap(({ host, ports }) =>
    ports.flatMap(({ name, protocol, port }) => (port === undefined ? [] : [target(name, protocol, port, `${host}.${own}`)])),
  );
}

/** `10-244-0-5.<namespace>`: the address is in the name. */
function podAnswer(name: string, type: RecordType, labels: readonly string[]): DnsAnswer {
  const [text = '', namespace] = labels;
  if (labels.length !== 2 || namespace === undefined) return notFound;
  const address = [text.replaceAll('-', '.'), text.replaceAll('-', ':')].find((one) => parseIp(one) !== undefined);
  return address === undefined ? notFound : answer(name, type, [addressValue(address)]);
}

function ptrNames(state: ClusterState, address: string): readonly string[] {
  for (const service of state.services()) {
    const own = `${service.metadata.name}.${service.metadata.namespace}.svc.${domain}`;
    if (!isHeadless(service) && clusterAddresses(service).includes(address)) return [own];
    if (!isHeadless(service)) continue;
    const hosts = endpointsOf(state, service).filter((endpoint) => endpoint.address === address);
    if (hosts.length > 0) return hosts.map(({ host }) => `${host}.${own}`);
  }
  return [];
}
