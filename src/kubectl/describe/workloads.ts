import { formatGoValue, formatHumanDuration, formatLabelSelector, type JsonObject, objectsAt, recordAt } from '../../meta/index.ts';
import { builtInResource, resourcePath } from '../api/discovery.ts';
import { itemsOf, metadataOf } from '../resources/info.ts';
import { writeContainers, writeResources } from './containers.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { qosClassOf } from './pod-qos.ts';
import { writeSpread, writeTemplate, writeTolerations } from './pod-template.ts';
import { controllerOf, formatLabels, formatTime, textIn, textsIn, writeAnnotations, writeHead, writeLabels, yesOrNo } from './report.ts';
import { writeVolumes } from './volumes.ts';

const replicaSets = builtInResource('apps/v1', 'replicasets', 'ReplicaSet');

const describePod: Describer = ({ report, object }) => {
  const [spec, status, metadata] = [recordAt(object, 'spec'), recordAt(object, 'status'), metadataOf(object)];
  const optional = (title: string, value: string): void => {
    if (value !== '') report.line(0, title, value);
  };
  report.line(0, 'Name:', textIn(metadata, 'name'));
  report.line(0, 'Namespace:', textIn(metadata, 'namespace'));
  optional('Priority:', textIn(spec, 'priority'));
  optional('Priority Class Name:', textIn(spec, 'priorityClassName'));
  optional('Runtime Class Name:', textIn(spec, 'runtimeClassName'));
  optional('Service Account:', textIn(spec, 'serviceAccountName'));
  const node = textIn(spec, 'nodeName');
  report.line(0, 'Node:', node === '' ? '<none>' : `${node}/${textIn(status, 'hostIP')}`);
  if (status['startTime'] !== undefined) report.line(0, 'Start Time:', formatTime(status['startTime']));
  writeLabels(report, 'Labels', metadata['labels']);
  writeAnnotations(report, 'Annotations', metadata['annotations']);
  const phase = textIn(status, 'phase');
  if (metadata['deletionTimestamp'] !== undefined && phase !== 'Failed' && phase !== 'Succeeded') {
    report.line(
      0,
      'Status:',
      `Terminating (lasts ${formatHumanDuration(report.nowMs - Date.parse(textIn(metadata, 'deletionTimestamp')))})`,
    );
    report.line(0, 'Termination Grace Period:', `${textIn(metadata, 'deletionGracePeriodSeconds')}s`);
  } else report.line(0, 'Status:', phase);
  optional('Reason:', textIn(status, 'reason'));
  optional('Message:', textIn(status, 'message'));
  const seccomp = recordAt(recordAt(spec, 'securityContext'), 'seccompProfile');
  optional('SeccompProfile:', textIn(seccomp, 'type'));
  if (seccomp['type'] === 'Localhost') report.line(0, 'LocalhostProfile:', textIn(seccomp, 'localhostProfile'));
  report.line(0, 'IP:', textIn(status, 'podIP'));
  const addresses = objectsAt(status, 'podIPs');
  report.line(0, ...(addresses.length === 0 ? ['IPs:', '<none>'] : ['IPs:']));
  for (const address of addresses) report.line(1, 'IP:', textIn(address, 'ip'));
  optional('Controlled By:', controllerOf(object));
  optional('NominatedNodeName:', textIn(status, 'nominatedNodeName'));
  if (spec['resources'] !== undefined) {
    report.line(0, 'Resources:');
    writeResources(report, recordAt(spec, 'resources'), 1);
  }
  writePodContainers({ report, object }, spec, status);
  writeConditionsOfPod({ report }, spec, status);
  writeVolumes(report, objectsAt(spec, 'volumes'), '');
  report.line(0, 'QoS Class:', textIn(status, 'qosClass') || qosClassOf(spec));
  writeLabels(report, 'Node-Selectors', spec['nodeSelector']);
  writeTolerations(report, 'Tolerations', objectsAt(spec, 'tolerations'));
  writeSpread(report, spec, '');
};

function writePodContainers({ report, object }: Pick<DescribeInput, 'report' | 'object'>, spec: JsonObject, status: JsonObject): void {
  const kinds = [
    ['Init Containers', 'initContainers', 'initContainerStatuses'],
    ['Containers', 'containers', 'containerStatuses'],
    ['Ephemeral Containers', 'ephemeralContainers', 'ephemeralContainerStatuses'],
  ] as const;
  for (const [label, member, statuses] of kinds) {
    const containers = objectsAt(spec, member);
    if (containers.length > 0 || member === 'containers')
      writeContainers(report, { label, containers, statuses: objectsAt(status, statuses), space: '', pod: object });
  }
}

