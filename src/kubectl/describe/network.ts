import { formatLabelSelector, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { messageOf } from '../program/errors.ts';
import { itemsOf, metadataOf } from '../resources/info.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { formatLabels, type Report, textIn, textsIn, writeAnnotations, writeConditions, writeHead, writeLabels } from './report.ts';

async function listEndpointSlices({ call, info }: DescribeInput, service: string): Promise<readonly JsonObject[]> {
  const client = await call.api();
  const path = `/apis/discovery.k8s.io/v1/namespaces/${info.namespace}/endpointslices`;
  return itemsOf(
    await client.read('GET', path, { query: { labelSelector: `${call.product.rename('kubernetes.io/service-name')}=${service}` } }),
  );
}

/** Addresses of ready endpoints at a port: `10.0.0.1:80,10.0.0.2:80 + 3 more...`. */
function endpointsText(slices: readonly JsonObject[], portName: string): string {
  if (slices.length === 0) return '<none>';
  const found = slices.flatMap((slice) => {
    const ports = objectsAt(slice, 'ports').filter((port) => textIn(port, 'name') === portName);
    const ready = objectsAt(slice, 'endpoints').filter((one) => recordAt(one, 'conditions')['ready'] !== false);
    return ports.flatMap((port) =>
      ready.flatMap((one) =>
        textsIn(one, 'addresses')
          .map((address) => (address.includes(':') ? `[${address}]` : address))
          .map((address) => `${address}:${textIn(port, 'port')}`),
      ),
    );
  });
  return found.length > 3 ? `${found.slice(0, 3).join(',')} + ${found.length - 3} more...` : found.join(',');
}

const service: Describer = async (subject) => {
  const { report, object } = subject;
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const slices = await listEndpointSlices(subject, textIn(metadataOf(object), 'name')).catch(() => []);
  const optional = (title: string, value: string): void => {
    if (value !== '') report.line(0, title, value);
  };
  writeHead(report, object);
  report.line(0, 'Selector:', formatLabels(spec['selector']));
  report.line(0, 'Type:', textIn(spec, 'type'));
  optional('IP Family Policy:', textIn(spec, 'ipFamilyPolicy'));
  report.line(0, 'IP Families:', textsIn(spec, 'ipFamilies').join(',') || '<none>');
  report.line(0, 'IP:', textIn(spec, 'clusterIP'));
  report.line(0, 'IPs:', textsIn(spec, 'clusterIPs').join(',') || '<none>');
  optional('External IPs:', textsIn(spec, 'externalIPs').join(','));
  optional('Desired LoadBalancer IP:', textIn(spec, 'loadBalancerIP'));
  optional('External Name:', textIn(spec, 'externalName'));
  const balancers = objectsAt(recordAt(status, 'loadBalancer'), 'ingress').map((one) =>
    textIn(one, 'ip') === ''
      ? textIn(one, 'hostname')
      : `${textIn(one, 'ip')}${textIn(one, 'ipMode') === '' ? '' : ` (${textIn(one, 'ipMode')})`}`,
  );
  optional('LoadBalancer Ingress:', balancers.join(', '));
  for (const port of objectsAt(spec, 'ports')) {
    const [name, protocol] = [textIn(port, 'name', '<unset>'), textIn(port, 'protocol', 'TCP')];
    report.line(0, 'Port:', name, `${textIn(port, 'port')}/${protocol}`);
    report.line(0, 'TargetPort:', `${textIn(port, 'targetPort', '0')}/${protocol}`);
    if (Number(port['nodePort'] ?? 0) !== 0) report.line(0, 'NodePort:', name, `${textIn(port, 'nodePort')}/${protocol}`);
    report.line(0, 'Endpoints:', endpointsText(slices, textIn(port, 'name')));
  }
  report.line(0, 'Session Affinity:', textIn(spec, 'sessionAffinity'));
  optional('External Traffic Policy:', textIn(spec, 'externalTrafficPolicy'));
  optional('Internal Traffic Policy:', textIn(spec, 'internalTrafficPolicy'));
  optional('HealthCheck NodePort:', textIn(spec, 'healthCheckNodePort'));
  optional('LoadBalancer Source Ranges:', textsIn(spec, 'loadBalancerSourceRanges').join(','));
  optional('Traffic Distribution:', textIn(spec, 'trafficDistribution'));
};

const endpoints: Describer = ({ report, object }) => {
  writeHead(report, object);
  report.line(0, 'Subsets:');
  for (const subset of objectsAt(object, 'subsets')) {
    const addresses = (member: string): string =>
      objectsAt(subset, member)
        .map((one) => textIn(one, 'ip'))
        .join(',') || '<none>';
    report.line(1, 'Addresses:', addresses('addresses'));
    report.line(1, 'NotReadyAddresses:', addresses('notReadyAddresses'));
    const ports = objectsAt(subset, 'ports');
    if (ports.length > 0) {
      report.line(1, 'Ports:');
      report.line(2, 'Name', 'Port', 'Protocol');
      report.line(2, '----', '----', '--------');
      for (const port of ports) report.line(2, textIn(port, 'name', '<unset>'), textIn(port, 'port'), textIn(port, 'protocol'));
    }
    report.write(0, '\n');
  }
};

const endpointSlice: Describer = ({ report, object }) => {
  writeHead(report, object);
  report.line(0, 'AddressType:', textIn(object, 'addressType'));
  const ports = objectsAt(object, 'ports');
  report.line(0, ports.length === 0 ? 'Ports: <unset>' : 'Ports:');
  if (ports.length > 0) {
    report.line(1, 'Name', 'Port', 'Protocol');
    report.line(1, '----', '----', '--------');
    for (const port of ports) report.line(1, textIn(port, 'name', '<unset>'), textIn(port, 'port', '<unset>'), textIn(port, 'protocol'));
  }
  const all = objectsAt(object, 'endpoints');
  report.line(0, all.length === 0 ? 'Endpoints: <none>' : 'Endpoints:');
  for (const one of all) {
    report.line(1, '- Addresses:', textsIn(one, 'addresses').join(', ') || '<none>');
    report.line(2, 'Conditions:');
    report.line(3, 'Ready:', textIn(recordAt(one, 'conditions'), 'ready', '<unset>'));
    report.line(2, 'Hostname:', textIn(one, 'hostname', '<unset>'));
    const target = recordAt(one, 'targetRef');
    if (one['targetRef'] !== undefined) report.line(2, 'TargetRef:', `${textIn(target, 'kind')}/${textIn(target, 'name')}`);
    report.line(2, 'NodeName:', textIn(one, 'nodeName', '<unset>'));
    report.line(2, 'Zone:', textIn(one, 'zone', '<unset>'));
  }
};

async function backendText(subject: DescribeInput, backend: JsonObject): Promise<string> {
  const { call, info } = subject;
  if (backend['resource'] !== undefined) {
    const resource = recordAt(backend, 'resource');
    return `APIGroup: ${textIn(resource, 'apiGroup', '<none>')}, Kind: ${textIn(resource, 'kind')}, Name: ${textIn(resource, 'name')}`;
  }
  const to = recordAt(backend, 'service');
  const [name, port] = [textIn(to, 'name'), recordAt(to, 'port')];
  const shown = `${name}:${textIn(port, 'number') || textIn(port, 'name')}`;
  try {
    const slices = await listEndpointSlices(subject, name);
    const found = await (await call.api()).read('GET', `/api/v1/namespaces/${info.namespace}/services/${name}`);
    const match = objectsAt(recordAt(found, 'spec'), 'ports').find((one) =>
      port['number'] !== undefined ? one['port'] === port['number'] : textIn(one, 'name') === textIn(port, 'name'),
    );
    return `${shown} (${endpointsText(slices, textIn(match, 'name'))})`;
  } catch (error) {
    return `${shown} (<error: ${messageOf(error)}>)`;
  }
}

const ingress: Describer = async (subject) => {
  const { report, object } = subject;
  const spec = recordAt(object, 'spec');
  const { name, namespace, labels, annotations } = metadataOf(object);
  report.line(0, 'Name:', name ?? '');
  writeLabels(report, 'Labels', labels);
  report.line(0, 'Namespace:', namespace ?? '');
  const addresses = objectsAt(recordAt(recordAt(object, 'status'), 'loadBalancer'), 'ingress').map(
    (one) => textIn(one, 'ip') || textIn(one, 'hostname'),
  );
  report.line(0, 'Address:', [...new Set(addresses)].sort().join(','));
  report.line(0, 'Ingress Class:', textIn(spec, 'ingressClassName', '<none>'));
  const fallback = spec['defaultBackend'] === undefined ? '<default>' : await backendText(subject, recordAt(spec, 'defaultBackend'));
  report.line(0, 'Default backend:', fallback);
  const tls = objectsAt(spec, 'tls');
  if (tls.length > 0) report.line(0, 'TLS:');
  for (const one of tls) {
    const hosts = textsIn(one, 'hosts').join(',');
    report.line(1, textIn(one, 'secretName') === '' ? `SNI routes ${hosts}` : `${textIn(one, 'secretName')} terminates ${hosts}`);
  }
  report.line(0, 'Rules:');
  report.line(1, 'Host', 'Path', 'Backends');
  report.line(1, '----', '----', '--------');
  const rules = objectsAt(spec, 'rules').filter((rule) => rule['http'] !== undefined);
  for (const rule of rules) {
    report.line(1, textIn(rule, 'host', '*'), '');
    for (const path of objectsAt(recordAt(rule, 'http'), 'paths'))
      report.line(2, '', `${textIn(path, 'path')} `, await backendText(subject, recordAt(path, 'backend')));
  }
  if (rules.length === 0) report.line(1, '*', '*', fallback);
  writeAnnotations(report, 'Annotations', annotations);
};

const ingressClass: Describer = ({ report, object }) => {
  const spec = recordAt(object, 'spec');
  report.line(0, 'Name:', textIn(metadataOf(object), 'name'));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'Controller:', textIn(spec, 'controller'));
  if (spec['parameters'] === undefined) return;
  const parameters = recordAt(spec, 'parameters');
  report.line(0, 'Parameters:');
  if (parameters['apiGroup'] !== undefined) report.line(1, 'APIGroup:', textIn(parameters, 'apiGroup'));
  report.line(1, 'Kind:', textIn(parameters, 'kind'));
  report.line(1, 'Name:', textIn(parameters, 'name'));
};

