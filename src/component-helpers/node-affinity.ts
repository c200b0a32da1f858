import { type LabelRequirement, type Labels, matchesLabels } from '../meta/index.ts';
import type { corev1 } from '../schema/api/index.ts';

/** What node selectors refer to. */
export interface NodeIdentity {
  readonly name: string;
  readonly labels: Labels;
}

/** A term of a node selector, parsed; all of its requirements must hold. */
interface Term {
  readonly labels: readonly LabelRequirement[];
  /** The only field is metadata.name. */
  readonly names: readonly LabelRequirement[];
}

/** Terms of which one must hold. */
export type NodeTerms = readonly Term[];

const operators = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!', Gt: 'gt', Lt: 'lt' } as const;

function isOperator(operator: string): operator is keyof typeof operators {
  return Object.hasOwn(operators, operator);
}

function parseRequirements(expressions: readonly corev1.NodeSelectorRequirement[] = []): readonly LabelRequirement[] | undefined {
  const parsed = expressions.flatMap(({ key, operator, values = [] }) =>
    isOperator(operator) ? [{ key, operator: operators[operator], values }] : [],
  );
  return parsed.length === expressions.length ? parsed : undefined;
}

/** An empty term selects nothing, and neither does one with an unknown operator. Cf. component-helpers nodeaffinity. */
export function parseNodeTerm({ matchExpressions = [], matchFields = [] }: corev1.NodeSelectorTerm): NodeTerms {
  if (matchExpressions.length === 0 && matchFields.length === 0) return [];
  const [labels, names] = [parseRequirements(matchExpressions), parseRequirements(matchFields)];
  return labels && names ? [{ labels, names }] : [];
}

export function parseNodeSelector({ nodeSelectorTerms }: corev1.NodeSelector): NodeTerms {
  return (nodeSelectorTerms ?? []).flatMap(parseNodeTerm);
}

export function matchesNodeTerms(terms: NodeTerms, { name, labels }: NodeIdentity): boolean {
  return terms.some((term) => matchesLabels(term.labels, labels) && matchesFields(term.names, name));
}

function matchesFields(requirements: readonly LabelRequirement[], name: string): boolean {
  if (requirements.length === 0) return true;
  const fields: Labels = { 'metadata.name': name };
  return matchesLabels(requirements, fields);
}

/** The requirements of a pod on the labels and names of nodes; undefined: none. */
export interface RequiredNodeAffinity {
  readonly labels: Labels | undefined;
  readonly terms: NodeTerms | undefined;
}

export function requiredNodeAffinity({
  nodeSelector,
  affinity,
}: Pick<corev1.PodSpec, 'nodeSelector' | 'affinity'>): RequiredNodeAffinity | undefined {
  const selector = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!nodeSelector && !selector) return undefined;
  return { labels: nodeSelector, terms: selector && parseNodeSelector(selector) };
}

/** Cf. RequiredNodeAffinity.Match. */
export function matchesNode({ labels, terms }: RequiredNodeAffinity, node: NodeIdentity): boolean {
  for (const key in labels) if (node.labels[key] !== labels[key]) return false;
  return terms === undefined || matchesNodeTerms(terms, node);
}

/** The names that every node must have that matches; undefined: a term allows any name. Cf. NodeAffinity.PreFilter. */
export function allowedNodeNames({ spec: { affinity } }: corev1.Pod): ReadonlySet<string> | undefined {
  const selector = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = selector?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return undefined;
  const names = new Set<string>();
  for (const { matchFields = [] } of terms) {
    const lists = matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In').map(({ values = [] }) => values);
    if (lists.length === 0) return undefined;
    const [first = [], ...others] = lists;
    for (const name of first) if (others.every((list) => list.includes(name))) names.add(name);
  }
  return names;
}