function writeConditionsOfPod({ report }: Pick<DescribeInput, 'report'>, spec: JsonObject, status: JsonObject): void {
  const conditions = objectsAt(status, 'conditions');
  const gates = objectsAt(spec, 'readinessGates');
  if (gates.length > 0) {
    report.line(0, 'Readiness Gates:');
    report.line(1, 'Type', 'Status');
    for (const gate of gates) {
      const found = conditions.find((one) => one['type'] === gate['conditionType']);
      report.line(1, `${textIn(gate, 'conditionType')} `, `${found ? textIn(found, 'status') : '<none>'} `);
    }
  }
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status');
  for (const one of conditions) report.line(1, `${textIn(one, 'type')} `, `${textIn(one, 'status')} `);
}

function writeConditions({ report }: DescribeInput, status: JsonObject): void {
  const conditions = objectsAt(status, 'conditions');
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'Reason');
  report.line(1, '----', '------', '------');
  for (const one of conditions) report.line(1, `${textIn(one, 'type')} `, textIn(one, 'status'), textIn(one, 'reason'));
}

/** Number of pods by phase. */
async function countPodsByPhase({ call, info, object }: DescribeInput, selector: string): Promise<string> {
  const client = await call.api();
  const list = await client.read('GET', `/api/v1/namespaces/${info.namespace}/pods`, {
    query: { labelSelector: selector || undefined, limit: '500' },
  });
  const uid = metadataOf(object)['uid'];
  const own = itemsOf(list).filter((pod) =>
    objectsAt(metadataOf(pod), 'ownerReferences').some((owner) => owner['controller'] === true && owner['uid'] === uid),
  );
  const count = (phase: string): number => own.filter((pod) => recordAt(pod, 'status')['phase'] === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

const replicaSet: Describer = async (subject) => {
  const { report, object, info } = subject;
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const old = info.resource.kind === 'ReplicationController';
  const { name, namespace, labels, annotations } = metadataOf(object);
  const selector = old ? formatLabels(spec['selector']) : formatLabelSelector(spec['selector'], '<none>');
  report.line(0, 'Name:', name ?? '');
  report.line(0, 'Namespace:', namespace ?? '');
  report.line(0, 'Selector:', selector);
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  if (!old && controllerOf(object) !== '') report.line(0, 'Controlled By:', controllerOf(object));
  report.line(0, 'Replicas:', `${textIn(status, 'replicas', '0')} current / ${textIn(spec, 'replicas', '1')} desired`);
  report.line(0, 'Pods Status:', await countPodsByPhase(subject, selector));
  writeTemplate(report, recordAt(spec, 'template'));
  writeConditions(subject, status);
};

const deployment: Describer = async (subject) => {
  const { report, object } = subject;
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const { name, namespace, labels, annotations, creationTimestamp } = metadataOf(object);
  const count = (member: string): string => textIn(status, member, '0');
  report.line(0, 'Name:', name ?? '');
  report.line(0, 'Namespace:', namespace ?? '');
  report.line(0, 'CreationTimestamp:', formatTime(creationTimestamp));
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, 'Selector:', formatLabelSelector(spec['selector'], ''));
  report.line(
    0,
    'Replicas:',
    `${textIn(spec, 'replicas', '0')} desired | ${count('updatedReplicas')} updated | ${count('replicas')} total | ${count('availableReplicas')} available | ${count('unavailableReplicas')} unavailable`,
  );
  const strategy = recordAt(spec, 'strategy');
  report.line(0, 'StrategyType:', textIn(strategy, 'type'));
  report.line(0, 'MinReadySeconds:', textIn(spec, 'minReadySeconds', '0'));
  if (strategy['rollingUpdate'] !== undefined) {
    const rolling = recordAt(strategy, 'rollingUpdate');
    report.line(
      0,
      'RollingUpdateStrategy:',
      `${textIn(rolling, 'maxUnavailable')} max unavailable, ${textIn(rolling, 'maxSurge')} max surge`,
    );
  }
  writeTemplate(report, recordAt(spec, 'template'));
  writeConditions(subject, status);
  await writeReplicaSets(subject);
};

async function writeReplicaSets({ call, info, object, report }: DescribeInput): Promise<void> {
  const spec = recordAt(object, 'spec');
  const client = await call.api();
  const list = await client
    .read('GET', resourcePath(replicaSets, info.namespace), {
      query: { labelSelector: formatLabelSelector(spec['selector'], '') || undefined, limit: '500' },
    })
    .catch(() => ({}));
  const uid = metadataOf(object)['uid'];
  const own = itemsOf(list).filter((set) =>
    objectsAt(metadataOf(set), 'ownerReferences').some((owner) => owner['controller'] === true && owner['uid'] === uid),
  );
  if (own.length === 0) return;
  const wanted = templateKey(recordAt(spec, 'template'));
  const newest = own.find((set) => templateKey(recordAt(recordAt(set, 'spec'), 'template')) === wanted);
  const text = (sets: readonly JsonObject[]): string =>
    sets
      .map(
        (set) =>
          `${textIn(metadataOf(set), 'name')} (${textIn(recordAt(set, 'status'), 'replicas', '0')}/${textIn(recordAt(set, 'spec'), 'replicas', '0')} replicas created)`,
      )
      .join(', ') || '<none>';
  report.line(0, 'OldReplicaSets:', text(own.filter((set) => set !== newest)));
  report.line(0, 'NewReplicaSet:', text(newest ? [newest] : []));
}

/** A template without the hash label that the controller adds, for comparison. */
function templateKey(template: JsonObject): string {
  const { 'pod-template-hash': _, ...labels } = recordAt(metadataOf(template), 'labels');
  return JSON.stringify([labels, metadataOf(template)['annotations'] ?? {}, template['spec']]);
}

const statefulSet: Describer = async (subject) => {
  const { report, object } = subject;
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const { name, namespace, labels, annotations, creationTimestamp } = metadataOf(object);
  const selector = formatLabelSelector(spec['selector'], '');
  report.line(0, 'Name:', name ?? '');
  report.line(0, 'Namespace:', namespace ?? '');
  report.line(0, 'CreationTimestamp:', formatTime(creationTimestamp));
  report.line(0, 'Selector:', selector);
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, 'Replicas:', `${textIn(spec, 'replicas', '0')} desired | ${textIn(status, 'replicas', '0')} total`);
  const strategy = recordAt(spec, 'updateStrategy');
  report.line(0, 'Update Strategy:', textIn(strategy, 'type'));
  const rolling = recordAt(strategy, 'rollingUpdate');
  if (rolling['partition'] !== undefined) {
    report.line(1, 'Partition:', textIn(rolling, 'partition', '0'));
    if (rolling['maxUnavailable'] !== undefined) report.line(1, 'MaxUnavailable:', textIn(rolling, 'maxUnavailable'));
  }
  report.line(0, 'Pods Status:', await countPodsByPhase(subject, selector));
  writeTemplate(report, recordAt(spec, 'template'));
  writeClaims(subject, spec);
};

