import type { Product } from '../../../meta/index.ts';
import type { appsv1, batchv1, corev1, metav1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { KindRow } from '../kind-row.ts';
import { claimWarnings, podNameWarnings, podWarnings } from './pods.ts';

type Warnings<T> = NonNullable<KindRow<Decoded<T>>['warnings']>;
type SpecWarnings<Spec> = (spec: Decoded<Spec>, path: string, product: Product) => readonly string[];

/** A kind whose objects create pods. */
interface Workload<Spec> {
  readonly metadata: metav1.ObjectMeta;
  readonly spec: Spec;
}

interface WithTemplate {
  readonly template: corev1.PodTemplateSpec;
}

const nameUse = 'Pod names and hostnames';

/** Pods are rarely updated by hand: they get warnings only on create. */
export const newPodWarnings: Warnings<corev1.Pod> = (pod, old, { product }) =>
  old ? [] : [...podNameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod, product)];

export const podTemplateWarnings: Warnings<corev1.PodTemplate> = (object, old, { product }) =>
  isSpecChanged(object, old) ? podWarnings(object.template ?? {}, product, 'template') : [];

/** Checks the name on create, and the spec on every change. */
function createWorkloadWarnings<Spec>(ofSpec: SpecWarnings<Spec>): Warnings<Workload<Spec>> {
  return (object, old, { product }) => [
    ...(old ? [] : podNameWarnings(object, nameUse)),
    ...(object.spec && isSpecChanged(object, old) ? ofSpec(object.spec, 'spec', product) : []),
  ];
}

const templateWarnings: SpecWarnings<WithTemplate> = (spec, path, product) => podWarnings(spec.template ?? {}, product, `${path}.template`);

export const workloadWarnings: Warnings<Workload<WithTemplate>> = createWorkloadWarnings(templateWarnings);

/** A change of the spec reports the warnings of the previous template, as upstream does. Cf. rcStrategy.WarningsOnUpdate. */
export const replicationControllerWarnings: Warnings<corev1.ReplicationController> = (object, old, context) =>
  workloadWarnings({ ...object, spec: (old ?? object).spec }, old, context);

/** Its pods do not use its name as hostname, so the name is not checked. */
export const daemonSetWarnings: Warnings<appsv1.DaemonSet> = (object, old, { product }) =>
  isSpecChanged(object, old) ? templateWarnings(object.spec ?? {}, 'spec', product) : [];

export const statefulSetWarnings: Warnings<appsv1.StatefulSet> = createWorkloadWarnings<appsv1.StatefulSetSpec>((spec, path, product) => {
  const limit = spec.revisionHistoryLimit;
  const negative = typeof limit === 'number' && limit < 0;
  return [
    ...templateWarnings(spec, path, product),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      claimWarnings(claim.spec ?? {}, `${path}.volumeClaimTemplates[${index}]`),
    ),
    ...(negative ? [`${path}.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended`] : []),
  ];
});

const manyCompletions = 100_000;
const manyPods = 10_000;

const jobSpecWarnings: SpecWarnings<batchv1.JobSpec> = (spec, path, product) => {
  const { completions, parallelism } = spec;
  const large =
    (spec.completionMode ?? '') === 'Indexed' &&
    typeof completions === 'number' &&
    typeof parallelism === 'number' &&
    completions > manyCompletions &&
    parallelism > manyPods;
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(large ? [`${path}: ${text}`] : []), ...templateWarnings(spec, path, product)];
};

export const jobWarnings: Warnings<batchv1.Job> = createWorkloadWarnings(jobSpecWarnings);

export const cronJobWarnings: Warnings<batchv1.CronJob> = createWorkloadWarnings<batchv1.CronJobSpec>((spec, path, product) =>
  jobSpecWarnings(spec.jobTemplate?.spec ?? {}, `${path}.jobTemplate.spec`, product),
);

/** A change of the spec changes the generation. */
type WithMetadata = Decoded<{ readonly metadata: metav1.ObjectMeta }>;

function isSpecChanged(object: WithMetadata, old: WithMetadata | undefined): boolean {
  return old === undefined || object.metadata?.generation !== old.metadata?.generation;
}
