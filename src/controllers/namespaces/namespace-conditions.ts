import type { corev1 } from '../../schema/api/index.ts';

/** The result of deleting the content of a namespace. */
export interface ContentDeletionReport {
  /** Number of remaining objects by resource, for instance `configmaps.` → 2. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Number of remaining objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Messages about API versions whose servers are not available: their objects are neither counted nor deleted. */
  readonly stale: readonly string[];
  /** Messages of failed deletions. */
  readonly failures: readonly string[];
}

/** The condition types in order, with their reasons and messages in the good state, as in the real server. */
const defaultConditions: readonly (readonly [type: string, reason: string, message: string])[] = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  ['NamespaceDeletionContentFailure', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
  ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'],
  ['NamespaceFinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
];

/** The new conditions of a namespace; undefined when nothing changes. Cf. upstream namespaceConditionUpdater. */
export function updateConditions(
  { status }: corev1.Namespace,
  report: ContentDeletionReport,
  now: string,
): readonly corev1.NamespaceCondition[] | undefined {
  const given = status.conditions ?? [];
  const problems = problemsOf(report);
  const wanted = defaultConditions.map(([type, wellReason, wellMessage], index): corev1.NamespaceCondition => {
    const problem = problems[index];
    const [reason, message] = problem ?? [wellReason, wellMessage];
    const before = given.find((condition) => condition.type === type);
    const state = problem ? 'True' : 'False';
    const since = before?.status === state ? before.lastTransitionTime : now;
    return { type, status: state, lastTransitionTime: since, reason, message };
  });
  const isSame = wanted.every((condition) => given.some((one) => isEqualCondition(one, condition)));
  const others = given.filter(({ type }) => !defaultConditions.some(([own]) => own === type));
  return isSame ? undefined : [...others, ...wanted];
}

function isEqualCondition(a: corev1.NamespaceCondition, b: corev1.NamespaceCondition): boolean {
  return (['type', 'status', 'reason', 'message'] as const).every((name) => a[name] === b[name]);
}

type Problem = readonly [reason: string, message: string];

/** In the order of the condition types, undefined in the good state. Group versions are always parsed. */
function problemsOf({ remaining, finalizers, stale, failures }: ContentDeletionReport): readonly (Problem | undefined)[] {
  const describe = (counts: ReadonlyMap<string, number>, verb: string): string =>
    joinSorted([...counts].map(([name, count]) => `${name} ${verb} ${count} resource instances`));
  const problem = (count: number, ...described: Problem): Problem | undefined => (count > 0 ? described : undefined);
  const undiscovered = `${stale.length} failing: unable to retrieve the complete list of server APIs: ${joinSorted(stale)}`;
  const failed = `${failures.length} remaining: ${joinSorted(failures)}`;
  return [
    problem(stale.length, 'DiscoveryFailed', `Discovery failed for some groups, ${undiscovered}`),
    undefined,
    problem(failures.length, 'ContentDeletionFailed', `Failed to delete all resource types, ${failed}`),
    problem(remaining.size, 'SomeResourcesRemain', `Some resources are remaining: ${describe(remaining, 'has')}`),
    problem(
      finalizers.size,
      'SomeFinalizersRemain',
      `Some content in the namespace has finalizers remaining: ${describe(finalizers, 'in')}`,
    ),
  ];
}

function joinSorted(texts: readonly string[]): string {
  return [...texts].sort().join(', ');
}
