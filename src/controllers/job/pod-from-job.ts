import type { PartialObject } from '../../client/index.ts';
import type { batchv1, corev1 } from '../../schema/api/index.ts';
import { newControllerReference, podFromTemplate } from '../pods/index.ts';
import type { JobNames } from './names.ts';

/** Longest prefix of a generated name. */
const maxPrefixLength = 58;

/** The index of a pod of an indexed job. */
export interface PodIndex {
  readonly index: number;
  /** Counts of failures. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** A pod of a job, from its template. */
export function podFromJob(job: batchv1.Job, names: JobNames, podIndex: PodIndex | undefined): PartialObject<corev1.Pod> {
  const name = job.metadata.name ?? '';
  const { metadata, spec } = job.spec.template;
  const { finalizers = [] } = metadata;
  const template = {
    metadata: { ...metadata, finalizers: finalizers.includes(names.finalizer) ? finalizers : [...finalizers, names.finalizer] },
    spec: podIndex ? withIndex(spec, name, podIndex.index, names) : spec,
  };
  const pod = podFromTemplate(template, name, newControllerReference(job));
  if (!podIndex) return pod;
  const index = `${podIndex.index}`;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: indexedPrefix(name, podIndex.index),
      labels: { ...pod.metadata?.labels, [names.completionIndex]: index },
      annotations: { ...pod.metadata?.annotations, [names.completionIndex]: index, ...podIndex.annotations },
    },
  };
}

function withIndex(spec: corev1.PodSpec, jobName: string, index: number, names: JobNames): corev1.PodSpec {
  const variable = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { fieldPath: `metadata.labels['${names.completionIndex}']` } },
  } as corev1.EnvVar;
  const withVariable = (container: corev1.Container): corev1.Container =>
    container.env?.some(({ name }) => name === variable.name) ? container : { ...container, env: [...(container.env ?? []), variable] };
  return {
    ...spec,
    hostname: `${jobName}-${index}`,
    ...(spec.initContainers ? { initContainers: spec.initContainers.map(withVariable) } : {}),
    containers: spec.containers?.map(withVariable) ?? null,
  };
}

/** Cf. podGenerateNameWithIndex. */
export function indexedPrefix(jobName: string, index: number): string {
  const suffix = `-${index}-`;
  return jobName.length + suffix.length > maxPrefixLength ? jobName.slice(0, maxPrefixLength - suffix.length) + suffix : jobName + suffix;
}
