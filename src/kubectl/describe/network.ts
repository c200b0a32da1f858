import { formatLabelSelector, joinHostPort } from '../../meta/index.ts';
import type { corev1, discoveryv1, networkingv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { messageOf } from '../program/errors.ts';
import { itemsOf } from '../resources/info.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { formatLabels, type Report, writeAnnotations, writeConditions, writeHead, writeLabels } from './report.ts';

type EndpointSlice = Decoded<discoveryv1.EndpointSlice>;

async function listEndpointSlices({ call, info }: DescribeInput, service: string): Promise<readonly EndpointSlice[]> {
  const client = await call.api();
  const path = `/apis/discovery.k8s.io/v1/namespaces/${info.namespace}/endpointslices`;
  return itemsOf(
    await client.read('GET', path, { query: { labelSelector: `${call.product.rename('kubernetes.io/service-name')}=${service}` } }),
  );
}

/** Addresses of ready endpoints at a port: `10.0.0.1:80,10.0.0.2:80 + 3 more...`. */
function endpointsText(slices: readonly EndpointSlice[], portName = ''): string {
  if (slices.length === 0) return '<none>';
  const found = slices.flatMap((slice) => {
    const ports = (slice.ports ?? []).filter(({ name = '' }) => name === portName);
    const ready = (slice.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    const addresses = ready.flatMap((one) => one.addresses ?? []).map((address) => joinHostPort(address));
    return ports.flatMap(({ port = '' }) => addresses.map((address) => `${address}:${port}`));
  });
  return found.length > 3 ? `${found.slice(0, 3).join(',')} + ${found.length - 3} more...` : found.join(',');
}

const service: Describer = async (subject) => {
  const { report, object } = subject;
  const { metadata, spec = {}, status }: Decoded<corev1.Service> = object;
  const slices = await listEndpointSlices(subject, metadata?.name ?? '').catch(() => []);
  writeHead(report, object);
  report.line(0, 'Selector:', formatLabels(spec.selector));
  report.line(0, 'Type:', spec.type);
  report.optional(0, 'IP Family Policy:', spec.ipFamilyPolicy);
  report.line(0, 'IP Families:', spec.ipFamilies?.join() || '<none>');
  report.line(0, 'IP:', spec.clusterIP);
  report.line(0, 'IPs:', spec.clusterIPs?.join() || '<none>');
  report.optional(0, 'External IPs:', spec.externalIPs?.join());
  report.optional(0, 'Desired LoadBalancer IP:', spec.loadBalancerIP);
  report.optional(0, 'External Name:', spec.externalName);
  const balancers = (status?.loadBalancer?.ingress ?? []).map(({ ip, ipMode, hostname = '' }) =>
    ip ? `${ip}${ipMode ? ` (${ipMode})` : ''}` : hostname,
  );
  report.optional(0, 'LoadBalancer Ingress:', balancers.join(', '));
  for (const port of spec.ports ?? []) {
    const [name, protocol] = [port.name || '<unset>', port.protocol || 'TCP'];
    report.line(0, 'Port:', name, `${port.port ?? ''}/${protocol}`);
    report.line(0, 'TargetPort:', `${port.targetPort || 0}/${protocol}`);
    if (port.nodePort) report.line(0, 'NodePort:', name, `${port.nodePort}/${protocol}`);
    report.line(0, 'Endpoints:', endpointsText(slices, port.name));
  }
  report.line(0, 'Session Affinity:', spec.sessionAffinity);
  report.optional(0, 'External Traffic Policy:', spec.externalTrafficPolicy);
  report.optional(0, 'Internal Traffic Policy:', spec.internalTrafficPolicy);
  report.optional(0, 'HealthCheck NodePort:', spec.healthCheckNodePort);
  report.optional(0, 'LoadBalancer Source Ranges:', spec.loadBalancerSourceRanges?.join());
  report.optional(0, 'Traffic Distribution:', spec.trafficDistribution);
};

const endpoints: Describer = ({ report, object }) => {
  writeHead(report, object);
  report.line(0, 'Subsets:');
  const { subsets = [] }: Decoded<corev1.Endpoints> = object;
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
    const ipsText = (all: typeof addresses): string => all.map(({ ip = '' }) => ip).join() || '<none>';
    report.line(1, 'Addresses:', ipsText(addresses));
    report.line(1, 'NotReadyAddresses:', ipsText(notReadyAddresses));
    if (ports.length > 0) {
      report.line(1, 'Ports:');
      report.line(2, 'Name', 'Port', 'Protocol');
      report.line(2, '----', '----', '--------');
      for (const { name, port, protocol } of ports) report.line(2, name || '<unset>', port, protocol);
    }
    report.write(0, '\n');
  }
};

const endpointSlice: Describer = ({ report, object }) => {
  writeHead(report, object);
  const slice: EndpointSlice = object;
  report.line(0, 'AddressType:', slice.addressType);
  const ports = slice.ports ?? [];
  report.line(0, ports.length === 0 ? 'Ports: <unset>' : 'Ports:');
  if (ports.length > 0) {
    report.line(1, 'Name', 'Port', 'Protocol');
    report.line(1, '----', '----', '--------');
    for (const { name, port, protocol } of ports) report.line(1, name || '<unset>', port ?? '<unset>', protocol);
  }
  const all = slice.endpoints ?? [];
  report.line(0, all.length === 0 ? 'Endpoints: <none>' : 'Endpoints:');
  for (const one of all) {
    report.line(1, '- Addresses:', one.addresses?.join(', ') || '<none>');
    report.line(2, 'Conditions:');
    report.line(3, 'Ready:', one.conditions?.ready ?? '<unset>');
    report.line(2, 'Hostname:', one.hostname || '<unset>');
    if (one.targetRef) report.line(2, 'TargetRef:', `${one.targetRef.kind ?? ''}/${one.targetRef.name ?? ''}`);
    report.line(2, 'NodeName:', one.nodeName || '<unset>');
    report.line(2, 'Zone:', one.zone || '<unset>');
  }
};

async function backendText(
  subject: DescribeInput,
  { resource, service: to = {} }: Decoded<networkingv1.IngressBackend> = {},
): Promise<string> {
  const { call, info } = subject;
  if (resource) return `APIGroup: ${resource.apiGroup || '<none>'}, Kind: ${resource.kind ?? ''}, Name: ${resource.name ?? ''}`;
  const { name = '', port = {} } = to;
  const shown = `${name}:${port.number ?? port.name ?? ''}`;
  try {
    const slices = await listEndpointSlices(subject, name);
    const client = await call.api();
    const found: Decoded<corev1.Service> = await client.read('GET', `/api/v1/namespaces/${info.namespace}/services/${name}`);
    const match = found.spec?.ports?.find((one) =>
      port.number === undefined ? (one.name ?? '') === (port.name ?? '') : one.port === port.number,
    );
    return `${shown} (${endpointsText(slices, match?.name)})`;
  } catch (error) {
    return `${shown} (<error: ${messageOf(error)}>)`;
  }
}

const ingress: Describer = async (subject) => {
  const { report, object } = subject;
  const { metadata = {}, spec = {}, status }: Decoded<networkingv1.Ingress> = object;
  const { name, namespace, labels, annotations } = metadata;
  report.line(0, 'Name:', name);
  writeLabels(report, 'Labels', labels);
  report.line(0, 'Namespace:', namespace);
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname = '' }) => ip || hostname);
  report.line(0, 'Address:', [...new Set(addresses)].sort().join(','));
  report.line(0, 'Ingress Class:', spec.ingressClassName || '<none>');
  const fallback = spec.defaultBackend ? await backendText(subject, spec.defaultBackend) : '<default>';
  report.line(0, 'Default backend:', fallback);
  const { tls = [] } = spec;
  if (tls.length > 0) report.line(0, 'TLS:');
  for (const { hosts = [], secretName } of tls)
    report.line(1, secretName ? `${secretName} terminates ${hosts.join()}` : `SNI routes ${hosts.join()}`);
  report.line(0, 'Rules:');
  report.line(1, 'Host', 'Path', 'Backends');
  report.line(1, '----', '----', '--------');
  const rules = (spec.rules ?? []).filter(({ http }) => http);
  for (const { host, http } of rules) {
    report.line(1, host || '*', '');
    for (const { path = '', backend } of http?.paths ?? []) report.line(2, '', `${path} `, await backendText(subject, backend));
  }
  if (rules.length === 0) report.line(1, '*', '*', fallback);
  writeAnnotations(report, 'Annotations', annotations);
};

