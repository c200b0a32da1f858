import { cacheKeyOf } from '../../client/index.ts';
import { type HostPort, hostPortsOf, podRequests } from '../../component-helpers/index.ts';
import { type LabelRequirements, type Labels, labelSelectorRequirements, matchesLabels, SelectorError } from '../../meta/index.ts';
import type { corev1, metav1 } from '../../schema/api/index.ts';
import { nonZeroRequests, type Resources, resourcesOf } from './resources.ts';

/** A selector of labels; undefined selects nothing. */
export type Selector = LabelRequirements | undefined;

/** A term of pod affinity, with parsed selectors. */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  readonly selector: Selector;
  readonly topologyKey: string;
  readonly namespaceSelector: Selector;
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** What identifies a pod in caches and queues. */
export type PodIdentity = Pick<PodInfo, 'key' | 'uid'>;

/** Much cheaper than a PodInfo. */
export function podIdentity(pod: corev1.Pod): PodIdentity {
  return { key: cacheKeyOf(pod), uid: pod.metadata.uid ?? '' };
}

/** A pod with the derived values that the plugins need often. Cf. pkg/scheduler/framework PodInfo. */
export class PodInfo {
  readonly pod: corev1.Pod;
  readonly key: string;
  readonly uid: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly priority: number;
  readonly requests: Resources;
  readonly nonZero: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedAffinityTerm[];
  readonly preferredAntiAffinity: readonly WeightedAffinityTerm[];

  constructor(pod: corev1.Pod) {
    this.pod = pod;
    this.key = cacheKeyOf(pod);
    this.uid = pod.metadata.uid ?? '';
    this.namespace = pod.metadata.namespace ?? '';
    this.labels = pod.metadata.labels ?? {};
    this.priority = pod.spec.priority ?? 0;
    this.requests = resourcesOf(podRequests(pod));
    this.nonZero = resourcesOf(nonZeroRequests(pod));
    this.hostPorts = hostPortsOf(pod);
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
    const term = (one: corev1.PodAffinityTerm): AffinityTerm => affinityTerm(one, this.namespace);
    const weighted = ({ weight, podAffinityTerm }: corev1.WeightedPodAffinityTerm): WeightedAffinityTerm => ({
      ...term(podAffinityTerm),
      weight,
    });
    this.requiredAffinity = (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? noTerms).map(term);
    this.requiredAntiAffinity = (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? noTerms).map(term);
    this.preferredAffinity = (podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? noWeightedTerms).map(weighted);
    this.preferredAntiAffinity = (podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? noWeightedTerms).map(weighted);
  }

  get hasAffinity(): boolean {
    return (
      this.requiredAffinity.length > 0 ||
      this.requiredAntiAffinity.length > 0 ||
      this.preferredAffinity.length > 0 ||
      this.preferredAntiAffinity.length > 0
    );
  }
}

const noTerms: readonly corev1.PodAffinityTerm[] = [];
const noWeightedTerms: readonly corev1.WeightedPodAffinityTerm[] = [];

/** A selector of an object: absent selects nothing, an invalid one too. */
export function selectorOf(selector: metav1.LabelSelector | undefined): Selector {
  if (!selector) return undefined;
  try {
    return labelSelectorRequirements(selector);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

export function selects(selector: Selector, labels: Labels): boolean {
  return selector !== undefined && matchesLabels(selector, labels);
}

function affinityTerm(
  { labelSelector, namespaces = [], namespaceSelector, topologyKey }: corev1.PodAffinityTerm,
  namespace: string,
): AffinityTerm {
  const isOwnNamespace = namespaces.length === 0 && !namespaceSelector;
  return {
    namespaces: new Set(isOwnNamespace ? [namespace] : namespaces),
    selector: selectorOf(labelSelector),
    topologyKey,
    namespaceSelector: selectorOf(namespaceSelector),
  };
}

/** Whether a pod is selected by a term. `namespaceLabels` are those of its namespace. */
export function matchesTerm(term: AffinityTerm, pod: PodInfo, namespaceLabels: Labels): boolean {
  const inNamespace = term.namespaces.has(pod.namespace) || selects(term.namespaceSelector, namespaceLabels);
  return inNamespace && selects(term.selector, pod.labels);
}
