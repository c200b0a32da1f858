import { formatHumanDuration, formatLabelSelector, goQuote, type JsonObject, recordAt } from '../../meta/index.ts';
import type { autoscalingv2, certificatesv1, policyv1, rbacv1, schedulingv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { metadataOf, nameOf } from '../resources/info.ts';
import { readCertificateRequest } from './certificate-request.ts';
import type { Describer } from './describers.ts';
import { toRuleRows } from './rbac-rules.ts';
import { formatLabels, formatTime, type Report, textIn, writeAnnotations, writeHead, writeLabels } from './report.ts';

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

function writeMetric(report: Report, metric: JsonObject, current: JsonObject): void {
  const members: Readonly<Record<string, string>> = {
    External: 'external',
    Pods: 'pods',
    Object: 'object',
    Resource: 'resource',
    ContainerResource: 'containerResource',
  };
  const type = textIn(metric, 'type');
  const member = members[type];
  if (member === undefined) {
    report.line(1, `<unknown metric type ${goQuote(type)}>`);
    return;
  }
  const source = recordAt(metric, member);
  const target = recordAt(source, 'target');
  const found = current[member] === undefined ? undefined : recordAt(recordAt(current, member), 'current');
  // Go prints a quantity that is not set as <nil>.
  const now = (of: string): string => (found ? textIn(found, of, '<nil>') : '<unknown>');
  const wanted = (of: string): string => textIn(target, of, '<nil>');
  const average = target['averageValue'] !== undefined;
  const name = textIn(recordAt(source, 'metric'), 'name');
  if (type === 'Pods') {
    report.line(1, `${goQuote(name)} on pods:`, `${now('averageValue')} / ${wanted('averageValue')}`);
  } else if (type === 'External') {
    const shown = average ? textIn(found, 'averageValue', '<unknown>') : now('value');
    report.line(
      1,
      `${goQuote(name)} (target ${average ? 'average ' : ''}value):`,
      `${shown} / ${wanted(average ? 'averageValue' : 'value')}`,
    );
  } else if (type === 'Object') {
    const described = recordAt(source, 'describedObject');
    const where = `on ${textIn(described, 'kind')}/${textIn(described, 'name')}`;
    const isAverage = target['type'] === 'AverageValue';
    const value = isAverage ? 'averageValue' : 'value';
    report.line(1, `"${name}" ${where} (target ${isAverage ? 'average ' : ''}value):`, `${now(value)} / ${wanted(value)}`);
  } else {
    const container = type === 'ContainerResource' ? ` of container "${textIn(source, 'container')}"` : '';
    const what = `resource ${textIn(source, 'name')}${container} on pods`;
    const used = textIn(found, 'averageUtilization') === '' ? '<unknown>' : `${now('averageUtilization')}% (${now('averageValue')})`;
    const percentage = target['averageUtilization'] === undefined ? '<auto>' : `${wanted('averageUtilization')}%`;
    if (average) report.line(1, `${what}:`, `${now('averageValue')} / ${wanted('averageValue')}`);
    else report.line(1, `${what}  (as a percentage of request):`, `${used} / ${percentage}`);
  }
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