function writeClaims({ report }: DescribeInput, spec: JsonObject): void {
  const claims = objectsAt(spec, 'volumeClaimTemplates');
  report.line(0, ...(claims.length === 0 ? ['Volume Claims:', '<none>'] : ['Volume Claims:']));
  for (const claim of claims) {
    const wanted = recordAt(claim, 'spec');
    report.line(1, 'Name:', textIn(metadataOf(claim), 'name'));
    report.line(1, 'StorageClass:', textIn(wanted, 'storageClassName'));
    writeLabels(report, '  Labels', metadataOf(claim)['labels']);
    writeLabels(report, '  Annotations', metadataOf(claim)['annotations']);
    report.line(1, 'Capacity:', textIn(recordAt(recordAt(wanted, 'resources'), 'requests'), 'storage', '<default>'));
    report.line(1, 'Access Modes:', formatGoValue(textsIn(wanted, 'accessModes')));
  }
}

const daemonSet: Describer = async (subject) => {
  const { report, object } = subject;
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const { name, namespace, labels, annotations } = metadataOf(object);
  const selector = formatLabelSelector(spec['selector'], '');
  const count = (member: string): string => textIn(status, member, '0');
  report.line(0, 'Name:', name ?? '');
  report.line(0, 'Namespace:', namespace ?? '');
  report.line(0, 'Selector:', selector);
  report.line(0, 'Node-Selector:', formatLabels(recordAt(recordAt(spec, 'template'), 'spec')['nodeSelector']));
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, `Desired Number of Nodes Scheduled: ${count('desiredNumberScheduled')}`);
  report.line(0, `Current Number of Nodes Scheduled: ${count('currentNumberScheduled')}`);
  report.line(0, `Number of Nodes Scheduled with Up-to-date Pods: ${count('updatedNumberScheduled')}`);
  report.line(0, `Number of Nodes Scheduled with Available Pods: ${count('numberAvailable')}`);
  report.line(0, `Number of Nodes Misscheduled: ${count('numberMisscheduled')}`);
  report.line(0, 'Pods Status:', await countPodsByPhase(subject, selector));
  writeTemplate(report, recordAt(spec, 'template'));
};

