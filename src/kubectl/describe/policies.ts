import { formatHumanDuration, formatLabelSelector, goQuote, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
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
  for (const row of toRuleRows(objectsAt(object, 'rules'))) report.line(1, row.resource, row.url, row.name, row.verbs);
  return false;
};

const binding: Describer = ({ report, object }) => {
  const reference = recordAt(object, 'roleRef');
  report.line(0, 'Name:', nameOf(object));
  writeLabels(report, 'Labels', metadataOf(object)['labels']);
  writeAnnotations(report, 'Annotations', metadataOf(object)['annotations']);
  report.line(0, 'Role:');
  report.line(1, 'Kind:', textIn(reference, 'kind'));
  report.line(1, 'Name:', textIn(reference, 'name'));
  report.line(0, 'Subjects:');
  report.line(1, 'Kind', 'Name', 'Namespace');
  report.line(1, '----', '----', '---------');
  for (const one of objectsAt(object, 'subjects')) report.line(1, textIn(one, 'kind'), textIn(one, 'name'), textIn(one, 'namespace'));
  return false;
};

const disruptionBudget: Describer = ({ report, object }) => {
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Namespace:', textIn(metadataOf(object), 'namespace'));
  if (spec['minAvailable'] !== undefined) report.line(0, 'Min available:', textIn(spec, 'minAvailable'));
  else if (spec['maxUnavailable'] !== undefined) report.line(0, 'Max unavailable:', textIn(spec, 'maxUnavailable'));
  report.line(0, 'Selector:', spec['selector'] === undefined ? '<unset>' : formatLabelSelector(spec['selector'], '<none>'));
  report.line(0, 'Status:');
  for (const [title, member] of [
    ['Allowed disruptions', 'disruptionsAllowed'],
    ['Current', 'currentHealthy'],
    ['Desired', 'desiredHealthy'],
    ['Total', 'expectedPods'],
  ] as const) {
    report.line(2, `${title}:`, textIn(status, member, '0'));
  }
};

const priorityClass: Describer = ({ report, object }) => {
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Value:', textIn(object, 'value', '0'));
  report.line(0, 'GlobalDefault:', object['globalDefault'] === true);
  report.line(0, 'PreemptionPolicy:', textIn(object, 'preemptionPolicy'));
  report.line(0, 'Description:', textIn(object, 'description'));
  report.line(0, 'Annotations:', formatLabels(metadataOf(object)['annotations']));
};

const autoscaler: Describer = ({ report, object }) => {
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const target = recordAt(spec, 'scaleTargetRef');
  writeHead(report, object);
  report.line(0, 'CreationTimestamp:', formatTime(metadataOf(object)['creationTimestamp']));
  report.line(0, 'Reference:', `${textIn(target, 'kind')}/${textIn(target, 'name')}`);
  report.line(0, 'Metrics:', '( current / target )');
  const current = objectsAt(status, 'currentMetrics');
  for (const [index, metric] of objectsAt(spec, 'metrics').entries()) writeMetric(report, metric, current[index] ?? {});
  report.line(0, 'Min replicas:', textIn(spec, 'minReplicas', '<unset>'));
  report.line(0, 'Max replicas:', textIn(spec, 'maxReplicas'));
  const behavior = recordAt(spec, 'behavior');
  if (spec['behavior'] !== undefined) report.line(0, 'Behavior:');
  for (const [title, member] of [
    ['Scale Up', 'scaleUp'],
    ['Scale Down', 'scaleDown'],
  ] as const)
    if (behavior[member] !== undefined) writeBehavior(report, title, recordAt(behavior, member));
  report.line(
    0,
    `${textIn(target, 'kind')} pods:`,
    `${textIn(status, 'currentReplicas', '0')} current / ${textIn(status, 'desiredReplicas', '0')} desired`,
  );
  const conditions = objectsAt(status, 'conditions');
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'Reason', 'Message');
  report.line(1, '----', '------', '------', '-------');
  for (const one of conditions) report.line(1, textIn(one, 'type'), textIn(one, 'status'), textIn(one, 'reason'), textIn(one, 'message'));
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

function writeBehavior(report: Report, title: string, rules: JsonObject): void {
  report.line(1, `${title}:`);
  if (rules['stabilizationWindowSeconds'] !== undefined)
    report.line(2, `Stabilization Window: ${textIn(rules, 'stabilizationWindowSeconds', '0')} seconds`);
  const policies = objectsAt(rules, 'policies');
  if (policies.length === 0) return;
  report.line(2, `Select Policy: ${textIn(rules, 'selectPolicy', 'Max')}`);
  report.line(2, 'Policies:');
  for (const one of policies)
    report.line(3, `- Type: ${textIn(one, 'type')}`, `Value: ${textIn(one, 'value')}`, `Period: ${textIn(one, 'periodSeconds')} seconds`);
}

const signingRequest: Describer = ({ report, object }) => {
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  report.line(0, 'Name:', nameOf(object));
  report.line(0, 'Labels:', formatLabels(metadataOf(object)['labels']));
  report.line(0, 'Annotations:', formatLabels(metadataOf(object)['annotations']));
  report.line(0, 'CreationTimestamp:', formatTime(metadataOf(object)['creationTimestamp']));
  report.line(0, 'Requesting User:', textIn(spec, 'username'));
  if (textIn(spec, 'signerName') !== '') report.line(0, 'Signer:', textIn(spec, 'signerName'));
  if (spec['expirationSeconds'] !== undefined)
    report.line(0, 'Requested Duration:', formatHumanDuration(Number(spec['expirationSeconds']) * 1000));
  report.line(0, 'Status:', requestStatus(status));
  const request = readCertificateRequest(textIn(spec, 'request'));
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

function requestStatus(status: JsonObject): string {
  const types = objectsAt(status, 'conditions').map((one) => textIn(one, 'type'));
  const decided = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  return decided + (types.includes('Failed') ? ',Failed' : '') + (textIn(status, 'certificate') === '' ? '' : ',Issued');
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