const ingressClass: Describer = ({ report, object }) => {
  const { metadata = {}, spec }: Decoded<networkingv1.IngressClass> = object;
  report.line(0, 'Name:', metadata.name);
  writeLabels(report, 'Labels', metadata.labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  report.line(0, 'Controller:', spec?.controller);
  if (!spec?.parameters) return;
  const { apiGroup, kind, name } = spec.parameters;
  report.line(0, 'Parameters:');
  if (apiGroup !== undefined) report.line(1, 'APIGroup:', apiGroup);
  report.line(1, 'Kind:', kind);
  report.line(1, 'Name:', name);
};

const networkPolicy: Describer = ({ report, object }) => {
  const { metadata = {}, spec = {} }: Decoded<networkingv1.NetworkPolicy> = object;
  const { name, namespace, labels, annotations, creationTimestamp } = metadata;
  report.line(0, 'Name:', name);
  report.line(0, 'Namespace:', namespace);
  report.line(0, 'Created on:', creationTimestamp?.replace('T', ' ').replace('Z', ' +0000 UTC'));
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, 'Spec:');
  const selected = formatLabelSelector(spec.podSelector, '');
  report.line(1, `PodSelector:     ${selected || '<none> (Allowing the specific traffic to all pods in this namespace)'}`);
  const { policyTypes: types = [], ingress = [], egress = [] } = spec;
  const from = ingress.map(({ ports, from: peers }) => ({ ports, peers }));
  const to = egress.map(({ ports, to: peers }) => ({ ports, peers }));
  writeDirection(report, from, { member: 'ingress', word: 'From', isAffected: types.includes('Ingress') });
  writeDirection(report, to, { member: 'egress', word: 'To', isAffected: types.includes('Egress') });
  report.line(1, `Policy Types: ${types.join(', ') || '<none>'}`);
  return false;
};

