import { formatHumanDuration, formatLabelSelector } from '../../meta/index.ts';
import type { appsv1, autoscalingv1, batchv1, corev1, metav1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import {
  age,
  ageOf,
  boolean,
  type CellContext,
  hasTrueCondition,
  imagesOf,
  integer,
  type KindColumns,
  name,
  namesOf,
  sizeOf,
  text,
  wide,
} from './column.ts';
import { metricTargets } from './metric-targets.ts';
import { labelsText } from './selector-text.ts';

/** What the kinds with replicas and a pod template have in common. */
type Workload = Decoded<{ spec: { replicas: number; template: corev1.PodTemplateSpec } }>;
type Selecting = Decoded<{ spec: { selector: metav1.LabelSelector } }>;
type Replicated = Decoded<{ spec: { replicas: number }; status: { replicas: number; readyReplicas: number } }>;
type Job = Decoded<batchv1.Job>;
type Scale = Decoded<autoscalingv1.Scale>;

const containers = wide(text('Containers', ({ spec }: Workload) => namesOf(spec?.template?.spec?.containers)));
const images = wide(text('Images', ({ spec }: Workload) => imagesOf(spec?.template?.spec?.containers)));
const selector = wide(text('Selector', ({ spec }: Selecting) => formatLabelSelector(spec?.selector, '<none>')));
const replicas = [
  integer('Desired', ({ spec }: Replicated) => spec?.replicas),
  integer('Current', ({ status }: Replicated) => status?.replicas),
  integer('Ready', ({ status }: Replicated) => status?.readyReplicas),
];
const readyOfDesired = text('Ready', ({ spec, status }: Replicated) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`);

/** Columns of workloads: apps, batch, autoscaling, and the replication controller. */
export const workloadColumns: KindColumns = {
  ControllerRevision: [name, text('Controller', controllerOf), text('Revision', ({ revision }) => revision ?? 0), age],
  CronJob: [
    name,
    text('Schedule', ({ spec }) => spec?.schedule),
    text('Timezone', ({ spec }) => spec?.timeZone || '<none>'),
    boolean('Suspend', suspended),
    integer('Active', ({ status }) => sizeOf(status?.active)),
    text('Last Schedule', ({ status }, { nowMs }) => ageOf(status?.lastScheduleTime, nowMs, '<none>')),
    age,
    wide(text('Containers', ({ spec }) => namesOf(spec?.jobTemplate?.spec?.template?.spec?.containers))),
    wide(text('Images', ({ spec }) => imagesOf(spec?.jobTemplate?.spec?.template?.spec?.containers))),
    wide(text('Selector', ({ spec }) => formatLabelSelector(spec?.jobTemplate?.spec?.selector, '<none>'))),
  ],
  DaemonSet: [
    name,
    integer('Desired', ({ status }) => status?.desiredNumberScheduled),
    integer('Current', ({ status }) => status?.currentNumberScheduled),
    integer('Ready', ({ status }) => status?.numberReady),
    integer('Up-to-date', ({ status }) => status?.updatedNumberScheduled),
    integer('Available', ({ status }) => status?.numberAvailable),
    text('Node Selector', ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector)),
    age,
    containers,
    images,
    selector,
  ],
  Deployment: [
    name,
    readyOfDesired,
    text('Up-to-date', ({ status }) => status?.updatedReplicas ?? 0),
    text('Available', ({ status }) => status?.availableReplicas ?? 0),
    age,
    containers,
    images,
    wide(text('Selector', ({ spec }) => formatLabelSelector(spec?.selector, ''))),
  ],
  HorizontalPodAutoscaler: [
    name,
    text('Reference', ({ spec }) => `${spec?.scaleTargetRef?.kind ?? ''}/${spec?.scaleTargetRef?.name ?? ''}`),
    text('Targets', metricTargets),
    text('MinPods', ({ spec }) => String(spec?.minReplicas ?? '<unset>')),
    text('MaxPods', ({ spec }) => spec?.maxReplicas ?? 0),
    text('Replicas', ({ status }) => status?.currentReplicas ?? 0),
    age,
  ],
  Job: [
    name,
    text('Status', jobStatus),
    text('Completions', jobCompletions),
    text('Duration', jobDuration),
    age,
    containers,
    images,
    selector,
  ],
  PodDisruptionBudget: [
    name,
    text('Min Available', ({ spec }) => String(spec?.minAvailable ?? 'N/A')),
    text('Max Unavailable', ({ spec }) => String(spec?.maxUnavailable ?? 'N/A')),
    integer('Allowed Disruptions', ({ status }) => status?.disruptionsAllowed),
    age,
  ],
  ReplicaSet: [name, ...replicas, age, containers, images, selector],
  ReplicationController: [name, ...replicas, age, containers, images, wide(text('Selector', ({ spec }) => labelsText(spec?.selector)))],
  Scale: [
    text('Name', ({ metadata }: Scale) => metadata?.name),
    integer('Desired', ({ spec }: Scale) => spec?.replicas),
    integer('Available', ({ status }: Scale) => status?.replicas),
    age,
  ],
  StatefulSet: [name, readyOfDesired, age, containers, images],
};

/** `statefulset.apps/web`: the controlling owner. */
function controllerOf({ metadata }: Decoded<appsv1.ControllerRevision>): string {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (!owner) return '<none>';
  const { apiVersion = '', kind = '', name = '' } = owner;
  const cut = apiVersion.indexOf('/');
  const groupKind = kind + (cut < 0 ? '' : `.${apiVersion.slice(0, cut)}`);
  return `${groupKind.toLowerCase()}/${name}`;
}

function suspended({ spec }: Decoded<batchv1.CronJob>): string {
  return spec?.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False';
}

function jobStatus({ metadata, status }: Job): string {
  const has = (type: string): boolean => hasTrueCondition(status?.conditions, type);
  if (has('Complete')) return 'Complete';
  if (has('Failed')) return 'Failed';
  if (metadata?.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(has) ?? 'Running';
}

function jobCompletions({ spec, status }: Job): string {
  const done = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${done}/${spec.completions}`;
  const parallelism = spec?.parallelism ?? 0;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function jobDuration({ status }: Job, { nowMs }: CellContext): string {
  if (!status?.startTime) return '';
  const end = status.completionTime ? Date.parse(status.completionTime) : nowMs;
  return formatHumanDuration(end - Date.parse(status.startTime));
}
