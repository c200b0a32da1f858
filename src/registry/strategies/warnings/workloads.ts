import { type ApiObject, type JsonObject, objectsAt, type Product, recordAt, textAt } from '../../../meta/index.ts';
import type { KindRow } from '../row.ts';
import { claimWarnings, podNameWarnings, podWarnings } from './pods.ts';

type Warnings = NonNullable<KindRow['warnings']>;
type OfSpec = (spec: JsonObject, path: string, product: Product) => readonly string[];

const inNames = 'Pod names and hostnames';

/** Nobody writes pods again by hand: they are warned of once. */
export const onPod: Warnings = (pod, old, { product }) =>
  old ? [] : [...podNameWarnings(pod, "the Pod's hostname"), ...podWarnings(pod, product)];

export const onPodTemplate: Warnings = (object, old, { product }) =>
  changed(object, old) ? podWarnings(recordAt(object, 'template'), product, 'template') : [];

/** A new name is looked at, and each new spec. */
function workload(ofSpec: OfSpec): Warnings {
  return (object, old, { product }) => [
    ...(old ? [] : podNameWarnings(object, inNames)),
    ...(changed(object, old) ? ofSpec(recordAt(object, 'spec'), 'spec', product) : []),
  ];
}

const template: OfSpec = (spec, path, product) => podWarnings(recordAt(spec, 'template'), product, `${path}.template`);

export const onWorkload: Warnings = workload(template);

/** Names of nodes tell its pods apart, not its own. */
export const onDaemonSet: Warnings = (object, old, { product }) =>
  changed(object, old) ? template(recordAt(object, 'spec'), 'spec', product) : [];

export const onStatefulSet: Warnings = workload((spec, path, product) => {
  const limit = spec['revisionHistoryLimit'];
  const negative = typeof limit === 'number' && limit < 0;
  return [
    ...template(spec, path, product),
    ...objectsAt(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
      claimWarnings(recordAt(claim, 'spec'), `${path}.volumeClaimTemplates[${index}]`),
    ),
    ...(negative ? [`${path}.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended`] : []),
  ];
});

const manyCompletions = 100_000;
const manyAtOnce = 10_000;

const jobSpec: OfSpec = (spec, path, product) => {
  const { completions, parallelism } = spec;
  const large =
    textAt(spec, 'completionMode') === 'Indexed' &&
    typeof completions === 'number' &&
    typeof parallelism === 'number' &&
    completions > manyCompletions &&
    parallelism > manyAtOnce;
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(large ? [`${path}: ${text}`] : []), ...template(spec, path, product)];
};

export const onJob: Warnings = workload(jobSpec);

export const onCronJob: Warnings = workload((spec, path, product) =>
  jobSpec(recordAt(recordAt(spec, 'jobTemplate'), 'spec'), `${path}.jobTemplate.spec`, product),
);

/** Generations tell whether a spec is another one. */
function changed(object: ApiObject, old: ApiObject | undefined): boolean {
  return old === undefined || object.metadata.generation !== old.metadata.generation;
}
