import { formatHumanDuration, formatLabelSelector, goQuote } from '../../meta/index.ts';
import type { autoscalingv2, certificatesv1, policyv1, rbacv1, schedulingv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { metadataOf, nameOf } from '../resources/info.ts';
import { readCertificateRequest } from './certificate-request.ts';
import type { Describer } from './describers.ts';
import { toRuleRows } from './rbac-rules.ts';
import { formatLabels, formatTime, type Report, writeAnnotations, writeHead, writeLabels } from './report.ts';

const role: Describer = ({ report, object }) => {
  report.line(0, 'Name:', nameOf(object));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'PolicyRule:');
  report.line(1, 'Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs');
  report.line(1, '---------', '-----------------', '--------------', '-----');
  const { rules }: Decoded<rbacv1.ClusterRole> = object;
  for (const row of toRuleRows(rules ?? [])) report.line(1, row.resource, row.url, row.name, row.verbs);
  return false;
};

const binding: Describer = ({ report, object }) => {
  const { roleRef, subjects = [] }: Decoded<rbacv1.ClusterRoleBinding> = object;
  report.line(0, 'Name:', nameOf(object));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'Role:');
  report.line(1, 'Kind:', roleRef?.kind);
  report.line(1, 'Name:', roleRef?.name);
  report.line(0, 'Subjects:');
  report.line(1, 'Kind', 'Name', 'Namespace');
  report.line(1, '----', '----', '---------');
  for (const { kind, name, namespace } of subjects) report.line(1, kind, name, namespace);
  return false;
};

const disruptionBudget: Describer = ({ report, object }) => {
  const { metadata, spec = {}, status = {} }: Decoded<policyv1.PodDisruptionBudget> = object;
  report.line(0, 'Name:', metadata?.name);
  report.line(0, 'Namespace:', metadata?.namespace);
  if (spec.minAvailable !== undefined) report.line(0, 'Min available:', spec.minAvailable);
  else if (spec.maxUnavailable !== undefined) report.line(0, 'Max unavailable:', spec.maxUnavailable);
  report.line(0, 'Selector:', spec.selector ? formatLabelSelector(spec.selector, '<none>') : '<unset>');
  report.line(0, 'Status:');
  report.line(2, 'Allowed disruptions:', status.disruptionsAllowed ?? 0);
  report.line(2, 'Current:', status.currentHealthy ?? 0);
  report.line(2, 'Desired:', status.desiredHealthy ?? 0);
  report.line(2, 'Total:', status.expectedPods ?? 0);
};

const priorityClass: Describer = ({ report, object }) => {
  const { metadata, value = 0, globalDefault = false, preemptionPolicy, description }: Decoded<schedulingv1.PriorityClass> = object;
  report.line(0, 'Name:', metadata?.name);
  report.line(0, 'Value:', value);
  report.line(0, 'GlobalDefault:', globalDefault);
  report.line(0, 'PreemptionPolicy:', preemptionPolicy);
  report.line(0, 'Description:', description);
  report.line(0, 'Annotations:', formatLabels(metadata?.annotations));
};

const autoscaler: Describer = ({ report, object }) => {
  const { metadata, spec = {}, status = {} }: Decoded<autoscalingv2.HorizontalPodAutoscaler> = object;
  const { kind = '', name = '' } = spec.scaleTargetRef ?? {};
  writeHead(report, object);
  report.line(0, 'CreationTimestamp:', formatTime(metadata?.creationTimestamp));
  report.line(0, 'Reference:', `${kind}/${name}`);
  report.line(0, 'Metrics:', '( current / target )');
  for (const [index, metric] of (spec.metrics ?? []).entries()) writeMetric(report, metric, status.currentMetrics?.[index] ?? {});
  report.line(0, 'Min replicas:', spec.minReplicas ?? '<unset>');
  report.line(0, 'Max replicas:', spec.maxReplicas);
  if (spec.behavior) report.line(0, 'Behavior:');
  const { scaleUp, scaleDown } = spec.behavior ?? {};
  if (scaleUp) writeBehavior(report, 'Scale Up', scaleUp);
  if (scaleDown) writeBehavior(report, 'Scale Down', scaleDown);
  report.line(0, `${kind} pods:`, `${status.currentReplicas ?? 0} current / ${status.desiredReplicas ?? 0} desired`);
  const conditions = status.conditions ?? [];
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'Reason', 'Message');
  report.line(1, '----', '------', '------', '-------');
  for (const { type, status: state, reason, message } of conditions) report.line(1, type, state, reason, message);
};

type Metric = Decoded<autoscalingv2.MetricSpec>;
type CurrentMetric = Decoded<autoscalingv2.MetricStatus>;
type Target = Decoded<autoscalingv2.MetricTarget>;
type ObservedMetric = Decoded<Pick<autoscalingv2.ExternalMetricStatus, 'current'>>;
type MetricRow = readonly [title: string, values: string];

/** Go prints a quantity that is not set as <nil>. */
const formatQuantity = (value: string | number | undefined): string => (value === undefined || value === '' ? '<nil>' : String(value));

function currentValue(status: ObservedMetric | undefined, of: 'value' | 'averageValue'): string {
  return status ? formatQuantity(status.current?.[of]) : '<unknown>';
}

