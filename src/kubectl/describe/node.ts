import {
  addQuantities,
  canonicalQuantity,
  formatHumanDuration,
  type JsonObject,
  objectsAt,
  parseQuantity,
  type Quantity,
  quantityInteger,
  recordAt,
} from '../../meta/index.ts';
import { isStatus, messageOf } from '../program/errors.ts';
import { itemsOf, metadataOf, nameOf, textsOf } from '../resources/info.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { formatTime, type Report, textIn, textsIn, writeAnnotations, writeLabels } from './report.ts';

const rolePrefix = 'node-role.kubernetes.io/';

const node: Describer = async (subject) => {
  const { report, object } = subject;
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const labels = textsOf(metadataOf(object)['labels']);
  const roles = Object.keys(labels)
    .flatMap((label) =>
      label.startsWith(rolePrefix) ? [label.slice(rolePrefix.length)] : label === 'kubernetes.io/role' ? [labels[label] ?? ''] : [],
    )
    .filter((one) => one !== '')
    .sort();
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Roles:', [...new Set(roles)].join(',') || '<none>');
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'CreationTimestamp:', formatTime(metadataOf(object)['creationTimestamp']));
  writeTaints(report, objectsAt(spec, 'taints'));
  report.line(0, 'Unschedulable:', spec['unschedulable'] === true);
  await writeLease(subject);
  writeConditions(report, objectsAt(status, 'conditions'));
  report.line(0, 'Addresses:');
  for (const one of objectsAt(status, 'addresses')) report.line(1, `${textIn(one, 'type')}:`, textIn(one, 'address'));
  for (const [title, member] of [
    ['Capacity', 'capacity'],
    ['Allocatable', 'allocatable'],
  ] as const) {
    const amounts = textsOf(status[member]);
    if (Object.keys(amounts).length > 0) report.line(0, `${title}:`);
    for (const name of Object.keys(amounts).sort()) report.line(1, `${name}:`, String(amounts[name]));
  }
  const about = recordAt(status, 'nodeInfo');
  report.line(0, 'System Info:');
  for (const [title, member] of systemInfo) report.line(1, `${title}:`, textIn(about, member));
  if (textIn(spec, 'podCIDR') !== '') report.line(0, 'PodCIDR:', textIn(spec, 'podCIDR'));
  if (textsIn(spec, 'podCIDRs').length > 0) report.line(0, 'PodCIDRs:', textsIn(spec, 'podCIDRs').join(','));
  if (textIn(spec, 'providerID') !== '') report.line(0, 'ProviderID:', textIn(spec, 'providerID'));
  await writePods(subject, status);
};

const systemInfo = [
  ['Machine ID', 'machineID'],
  ['System UUID', 'systemUUID'],
  ['Boot ID', 'bootID'],
  ['Kernel Version', 'kernelVersion'],
  ['OS Image', 'osImage'],
  ['Operating System', 'operatingSystem'],
  ['Architecture', 'architecture'],
  ['Container Runtime Version', 'containerRuntimeVersion'],
  ['Kubelet Version', 'kubeletVersion'],
  ['Kube-Proxy Version', 'kubeProxyVersion'],
] as const;

function writeTaints(report: Report, taints: readonly JsonObject[]): void {
  if (taints.length === 0) {
    report.line(0, 'Taints:', '<none>');
    return;
  }
  const key = (one: JsonObject): string => `${textIn(one, 'effect')},${textIn(one, 'key')}`;
  const sorted = [...taints].sort((left, right) => (key(left) < key(right) ? -1 : 1));
  for (const [index, one] of sorted.entries()) {
    const value = textIn(one, 'value');
    report.line(0, index === 0 ? 'Taints:' : '', `${textIn(one, 'key')}${value === '' ? '' : `=${value}`}:${textIn(one, 'effect')}`);
  }
}

async function writeLease({ call, object, report }: DescribeInput): Promise<void> {
  const client = await call.api();
  try {
    const lease = await client.read(
      'GET',
      `/apis/coordination.k8s.io/v1/namespaces/${call.product.names.nodeLeaseNamespace}/leases/${nameOf(object)}`,
    );
    const spec = recordAt(lease, 'spec');
    const time = (member: string): string => (spec[member] === undefined ? '<unset>' : formatTime(spec[member]));
    report.line(0, 'Lease:');
    report.line(1, 'HolderIdentity:', textIn(spec, 'holderIdentity', '<unset>'));
    report.line(1, 'AcquireTime:', time('acquireTime'));
    report.line(1, 'RenewTime:', time('renewTime'));
  } catch (error) {
    report.line(0, 'Lease:', `Failed to get lease: ${messageOf(error)}`);
  }
}

