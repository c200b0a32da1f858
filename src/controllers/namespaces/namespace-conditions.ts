import type { corev1 } from '../../schema/api/index.ts';

/** The result of deleting the content of a namespace. */
export interface ContentDeletionReport {
  /** Number of remaining objects by resource, for instance `configmaps.` → 2. */
  readonly remaining: ReadonlyMap<string, number>;
  /** Number of remaining objects by finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Messages about API versions whose servers are not available, sorted: their objects are neither counted nor deleted. */
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
  const wrong = problemsOf(report);
  const wanted = defaultConditions.map(([type, wellReason, wellMessage]): corev1.NamespaceCondition => {
    const problem = wrong.get(type);
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

function problemsOf({
  remaining,
  finalizers,
  stale,
  failures,
}: ContentDeletionReport): ReadonlyMap<string, readonly [reason: string, message: string]> {
  const words = new Map<string, readonly [string, string]>();
  const describeCounts = (counts: ReadonlyMap<string, number>, describe: (name: string, count: number) => string): string =>
    [...counts]
      .map(([name, count]) => describe(name, count))
      .sort()
      .join(', ');
  if (stale.length > 0) {
    words.set('NamespaceDeletionDiscoveryFailure', [
      'DiscoveryFailed',
      `Discovery failed for some groups, ${stale.length} failing: unable to retrieve the complete list of server APIs: ${stale.join(', ')}`,
    ]);
  }
  if (failures.length > 0) {
    const text = [...failures].sort().join(', ');
    words.set('NamespaceDeletionContentFailure', [
      'ContentDeletionFailed',
      `Failed to delete all resource types, ${failures.length} remaining: ${text}`,
    ]);
  }
  if (remaining.size > 0) {
    const text = describeCounts(remaining, (name, count) => `${name} has ${count} resource instances`);
    words.set('NamespaceContentRemaining', ['SomeResourcesRemain', `Some resources are remaining: ${text}`]);
  }
  if (finalizers.size > 0) {
    const text = describeCounts(finalizers, (name, count) => `${name} in ${count} resource instances`);
    words.set('NamespaceFinalizersRemaining', ['SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${text}`]);
  }
  return words;
}