const job: Describer = ({ report, object }) => {
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const { name, namespace, labels, annotations } = metadataOf(object);
  const optional = (title: string, value: string): void => {
    if (value !== '') report.line(0, title, value);
  };
  const count = (member: string): string => textIn(status, member, '0');
  report.line(0, 'Name:', name ?? '');
  report.line(0, 'Namespace:', namespace ?? '');
  report.line(0, 'Selector:', formatLabelSelector(spec['selector'], ''));
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  optional('Controlled By:', controllerOf(object));
  optional('Parallelism:', textIn(spec, 'parallelism'));
  report.line(0, 'Completions:', textIn(spec, 'completions', '<unset>'));
  optional('Completion Mode:', textIn(spec, 'completionMode'));
  optional('Suspend:', textIn(spec, 'suspend'));
  optional('Backoff Limit:', textIn(spec, 'backoffLimit'));
  optional('TTL Seconds After Finished:', textIn(spec, 'ttlSecondsAfterFinished'));
  const [started, ended] = [status['startTime'], status['completionTime']];
  if (started !== undefined) report.line(0, 'Start Time:', formatTime(started));
  if (ended !== undefined) report.line(0, 'Completed At:', formatTime(ended));
  if (started !== undefined && ended !== undefined)
    report.line(0, 'Duration:', formatHumanDuration(Date.parse(String(ended)) - Date.parse(String(started))));
  if (spec['activeDeadlineSeconds'] !== undefined) report.line(0, 'Active Deadline Seconds:', `${textIn(spec, 'activeDeadlineSeconds')}s`);
  const ready = status['ready'] === undefined ? '' : ` (${count('ready')} Ready)`;
  report.line(0, 'Pods Statuses:', `${count('active')} Active${ready} / ${count('succeeded')} Succeeded / ${count('failed')} Failed`);
  if (spec['completionMode'] === 'Indexed') report.line(0, 'Completed Indexes:', textIn(status, 'completedIndexes', '<none>'));
  writeTemplate(report, recordAt(spec, 'template'));
};

const cronJob: Describer = ({ report, object }) => {
  const [spec, status] = [recordAt(object, 'spec'), recordAt(object, 'status')];
  const inner = recordAt(recordAt(spec, 'jobTemplate'), 'spec');
  writeHead(report, object);
  report.line(0, 'Schedule:', textIn(spec, 'schedule'));
  report.line(0, 'Concurrency Policy:', textIn(spec, 'concurrencyPolicy'));
  report.line(0, 'Suspend:', yesOrNo(spec['suspend']));
  report.line(0, 'Successful Job History Limit:', textIn(spec, 'successfulJobsHistoryLimit', '<unset>'));
  report.line(0, 'Failed Job History Limit:', textIn(spec, 'failedJobsHistoryLimit', '<unset>'));
  const deadline = textIn(spec, 'startingDeadlineSeconds');
  report.line(0, 'Starting Deadline Seconds:', deadline === '' ? '<unset>' : `${deadline}s`);
  report.line(0, 'Selector:', inner['selector'] === undefined ? '<unset>' : formatLabelSelector(inner['selector'], ''));
  report.line(0, 'Parallelism:', textIn(inner, 'parallelism', '<unset>'));
  report.line(0, 'Completions:', textIn(inner, 'completions', '<unset>'));
  if (inner['activeDeadlineSeconds'] !== undefined)
    report.line(0, 'Active Deadline Seconds:', `${textIn(inner, 'activeDeadlineSeconds')}s`);
  writeTemplate(report, recordAt(inner, 'template'));
  report.line(0, 'Last Schedule Time:', status['lastScheduleTime'] === undefined ? '<unset>' : formatTime(status['lastScheduleTime']));
  const active = objectsAt(status, 'active').map((one) => textIn(one, 'name'));
  report.line(0, 'Active Jobs:', active.length === 0 ? '<none>' : active.join(', '));
};

export const workloads: Readonly<Record<string, Describer>> = {
  '/Pod': describePod,
  '/ReplicationController': replicaSet,
  'apps/ReplicaSet': replicaSet,
  'apps/Deployment': deployment,
  'apps/StatefulSet': statefulSet,
  'apps/DaemonSet': daemonSet,
  'batch/Job': job,
  'batch/CronJob': cronJob,
};