const networkPolicy: Describer = ({ report, object }) => {
  const spec = recordAt(object, 'spec');
  const { name, namespace, labels, annotations, creationTimestamp } = metadataOf(object);
  report.line(0, 'Name:', name ?? '');
  report.line(0, 'Namespace:', namespace ?? '');
  report.line(
    0,
    'Created on:',
    `${String(creationTimestamp ?? '')
      .replace('T', ' ')
      .replace('Z', ' +0000 UTC')}`,
  );
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, 'Spec:');
  const selected = formatLabelSelector(spec['podSelector'], '');
  report.line(1, `PodSelector:     ${selected || '<none> (Allowing the specific traffic to all pods in this namespace)'}`);
  const types = textsIn(spec, 'policyTypes');
  for (const [type, member, peers, word] of [
    ['Ingress', 'ingress', 'from', 'From'],
    ['Egress', 'egress', 'to', 'To'],
  ] as const) {
    if (!types.includes(type)) report.line(1, `Not affecting ${member} traffic`);
    else {
      report.line(1, `Allowing ${member} traffic:`);
      writeRules(report, objectsAt(spec, member), { member, peers, word });
    }
  }
  report.line(1, `Policy Types: ${types.join(', ') || '<none>'}`);
  return false;
};

interface RuleDirection {
  /** `ingress` or `egress`. */
  readonly member: string;
  /** Member of a rule with its peers: `from` or `to`. */
  readonly peers: string;
  /** Title of the peers: `From` or `To`. */
  readonly word: string;
}