const metricRows: ReadonlyMap<string, (metric: Metric, current: CurrentMetric) => MetricRow> = new Map([
  [
    'Pods',
    ({ pods = {} }, current) => [
      `${goQuote(pods.metric?.name ?? '')} on pods:`,
      `${currentValue(current.pods, 'averageValue')} / ${formatQuantity(pods.target?.averageValue)}`,
    ],
  ],
  ['External', externalMetricRow],
  [
    'Object',
    ({ object: { metric, target, describedObject } = {} }, current) => {
      const [of, average] = target?.type === 'AverageValue' ? (['averageValue', 'average '] as const) : (['value', ''] as const);
      const where = `on ${describedObject?.kind ?? ''}/${describedObject?.name ?? ''}`;
      return [
        `"${metric?.name ?? ''}" ${where} (target ${average}value):`,
        `${currentValue(current.object, of)} / ${formatQuantity(target?.[of])}`,
      ];
    },
  ],
  ['Resource', ({ resource }, current) => usageRow(`resource ${resource?.name ?? ''} on pods`, resource?.target ?? {}, current.resource)],
  [
    'ContainerResource',
    ({ containerResource: { name = '', container = '', target = {} } = {} }, current) =>
      usageRow(`resource ${name} of container "${container}" on pods`, target, current.containerResource),
  ],
]);

function externalMetricRow({ external: { metric, target } = {} }: Metric, { external: current }: CurrentMetric): MetricRow {
  const name = goQuote(metric?.name ?? '');
  if (target?.averageValue === undefined) {
    return [`${name} (target value):`, `${currentValue(current, 'value')} / ${formatQuantity(target?.value)}`];
  }
  return [`${name} (target average value):`, `${current?.current?.averageValue || '<unknown>'} / ${formatQuantity(target.averageValue)}`];
}

/** Usage of a resource, in its unit or as a percentage of the requests. */
function usageRow(what: string, target: Target, status: ObservedMetric | undefined): MetricRow {
  const average = currentValue(status, 'averageValue');
  if (target.averageValue !== undefined) return [`${what}:`, `${average} / ${formatQuantity(target.averageValue)}`];
  const utilization = status?.current?.averageUtilization;
  const used = utilization === undefined ? '<unknown>' : `${utilization}% (${average})`;
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`;
  return [`${what}  (as a percentage of request):`, `${used} / ${wanted}`];
}

function writeMetric(report: Report, metric: Metric, current: CurrentMetric): void {
  const row = metricRows.get(metric.type ?? '');
  if (row) report.line(1, ...row(metric, current));
  else report.line(1, `<unknown metric type ${goQuote(metric.type ?? '')}>`);
}

function writeBehavior(report: Report, title: string, rules: Decoded<autoscalingv2.HPAScalingRules>): void {
  report.line(1, `${title}:`);
  const { stabilizationWindowSeconds, policies = [], selectPolicy } = rules;
  if (stabilizationWindowSeconds !== undefined) report.line(2, `Stabilization Window: ${stabilizationWindowSeconds} seconds`);
  if (policies.length === 0) return;
  report.line(2, `Select Policy: ${selectPolicy || 'Max'}`);
  report.line(2, 'Policies:');
  for (const { type = '', value = '', periodSeconds = '' } of policies)
    report.line(3, `- Type: ${type}`, `Value: ${value}`, `Period: ${periodSeconds} seconds`);
}

const signingRequest: Describer = ({ report, object }) => {
  const { metadata, spec = {}, status }: Decoded<certificatesv1.CertificateSigningRequest> = object;
  report.line(0, 'Name:', metadata?.name);
  report.line(0, 'Labels:', formatLabels(metadata?.labels));
  report.line(0, 'Annotations:', formatLabels(metadata?.annotations));
  report.line(0, 'CreationTimestamp:', formatTime(metadata?.creationTimestamp));
  report.line(0, 'Requesting User:', spec.username);
  report.optional(0, 'Signer:', spec.signerName);
  if (spec.expirationSeconds !== undefined) report.line(0, 'Requested Duration:', formatHumanDuration(spec.expirationSeconds * 1000));
  report.line(0, 'Status:', requestStatus(status));
  const request = readCertificateRequest(spec.request ?? '');
  report.line(0, 'Subject:');
  report.line(0, '', 'Common Name:', request.subject('commonName')[0] ?? '');
  report.line(0, '', 'Serial Number:', request.subject('serialNumber')[0] ?? '');
  for (const [title, member] of [
    ['Organization', 'organization'],
    ['Organizational Unit', 'organizationalUnit'],
    ['Country', 'country'],
    ['Locality', 'locality'],
    ['Province', 'province'],
  ] as const) {
    const values = request.subject(member);
    if (values.length > 0) report.line(0, '', `${title}:`, values.join('\n\t\t'));
  }
};

function requestStatus({ conditions = [], certificate }: Decoded<certificatesv1.CertificateSigningRequestStatus> = {}): string {
  const types = conditions.map(({ type }) => type);
  const decided = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  return decided + (types.includes('Failed') ? ',Failed' : '') + (certificate ? ',Issued' : '');
}

export const policies: Readonly<Record<string, Describer>> = {
  'rbac.authorization.k8s.io/Role': role,
  'rbac.authorization.k8s.io/ClusterRole': role,
  'rbac.authorization.k8s.io/RoleBinding': binding,
  'rbac.authorization.k8s.io/ClusterRoleBinding': binding,
  'policy/PodDisruptionBudget': disruptionBudget,
  'scheduling.k8s.io/PriorityClass': priorityClass,
  'autoscaling/HorizontalPodAutoscaler': autoscaler,
  'certificates.k8s.io/CertificateSigningRequest': signingRequest,
};
