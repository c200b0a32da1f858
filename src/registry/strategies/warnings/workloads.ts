import { type ApiObject, type JsonObject, objectsAt, type Product, recordAt, textAt } from '../../../meta/index.ts';
import type { KindRow } from '../kind-row.ts';
import { claimWarnings, podNameWarnings, podWarnings } from './pods.ts';

type Warnings = NonNullable<KindRow['warnings']>;
type SpecWarnings = (spec: JsonObject, path: string, product: Product) => readonly string[];

const nameUse = 'Pod names and hostnames';

/** Pods are rarely updated by hand: they get warnings only on create. */
export const newPodWarnings: Warnings = (pod, old, { product }) =>
  old ? [] : [...podNameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod, product)];

export const podTemplateWarnings: Warnings = (object, old, { product }) =>
  isSpecChanged(object, old) ? podWarnings(recordAt(object, 'template'), product, 'template') : [];

/** Checks the name on create, and the spec on every change. */
function createWorkloadWarnings(ofSpec: SpecWarnings): Warnings {
  return (object, old, { product }) => [
    ...(old ? [] : podNameWarnings(object, nameUse)),
    ...(isSpecChanged(object, old) ? ofSpec(recordAt(object, 'spec'), 'spec', product) : []),
  ];
}

const templateWarnings: SpecWarnings = (spec, path, product) => podWarnings(recordAt(spec, 'template'), product, `${path}.template`);

export const workloadWarnings: Warnings = createWorkloadWarnings(templateWarnings);

/** Its pods do not use its name as hostname, so the name is not checked. */
export const daemonSetWarnings: Warnings = (object, old, { product }) =>
  isSpecChanged(object, old) ? templateWarnings(recordAt(object, 'spec'), 'spec', product) : [];

export const statefulSetWarnings: Warnings = createWorkloadWarnings((spec, path, product) => {
  const limit = spec['revisionHistoryLimit'];
  const negative = typeof limit === 'number' && limit < 0;
  return [
    ...templateWarnings(spec, path, product),
    ...objectsAt(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
      claimWarnings(recordAt(claim, 'spec'), `${path}.volumeClaimTemplates[${index}]`),
    ),
    ...(negative ? [`${path}.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended`] : []),
  ];
});

const manyCompletions = 100_000;
const manyPods = 10_000;

const jobSpecWarnings: SpecWarnings = (spec, path, product) => {
  const { completions, parallelism } = spec;
  const large =
    textAt(spec, 'completionMode') === 'Indexed' &&
    typeof completions === 'number' &&
    typeof parallelism === 'number' &&
    completions > manyCompletions &&
    parallelism > manyPods;
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(large ? [`${path}: ${text}`] : []), ...templateWarnings(spec, path, product)];
};

export const jobWarnings: Warnings = createWorkloadWarnings(jobSpecWarnings);

export const cronJobWarnings: Warnings = createWorkloadWarnings((spec, path, product) =>
  jobSpecWarnings(recordAt(recordAt(spec, 'jobTemplate'), 'spec'), `${path}.jobTemplate.spec`, product),
);

/** A change of the spec changes the generation. */
function isSpecChanged(object: ApiObject, old: ApiObject | undefined): boolean {
  return old === undefined || object.metadata.generation !== old.metadata.generation;
}