const margin = '    ';

function writeRules(report: Report, rules: readonly JsonObject[], { member, peers, word }: RuleDirection): void {
  if (rules.length === 0) {
    report.line(0, `${margin}<none> (Selected pods are isolated for ${member} connectivity)`);
    return;
  }
  for (const [index, rule] of rules.entries()) {
    writePorts(report, objectsAt(rule, 'ports'));
    const others = objectsAt(rule, peers);
    if (others.length === 0)
      report.line(0, `${margin}${word}: <any> (traffic not restricted by ${word === 'From' ? 'source' : 'destination'})`);
    for (const peer of others) {
      report.line(0, `${margin}${word}:`);
      writePeer(report, peer);
    }
    if (index < rules.length - 1) report.line(0, `${margin}----------`);
  }
}

function writePorts(report: Report, ports: readonly JsonObject[]): void {
  if (ports.length === 0) report.line(0, `${margin}To Port: <any> (traffic allowed to all ports)`);
  for (const port of ports) {
    const protocol = textIn(port, 'protocol', 'TCP');
    const text =
      port['endPort'] === undefined
        ? `To Port: ${textIn(port, 'port', '<nil>')}/${protocol}`
        : `To Port Range: ${textIn(port, 'port')}-${textIn(port, 'endPort')}/${protocol}`;
    report.line(0, margin + text);
  }
}

function writePeer(report: Report, peer: JsonObject): void {
  if (peer['namespaceSelector'] !== undefined)
    report.line(1, `${margin}NamespaceSelector: ${formatLabelSelector(peer['namespaceSelector'], '<none>')}`);
  if (peer['podSelector'] !== undefined) report.line(1, `${margin}PodSelector: ${formatLabelSelector(peer['podSelector'], '<none>')}`);
  if (peer['ipBlock'] !== undefined) {
    report.line(1, `${margin}IPBlock:`);
    report.line(2, `${margin}CIDR: ${textIn(recordAt(peer, 'ipBlock'), 'cidr')}`);
    report.line(2, `${margin}Except: ${textsIn(recordAt(peer, 'ipBlock'), 'except').join(', ')}`);
  }
}

const serviceCidr: Describer = ({ report, object }) => {
  report.line(0, 'Name:', textIn(metadataOf(object), 'name'));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'CIDRs:', textsIn(recordAt(object, 'spec'), 'cidrs').join(', '));
  const conditions = objectsAt(recordAt(object, 'status'), 'conditions');
  if (conditions.length > 0) report.line(0, 'Status:');
  writeConditions(report, conditions);
};

const ipAddress: Describer = ({ report, object }) => {
  report.line(0, 'Name:', textIn(metadataOf(object), 'name'));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  const parent = recordAt(recordAt(object, 'spec'), 'parentRef');
  if (recordAt(object, 'spec')['parentRef'] === undefined) return;
  report.line(0, 'Parent Reference:');
  for (const [title, member] of [
    ['Group', 'group'],
    ['Resource', 'resource'],
    ['Namespace', 'namespace'],
    ['Name', 'name'],
  ] as const)
    report.line(1, `${title}:`, textIn(parent, member));
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