interface PolicyRule {
  readonly ports: readonly Decoded<networkingv1.NetworkPolicyPort>[] | undefined;
  readonly peers: readonly Peer[] | undefined;
}

type Peer = Decoded<networkingv1.NetworkPolicyPeer>;

interface RuleDirection {
  /** `ingress` or `egress`. */
  readonly member: string;
  /** Title of the peers: `From` or `To`. */
  readonly word: string;
  /** Whether the policy is about this direction. */
  readonly isAffected: boolean;
}

const margin = '    ';

function writeDirection(report: Report, rules: readonly PolicyRule[], { member, word, isAffected }: RuleDirection): void {
  report.line(1, isAffected ? `Allowing ${member} traffic:` : `Not affecting ${member} traffic`);
  if (!isAffected) return;
  if (rules.length === 0) {
    report.line(0, `${margin}<none> (Selected pods are isolated for ${member} connectivity)`);
    return;
  }
  for (const [index, { ports = [], peers = [] }] of rules.entries()) {
    writePorts(report, ports);
    if (peers.length === 0)
      report.line(0, `${margin}${word}: <any> (traffic not restricted by ${word === 'From' ? 'source' : 'destination'})`);
    for (const peer of peers) {
      report.line(0, `${margin}${word}:`);
      writePeer(report, peer);
    }
    if (index < rules.length - 1) report.line(0, `${margin}----------`);
  }
}

function writePorts(report: Report, ports: readonly Decoded<networkingv1.NetworkPolicyPort>[]): void {
  if (ports.length === 0) report.line(0, `${margin}To Port: <any> (traffic allowed to all ports)`);
  for (const { port, endPort, protocol = 'TCP' } of ports) {
    const text = endPort === undefined ? `To Port: ${port ?? '<nil>'}/${protocol}` : `To Port Range: ${port ?? ''}-${endPort}/${protocol}`;
    report.line(0, margin + text);
  }
}

function writePeer(report: Report, { namespaceSelector, podSelector, ipBlock }: Peer): void {
  if (namespaceSelector) report.line(1, `${margin}NamespaceSelector: ${formatLabelSelector(namespaceSelector, '<none>')}`);
  if (podSelector) report.line(1, `${margin}PodSelector: ${formatLabelSelector(podSelector, '<none>')}`);
  if (ipBlock) {
    report.line(1, `${margin}IPBlock:`);
    report.line(2, `${margin}CIDR: ${ipBlock.cidr ?? ''}`);
    report.line(2, `${margin}Except: ${(ipBlock.except ?? []).join(', ')}`);
  }
}

const serviceCidr: Describer = ({ report, object }) => {
  const { metadata = {}, spec, status }: Decoded<networkingv1.ServiceCIDR> = object;
  report.line(0, 'Name:', metadata.name);
  writeLabels(report, 'Labels', metadata.labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  report.line(0, 'CIDRs:', spec?.cidrs?.join(', '));
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) report.line(0, 'Status:');
  writeConditions(report, conditions);
};

const ipAddress: Describer = ({ report, object }) => {
  const { metadata = {}, spec }: Decoded<networkingv1.IPAddress> = object;
  report.line(0, 'Name:', metadata.name);
  writeLabels(report, 'Labels', metadata.labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  const parent = spec?.parentRef;
  if (!parent) return;
  report.line(0, 'Parent Reference:');
  report.line(1, 'Group:', parent.group);
  report.line(1, 'Resource:', parent.resource);
  report.line(1, 'Namespace:', parent.namespace);
  report.line(1, 'Name:', parent.name);
};

export const network: Readonly<Record<string, Describer>> = {
  '/Service': service,
  '/Endpoints': endpoints,
  'discovery.k8s.io/EndpointSlice': endpointSlice,
  'networking.k8s.io/Ingress': ingress,
  'networking.k8s.io/IngressClass': ingressClass,
  'networking.k8s.io/NetworkPolicy': networkPolicy,
  'networking.k8s.io/ServiceCIDR': serviceCidr,
  'networking.k8s.io/IPAddress': ipAddress,
};
