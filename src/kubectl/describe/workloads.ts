import { formatGoValue, formatHumanDuration, formatLabelSelector, type JsonObject } from '../../meta/index.ts';
import type { appsv1, batchv1, corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { builtInResource, resourcePath } from '../api/discovery.ts';
import { itemsOf, metadataOf } from '../resources/info.ts';
import { writeContainers, writeResources } from './containers.ts';
import type { DescribeInput, Describer } from './describers.ts';
import { qosClassOf } from './pod-qos.ts';
import { writeSpread, writeTemplate, writeTolerations } from './pod-template.ts';
import {
  controllerOf,
  formatLabels,
  formatTime,
  type Report,
  storageClassOf,
  writeAnnotations,
  writeHead,
  writeLabels,
  yesOrNo,
} from './report.ts';
import { writeVolumes } from './volumes.ts';

type Pod = Decoded<corev1.Pod>;
type ReplicaSet = Decoded<appsv1.ReplicaSet>;

const replicaSets = builtInResource('apps/v1', 'replicasets', 'ReplicaSet');

const describePod: Describer = ({ report, object }) => {
  const pod: Pod = object;
  const { spec = {}, status = {}, metadata = {} } = pod;
  report.line(0, 'Name:', metadata.name);
  report.line(0, 'Namespace:', metadata.namespace);
  report.optional(0, 'Priority:', spec.priority);
  report.optional(0, 'Priority Class Name:', spec.priorityClassName);
  report.optional(0, 'Runtime Class Name:', spec.runtimeClassName);
  report.optional(0, 'Service Account:', spec.serviceAccountName);
  report.line(0, 'Node:', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>');
  if (status.startTime) report.line(0, 'Start Time:', formatTime(status.startTime));
  writeLabels(report, 'Labels', metadata.labels);
  writeAnnotations(report, 'Annotations', metadata.annotations);
  if (metadata.deletionTimestamp && status.phase !== 'Failed' && status.phase !== 'Succeeded') {
    const lasts = formatHumanDuration(report.nowMs - Date.parse(metadata.deletionTimestamp));
    report.line(0, 'Status:', `Terminating (lasts ${lasts})`);
    report.line(0, 'Termination Grace Period:', `${metadata.deletionGracePeriodSeconds ?? ''}s`);
  } else report.line(0, 'Status:', status.phase);
  report.optional(0, 'Reason:', status.reason);
  report.optional(0, 'Message:', status.message);
  const { type, localhostProfile } = spec.securityContext?.seccompProfile ?? {};
  report.optional(0, 'SeccompProfile:', type);
  if (type === 'Localhost') report.line(0, 'LocalhostProfile:', localhostProfile);
  report.line(0, 'IP:', status.podIP);
  const { podIPs = [] } = status;
  report.line(0, 'IPs:', ...(podIPs.length === 0 ? ['<none>'] : []));
  for (const { ip } of podIPs) report.line(1, 'IP:', ip);
  report.optional(0, 'Controlled By:', controllerOf(object));
  report.optional(0, 'NominatedNodeName:', status.nominatedNodeName);
  if (spec.resources) {
    report.line(0, 'Resources:');
    writeResources(report, spec.resources, 1);
  }
  writePodContainers(report, object);
  writeConditionsOfPod(report, pod);
  writeVolumes(report, spec.volumes ?? [], '');
  report.line(0, 'QoS Class:', status.qosClass || qosClassOf(spec));
  writeLabels(report, 'Node-Selectors', spec.nodeSelector);
  writeTolerations(report, 'Tolerations', spec.tolerations);
  writeSpread(report, spec, '');
};

function writePodContainers(report: Report, object: JsonObject): void {
  const { spec = {}, status = {} }: Pod = object;
  const kinds = [
    ['Init Containers', 'initContainers', 'initContainerStatuses'],
    ['Containers', 'containers', 'containerStatuses'],
    ['Ephemeral Containers', 'ephemeralContainers', 'ephemeralContainerStatuses'],
  ] as const;
  for (const [label, member, statuses] of kinds) {
    const containers = spec[member] ?? [];
    if (containers.length > 0 || member === 'containers')
      writeContainers(report, { label, containers, statuses: status[statuses] ?? [], space: '', pod: object });
  }
}

function writeConditionsOfPod(report: Report, { spec, status }: Pod): void {
  const { conditions = [] } = status ?? {};
  const { readinessGates: gates = [] } = spec ?? {};
  if (gates.length > 0) {
    report.line(0, 'Readiness Gates:');
    report.line(1, 'Type', 'Status');
    for (const { conditionType = '' } of gates) {
      const found = conditions.find(({ type }) => type === conditionType);
      report.line(1, `${conditionType} `, `${found ? found.status : '<none>'} `);
    }
  }
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status');
  for (const { type = '', status: state = '' } of conditions) report.line(1, `${type} `, `${state} `);
}

function writeConditions({ report }: DescribeInput, conditions: readonly Decoded<appsv1.DeploymentCondition>[] = []): void {
  if (conditions.length === 0) return;
  report.line(0, 'Conditions:');
  report.line(1, 'Type', 'Status', 'Reason');
  report.line(1, '----', '------', '------');
  for (const { type = '', status, reason } of conditions) report.line(1, `${type} `, status, reason);
}

/** Number of pods by phase. */
async function countPodsByPhase({ call, info, object }: DescribeInput, selector: string): Promise<string> {
  const client = await call.api();
  const list = await client.read('GET', `/api/v1/namespaces/${info.namespace}/pods`, {
    query: { labelSelector: selector || undefined, limit: '500' },
  });
  const uid = metadataOf(object)['uid'];
  const pods: readonly Pod[] = itemsOf(list);
  const own = pods.filter((pod) => isControlledBy(pod, uid));
  const count = (phase: string): number => own.filter(({ status }) => status?.phase === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

function isControlledBy({ metadata }: Pod | ReplicaSet, uid: unknown): boolean {
  return metadata?.ownerReferences?.some((owner) => owner.controller && owner.uid === uid) ?? false;
}

const replicaSet: Describer = async (subject) => {
  const { report, object, info } = subject;
  // A ReplicationController differs in its selector.
  const { metadata = {}, spec = {}, status = {} }: ReplicaSet = object;
  const old = info.resource.kind === 'ReplicationController';
  const { name, namespace, labels, annotations } = metadata;
  const selector = old ? formatLabels(spec.selector) : formatLabelSelector(spec.selector, '<none>');
  report.line(0, 'Name:', name);
  report.line(0, 'Namespace:', namespace);
  report.line(0, 'Selector:', selector);
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  if (!old && controllerOf(object) !== '') report.line(0, 'Controlled By:', controllerOf(object));
  report.line(0, 'Replicas:', `${status.replicas ?? 0} current / ${spec.replicas ?? 1} desired`);
  report.line(0, 'Pods Status:', await countPodsByPhase(subject, selector));
  writeTemplate(report, spec.template);
  writeConditions(subject, status.conditions);
};

const deployment: Describer = async (subject) => {
  const { report, object } = subject;
  const { metadata = {}, spec = {}, status = {} }: Decoded<appsv1.Deployment> = object;
  const { name, namespace, labels, annotations, creationTimestamp } = metadata;
  report.line(0, 'Name:', name);
  report.line(0, 'Namespace:', namespace);
  report.line(0, 'CreationTimestamp:', formatTime(creationTimestamp));
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, 'Selector:', formatLabelSelector(spec.selector, ''));
  const { updatedReplicas = 0, replicas = 0, availableReplicas = 0, unavailableReplicas = 0 } = status;
  report.line(
    0,
    'Replicas:',
    `${spec.replicas ?? 0} desired | ${updatedReplicas} updated | ${replicas} total | ${availableReplicas} available | ${unavailableReplicas} unavailable`,
  );
  const { type, rollingUpdate } = spec.strategy ?? {};
  report.line(0, 'StrategyType:', type);
  report.line(0, 'MinReadySeconds:', spec.minReadySeconds ?? 0);
  if (rollingUpdate) {
    const { maxUnavailable = '', maxSurge = '' } = rollingUpdate;
    report.line(0, 'RollingUpdateStrategy:', `${maxUnavailable} max unavailable, ${maxSurge} max surge`);
  }
  writeTemplate(report, spec.template);
  writeConditions(subject, status.conditions);
  await writeReplicaSets(subject);
};

async function writeReplicaSets({ call, info, object, report }: DescribeInput): Promise<void> {
  const { metadata, spec = {} }: Decoded<appsv1.Deployment> = object;
  const client = await call.api();
  const list = await client
    .read('GET', resourcePath(replicaSets, info.namespace), {
      query: { labelSelector: formatLabelSelector(spec.selector, '') || undefined, limit: '500' },
    })
    .catch(() => ({}));
  const sets: readonly ReplicaSet[] = itemsOf(list);
  const own = sets.filter((set) => isControlledBy(set, metadata?.uid));
  if (own.length === 0) return;
  const wanted = templateKey(spec.template);
  const newest = own.find((set) => templateKey(set.spec?.template) === wanted);
  const describeSet = (set: ReplicaSet): string =>
    `${set.metadata?.name ?? ''} (${set.status?.replicas ?? 0}/${set.spec?.replicas ?? 0} replicas created)`;
  const text = (some: readonly ReplicaSet[]): string => some.map(describeSet).join(', ') || '<none>';
  report.line(0, 'OldReplicaSets:', text(own.filter((set) => set !== newest)));
  report.line(0, 'NewReplicaSet:', text(newest ? [newest] : []));
}

/** A template without the hash label that the controller adds, for comparison. */
function templateKey({ metadata = {}, spec }: Decoded<corev1.PodTemplateSpec> = {}): string {
  const { 'pod-template-hash': _, ...labels } = metadata.labels ?? {};
  return JSON.stringify([labels, metadata.annotations ?? {}, spec]);
}

const statefulSet: Describer = async (subject) => {
  const { report, object } = subject;
  const { metadata = {}, spec = {}, status = {} }: Decoded<appsv1.StatefulSet> = object;
  const { name, namespace, labels, annotations, creationTimestamp } = metadata;
  const selector = formatLabelSelector(spec.selector, '');
  report.line(0, 'Name:', name);
  report.line(0, 'Namespace:', namespace);
  report.line(0, 'CreationTimestamp:', formatTime(creationTimestamp));
  report.line(0, 'Selector:', selector);
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, 'Replicas:', `${spec.replicas ?? 0} desired | ${status.replicas ?? 0} total`);
  const { type, rollingUpdate } = spec.updateStrategy ?? {};
  report.line(0, 'Update Strategy:', type);
  if (rollingUpdate?.partition !== undefined) {
    report.line(1, 'Partition:', rollingUpdate.partition);
    if (rollingUpdate.maxUnavailable !== undefined) report.line(1, 'MaxUnavailable:', rollingUpdate.maxUnavailable);
  }
  report.line(0, 'Pods Status:', await countPodsByPhase(subject, selector));
  writeTemplate(report, spec.template);
  writeClaims(subject, spec.volumeClaimTemplates);
};

function writeClaims({ report }: DescribeInput, claims: readonly Decoded<corev1.PersistentVolumeClaim>[] = []): void {
  report.line(0, 'Volume Claims:', ...(claims.length === 0 ? ['<none>'] : []));
  for (const claim of claims) {
    const { metadata = {}, spec = {} } = claim;
    report.line(1, 'Name:', metadata.name);
    report.line(1, 'StorageClass:', storageClassOf(claim));
    writeLabels(report, '  Labels', metadata.labels);
    writeLabels(report, '  Annotations', metadata.annotations);
    report.line(1, 'Capacity:', spec.resources?.requests?.['storage'] || '<default>');
    report.line(1, 'Access Modes:', formatGoValue(spec.accessModes ?? []));
  }
}

const daemonSet: Describer = async (subject) => {
  const { report, object } = subject;
  const { metadata = {}, spec = {}, status = {} }: Decoded<appsv1.DaemonSet> = object;
  const { name, namespace, labels, annotations } = metadata;
  const selector = formatLabelSelector(spec.selector, '');
  report.line(0, 'Name:', name);
  report.line(0, 'Namespace:', namespace);
  report.line(0, 'Selector:', selector);
  report.line(0, 'Node-Selector:', formatLabels(spec.template?.spec?.nodeSelector));
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.line(0, `Desired Number of Nodes Scheduled: ${status.desiredNumberScheduled ?? 0}`);
  report.line(0, `Current Number of Nodes Scheduled: ${status.currentNumberScheduled ?? 0}`);
  report.line(0, `Number of Nodes Scheduled with Up-to-date Pods: ${status.updatedNumberScheduled ?? 0}`);
  report.line(0, `Number of Nodes Scheduled with Available Pods: ${status.numberAvailable ?? 0}`);
  report.line(0, `Number of Nodes Misscheduled: ${status.numberMisscheduled ?? 0}`);
  report.line(0, 'Pods Status:', await countPodsByPhase(subject, selector));
  writeTemplate(report, spec.template);
};

const job: Describer = ({ report, object }) => {
  const { metadata = {}, spec = {}, status = {} }: Decoded<batchv1.Job> = object;
  const { name, namespace, labels, annotations } = metadata;
  report.line(0, 'Name:', name);
  report.line(0, 'Namespace:', namespace);
  report.line(0, 'Selector:', formatLabelSelector(spec.selector, ''));
  writeLabels(report, 'Labels', labels);
  writeAnnotations(report, 'Annotations', annotations);
  report.optional(0, 'Controlled By:', controllerOf(object));
  report.optional(0, 'Parallelism:', spec.parallelism);
  report.line(0, 'Completions:', spec.completions ?? '<unset>');
  report.optional(0, 'Completion Mode:', spec.completionMode);
  report.optional(0, 'Suspend:', spec.suspend);
  report.optional(0, 'Backoff Limit:', spec.backoffLimit);
  report.optional(0, 'TTL Seconds After Finished:', spec.ttlSecondsAfterFinished);
  const { startTime: started, completionTime: ended } = status;
  if (started) report.line(0, 'Start Time:', formatTime(started));
  if (ended) report.line(0, 'Completed At:', formatTime(ended));
  if (started && ended) report.line(0, 'Duration:', formatHumanDuration(Date.parse(ended) - Date.parse(started)));
  if (spec.activeDeadlineSeconds !== undefined) report.line(0, 'Active Deadline Seconds:', `${spec.activeDeadlineSeconds}s`);
  const { active = 0, succeeded = 0, failed = 0 } = status;
  const ready = status.ready === undefined ? '' : ` (${status.ready} Ready)`;
  report.line(0, 'Pods Statuses:', `${active} Active${ready} / ${succeeded} Succeeded / ${failed} Failed`);
  if (spec.completionMode === 'Indexed') report.line(0, 'Completed Indexes:', status.completedIndexes || '<none>');
  writeTemplate(report, spec.template);
};

const cronJob: Describer = ({ report, object }) => {
  const { spec = {}, status = {} }: Decoded<batchv1.CronJob> = object;
  const inner = spec.jobTemplate?.spec ?? {};
  writeHead(report, object);
  report.line(0, 'Schedule:', spec.schedule);
  report.line(0, 'Concurrency Policy:', spec.concurrencyPolicy);
  report.line(0, 'Suspend:', yesOrNo(spec.suspend));
  report.line(0, 'Successful Job History Limit:', spec.successfulJobsHistoryLimit ?? '<unset>');
  report.line(0, 'Failed Job History Limit:', spec.failedJobsHistoryLimit ?? '<unset>');
  const deadline = spec.startingDeadlineSeconds;
  report.line(0, 'Starting Deadline Seconds:', deadline === undefined ? '<unset>' : `${deadline}s`);
  report.line(0, 'Selector:', inner.selector ? formatLabelSelector(inner.selector, '') : '<unset>');
  report.line(0, 'Parallelism:', inner.parallelism ?? '<unset>');
  report.line(0, 'Completions:', inner.completions ?? '<unset>');
  if (inner.activeDeadlineSeconds !== undefined) report.line(0, 'Active Deadline Seconds:', `${inner.activeDeadlineSeconds}s`);
  writeTemplate(report, inner.template);
  report.line(0, 'Last Schedule Time:', status.lastScheduleTime ? formatTime(status.lastScheduleTime) : '<unset>');
  const active = (status.active ?? []).map(({ name = '' }) => name);
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