function writeConditions(report: Report, conditions: readonly JsonObject[]): void {
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message');
  report.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const one of conditions) {
    const times = ['lastHeartbeatTime', 'lastTransitionTime'].map((member) => `${formatTime(one[member])} `);
    report.line(1, `${textIn(one, 'type')} `, `${textIn(one, 'status')} `, ...times, `${textIn(one, 'reason')} `, textIn(one, 'message'));
  }
}

const zero = parseQuantity('0');

function amountsOf(pod: JsonObject, member: 'requests' | 'limits'): Map<string, Quantity> {
  const sum = new Map<string, Quantity>();
  for (const container of objectsAt(recordAt(pod, 'spec'), 'containers')) {
    const amounts = textsOf(recordAt(container, 'resources')[member]);
    for (const name of Object.keys(amounts)) sum.set(name, addQuantities(sum.get(name) ?? zero, parseQuantity(String(amounts[name]))));
  }
  return sum;
}

async function writePods({ call, object, report }: DescribeInput, status: JsonObject): Promise<void> {
  const client = await call.api();
  const query = { fieldSelector: `spec.nodeName=${nameOf(object)},status.phase!=Failed,status.phase!=Succeeded`, limit: '500' };
  const list = await client.read('GET', '/api/v1/pods', { query }).catch((error: unknown) => {
    if (isStatus(error, 'Forbidden')) return undefined;
    throw error;
  });
  if (!list) return report.line(0, 'Pods:', 'not authorized');
  const pods = itemsOf(list);
  const capacity = textsOf(Object.keys(recordAt(status, 'allocatable')).length > 0 ? status['allocatable'] : status['capacity']);
  const share = (name: string, amount: Quantity): string => {
    const whole = quantityInteger(parseQuantity(capacity[name] ?? '0'), -3);
    return `${canonicalQuantity(amount)} (${whole === 0n ? 0 : Number((quantityInteger(amount, -3) * 100n) / whole)}%)`;
  };
  report.line(0, 'Non-terminated Pods:', `(${pods.length} in total)`);
  report.line(1, 'Namespace', 'Name', '', 'CPU Requests', 'CPU Limits', 'Memory Requests', 'Memory Limits', 'Age');
  report.line(1, '---------', '----', '', '------------', '----------', '---------------', '-------------', '---');
  const totals = { requests: new Map<string, Quantity>(), limits: new Map<string, Quantity>() };
  for (const pod of pods) {
    const [requests, limits] = [amountsOf(pod, 'requests'), amountsOf(pod, 'limits')];
    for (const [name, amount] of requests) totals.requests.set(name, addQuantities(totals.requests.get(name) ?? zero, amount));
    for (const [name, amount] of limits) totals.limits.set(name, addQuantities(totals.limits.get(name) ?? zero, amount));
    const cells = (['cpu', 'memory'] as const).flatMap((name) => [
      share(name, requests.get(name) ?? zero),
      share(name, limits.get(name) ?? zero),
    ]);
    const age = formatHumanDuration(report.nowMs - Date.parse(textIn(metadataOf(pod), 'creationTimestamp')));
    report.line(1, textIn(metadataOf(pod), 'namespace'), nameOf(pod), '', ...cells, age);
  }
  report.line(0, 'Allocated resources:');
  report.line(1, '(Total limits may be over 100 percent, i.e., overcommitted.)');
  report.line(1, 'Resource', 'Requests', 'Limits');
  report.line(1, '--------', '--------', '------');
  const names = Object.keys(capacity).sort();
  for (const name of ['cpu', 'memory', 'ephemeral-storage', ...names.filter(isHugePages)])
    report.line(1, name, share(name, totals.requests.get(name) ?? zero), share(name, totals.limits.get(name) ?? zero));
  for (const name of names.filter((one) => !standardResources.has(one) && !isHugePages(one)))
    report.line(1, name, canonicalQuantity(totals.requests.get(name) ?? zero), canonicalQuantity(totals.limits.get(name) ?? zero));
}

const standardResources: ReadonlySet<string> = new Set(['cpu', 'ephemeral-storage', 'memory', 'pods']);

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

export const nodes: Readonly<Record<string, Describer>> = { '/Node': node };
