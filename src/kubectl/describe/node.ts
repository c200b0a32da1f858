import { addQuantities, canonicalQuantity, formatHumanDuration, parseQuantity, type Quantity, quantityInteger } from '../../meta/index.ts';
import type { coordinationv1, corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { isStatus, messageOf } from '../program/errors.ts';
import { itemsOf, nameOf } from '../resources/info.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { formatTime, type Report, writeAnnotations, writeLabels } from './report.ts';

const rolePrefix = 'node-role.kubernetes.io/';

const node: Describer = async (subject) => {
  const { report, object } = subject;
  const { metadata = {}, spec = {}, status = {} }: Decoded<corev1.Node> = object;
  const { labels = {} } = metadata;
  const roles = Object.keys(labels)
    .flatMap((label) =>
      label.startsWith(rolePrefix) ? [label.slice(rolePrefix.length)] : label === 'kubernetes.io/role' ? [labels[label] ?? ''] : [],
    )
    .filter((one) => one !== '')
    .sort();
  report.line(0, 'Name:', metadata.name);
  report.line(0, 'Roles:', [...new Set(roles)].join(',') || '<none>');
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  report.line(0, 'CreationTimestamp:', formatTime(metadata.creationTimestamp));
  writeTaints(report, spec.taints);
  report.line(0, 'Unschedulable:', spec.unschedulable ?? false);
  await writeLease(subject);
  writeConditions(report, status.conditions);
  report.line(0, 'Addresses:');
  for (const { type = '', address } of status.addresses ?? []) report.line(1, `${type}:`, address);
  for (const [title, member] of [
    ['Capacity', 'capacity'],
    ['Allocatable', 'allocatable'],
  ] as const) {
    const amounts = status[member] ?? {};
    if (Object.keys(amounts).length > 0) report.line(0, `${title}:`);
    for (const name of Object.keys(amounts).sort()) report.line(1, `${name}:`, String(amounts[name]));
  }
  report.line(0, 'System Info:');
  for (const [title, member] of systemInfo) report.line(1, `${title}:`, status.nodeInfo?.[member]);
  report.optional(0, 'PodCIDR:', spec.podCIDR);
  report.optional(0, 'PodCIDRs:', spec.podCIDRs?.join());
  report.optional(0, 'ProviderID:', spec.providerID);
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

function writeTaints(report: Report, taints: readonly Decoded<corev1.Taint>[] = []): void {
  if (taints.length === 0) {
    report.line(0, 'Taints:', '<none>');
    return;
  }
  const order = ({ effect = '', key = '' }: Decoded<corev1.Taint>): string => `${effect},${key}`;
  const sorted = taints.toSorted((left, right) => (order(left) < order(right) ? -1 : 1));
  for (const [index, { key = '', value, effect = '' }] of sorted.entries())
    report.line(0, index === 0 ? 'Taints:' : '', `${key}${value ? `=${value}` : ''}:${effect}`);
}

async function writeLease({ call, object, report }: DescribeInput): Promise<void> {
  const client = await call.api();
  try {
    const { spec = {} }: Decoded<coordinationv1.Lease> = await client.read(
      'GET',
      `/apis/coordination.k8s.io/v1/namespaces/${call.product.names.nodeLeaseNamespace}/leases/${nameOf(object)}`,
    );
    const timeText = (time: string | undefined): string => (time ? formatTime(time) : '<unset>');
    report.line(0, 'Lease:');
    report.line(1, 'HolderIdentity:', spec.holderIdentity || '<unset>');
    report.line(1, 'AcquireTime:', timeText(spec.acquireTime));
    report.line(1, 'RenewTime:', timeText(spec.renewTime));
  } catch (error) {
    report.line(0, 'Lease:', `Failed to get lease: ${messageOf(error)}`);
  }
}

function writeConditions(report: Report, conditions: readonly Decoded<corev1.NodeCondition>[] = []): void {
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message');
  report.line(1, '----', '------', '-----------------', '------------------', '------', '-------');
  for (const { type = '', status = '', lastHeartbeatTime, lastTransitionTime, reason = '', message } of conditions) {
    const times = [lastHeartbeatTime, lastTransitionTime].map((time) => `${formatTime(time)} `);
    report.line(1, `${type} `, `${status} `, ...times, `${reason} `, message);
  }
}

const zero = parseQuantity('0');

function amountsOf({ spec }: Decoded<corev1.Pod>, member: 'requests' | 'limits'): Map<string, Quantity> {
  const sum = new Map<string, Quantity>();
  for (const { resources } of spec?.containers ?? []) {
    const amounts = resources?.[member] ?? {};
    for (const name of Object.keys(amounts)) sum.set(name, addQuantities(sum.get(name) ?? zero, parseQuantity(String(amounts[name]))));
  }
  return sum;
}

async function writePods({ call, object, report }: DescribeInput, status: Decoded<corev1.NodeStatus>): Promise<void> {
  const client = await call.api();
  const query = { fieldSelector: `spec.nodeName=${nameOf(object)},status.phase!=Failed,status.phase!=Succeeded`, limit: '500' };
  const list = await client.read('GET', '/api/v1/pods', { query }).catch((error: unknown) => {
    if (isStatus(error, 'Forbidden')) return undefined;
    throw error;
  });
  if (!list) return report.line(0, 'Pods:', 'not authorized');
  const pods: readonly Decoded<corev1.Pod>[] = itemsOf(list);
  const { allocatable = {} } = status;
  const capacity = Object.keys(allocatable).length > 0 ? allocatable : (status.capacity ?? {});
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
    const age = formatHumanDuration(report.nowMs - Date.parse(pod.metadata?.creationTimestamp ?? ''));
    report.line(1, pod.metadata?.namespace, pod.metadata?.name, '', ...cells, age);
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
