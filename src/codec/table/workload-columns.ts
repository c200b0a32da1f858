import { formatHumanDuration } from '../../meta/index.ts';
import {
  age,
  boolean,
  type CellContext,
  type Column,
  count,
  field,
  integer,
  joinField,
  name,
  since,
  sizeOf,
  text,
  wide,
} from './column.ts';
import { metricTargets } from './metric-targets.ts';
import { hasTrueCondition, isSet, listAt, numberAt, textAt, valueAt } from './read.ts';
import { labelsText, selectorText } from './selector-text.ts';

const containers = wide(text('Containers', joinField('spec.template.spec.containers', 'name')));
const images = wide(text('Images', joinField('spec.template.spec.containers', 'image')));
const selector = wide(text('Selector', (object) => selectorText(object, 'spec.selector')));
const replicas = [
  integer('Desired', count('spec.replicas')),
  integer('Current', count('status.replicas')),
  integer('Ready', count('status.readyReplicas')),
];
const readyOfDesired = text('Ready', (object) => `${numberAt(object, 'status.readyReplicas')}/${numberAt(object, 'spec.replicas')}`);

/** Columns of workloads: apps, batch, autoscaling, and the replication controller. */
export const workloadColumns: Readonly<Record<string, readonly Column[]>> = {
  ControllerRevision: [name, text('Controller', controllerOf), text('Revision', count('revision')), age],
  CronJob: [
    name,
    text('Schedule', field('spec.schedule')),
    text('Timezone', field('spec.timeZone', '<none>')),
    boolean('Suspend', suspended),
    integer('Active', sizeOf('status.active')),
    text('Last Schedule', since('status.lastScheduleTime', '<none>')),
    age,
    wide(text('Containers', joinField('spec.jobTemplate.spec.template.spec.containers', 'name'))),
    wide(text('Images', joinField('spec.jobTemplate.spec.template.spec.containers', 'image'))),
    wide(text('Selector', (object) => selectorText(object, 'spec.jobTemplate.spec.selector'))),
  ],
  DaemonSet: [
    name,
    integer('Desired', count('status.desiredNumberScheduled')),
    integer('Current', count('status.currentNumberScheduled')),
    integer('Ready', count('status.numberReady')),
    integer('Up-to-date', count('status.updatedNumberScheduled')),
    integer('Available', count('status.numberAvailable')),
    text('Node Selector', (object) => labelsText(object, 'spec.template.spec.nodeSelector')),
    age,
    containers,
    images,
    selector,
  ],
  Deployment: [
    name,
    readyOfDesired,
    text('Up-to-date', count('status.updatedReplicas')),
    text('Available', count('status.availableReplicas')),
    age,
    containers,
    images,
    wide(text('Selector', (object) => selectorText(object, 'spec.selector', ''))),
  ],
  HorizontalPodAutoscaler: [
    name,
    text('Reference', (hpa) => `${textAt(hpa, 'spec.scaleTargetRef.kind')}/${textAt(hpa, 'spec.scaleTargetRef.name')}`),
    text('Targets', metricTargets),
    text('MinPods', field('spec.minReplicas', '<unset>')),
    text('MaxPods', count('spec.maxReplicas')),
    text('Replicas', count('status.currentReplicas')),
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
    text('Min Available', field('spec.minAvailable', 'N/A')),
    text('Max Unavailable', field('spec.maxUnavailable', 'N/A')),
    integer('Allowed Disruptions', count('status.disruptionsAllowed')),
    age,
  ],
  ReplicaSet: [name, ...replicas, age, containers, images, selector],
  ReplicationController: [
    name,
    ...replicas,
    age,
    containers,
    images,
    wide(text('Selector', (object) => labelsText(object, 'spec.selector'))),
  ],
  Scale: [
    text('Name', field('metadata.name')),
    integer('Desired', count('spec.replicas')),
    integer('Available', count('status.replicas')),
    age,
  ],
  StatefulSet: [name, readyOfDesired, age, containers, images],
};

/** `statefulset.apps/web`: the controlling owner. */
function controllerOf(object: unknown): string {
  const owner = listAt(object, 'metadata.ownerReferences').find((each) => valueAt(each, 'controller') === true);
  if (owner === undefined) return '<none>';
  const apiVersion = textAt(owner, 'apiVersion');
  const cut = apiVersion.indexOf('/');
  const kind = textAt(owner, 'kind') + (cut < 0 ? '' : `.${apiVersion.slice(0, cut)}`);
  return `${kind.toLowerCase()}/${textAt(owner, 'name')}`;
}

function suspended(cronJob: unknown): string {
  const value = valueAt(cronJob, 'spec.suspend');
  return value === true ? 'True' : value === false ? 'False' : '<unset>';
}

function jobStatus(job: unknown): string {
  if (hasTrueCondition(job, 'Complete')) return 'Complete';
  if (hasTrueCondition(job, 'Failed')) return 'Failed';
  if (textAt(job, 'metadata.deletionTimestamp') !== '') return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasTrueCondition(job, type)) ?? 'Running';
}

function jobCompletions(job: unknown): string {
  const done = numberAt(job, 'status.succeeded');
  if (isSet(valueAt(job, 'spec.completions'))) return `${done}/${numberAt(job, 'spec.completions')}`;
  const parallelism = numberAt(job, 'spec.parallelism');
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function jobDuration(job: unknown, { nowMs }: CellContext): string {
  const start = textAt(job, 'status.startTime');
  if (start === '') return '';
  const end = textAt(job, 'status.completionTime');
  return formatHumanDuration((end === '' ? nowMs : Date.parse(end)) - Date.parse(start));
}
