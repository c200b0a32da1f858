import type { Product } from '../../meta/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';

type Annotations = Readonly<Record<string, string>>;

/** The names of the annotations that the controller writes or reads. */
export interface AnnotationNames {
  /** The number of a template in the history. */
  readonly revision: string;
  /** Earlier numbers of a template that was rolled back to. */
  readonly revisionHistory: string;
  /** The replicas of the deployment at the last scaling. */
  readonly desiredReplicas: string;
  /** Those with the surge. */
  readonly maxReplicas: string;
  readonly rollbackTo: string;
  readonly lastApplied: string;
}

export function annotationNames(product: Product): AnnotationNames {
  const name = (suffix: string): string => product.rename(`deployment.kubernetes.io/${suffix}`);
  return {
    revision: name('revision'),
    revisionHistory: name('revision-history'),
    desiredReplicas: name('desired-replicas'),
    maxReplicas: name('max-replicas'),
    rollbackTo: 'deprecated.deployment.rollback.to',
    lastApplied: product.names.lastAppliedAnnotation,
  };
}

/** Limit of the annotation with earlier revisions, in characters (upstream maxRevHistoryLengthInChars). */
const maxHistoryLength = 2_000;

/** The integer in an annotation; undefined when there is none. Cf. strconv.ParseInt. */
export function integerAnnotation(annotations: Annotations | undefined, name: string): number | undefined {
  const text = annotations?.[name] ?? '';
  return /^[-+]?\d{1,18}$/.test(text) ? Number(text) : undefined;
}

/** Of 64 bits, as upstream; 0 without a valid revision. */
export function revisionOf({ metadata }: Pick<appsv1.ReplicaSet, 'metadata'>, names: AnnotationNames): bigint {
  return parseRevision(metadata.annotations?.[names.revision] ?? '') ?? 0n;
}

export function compareRevisions(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parseRevision(text: string): bigint | undefined {
  if (!/^[-+]?\d{1,19}$/.test(text)) return undefined;
  const revision = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, revision) === revision ? revision : undefined;
}

/** The annotations of a deployment that its ReplicaSets get too. */
function copiedAnnotations(annotations: Annotations = {}, names: AnnotationNames): Annotations {
  const skipped: ReadonlySet<string> = new Set(Object.values(names));
  return Object.fromEntries(Object.entries(annotations).filter(([name]) => !skipped.has(name)));
}

/** The annotations of the ReplicaSet that has the current template. Cf. SetNewReplicaSetAnnotations. */
export function newReplicaSetAnnotations(
  deployment: appsv1.Deployment,
  current: Annotations,
  revision: bigint,
  names: AnnotationNames,
): Annotations {
  const copied = { ...current, ...copiedAnnotations(deployment.metadata.annotations, names) };
  const old = current[names.revision] ?? '';
  const oldRevision = parseRevision(old);
  // Somebody else wrote a revision that is no number.
  if (old !== '' && oldRevision === undefined) return copied;
  if ((oldRevision ?? 0n) >= revision) return copied;
  const history = old === '' ? undefined : withRevision(current[names.revisionHistory] ?? '', old);
  return { ...copied, [names.revision]: `${revision}`, ...(history === undefined ? {} : { [names.revisionHistory]: history }) };
}

/** Appends a revision to the history, of which the oldest entries are dropped when it is too long. */
export function withRevision(history: string, revision: string): string {
  const entries = history === '' ? [revision] : [...history.split(','), revision];
  while (entries.length > 1 && entries.join(',').length > maxHistoryLength) entries.shift();
  return entries.join(',');
}

/** Cf. SetReplicasAnnotations. */
export function replicasAnnotations(desired: number, max: number, names: AnnotationNames): Annotations {
  return { [names.desiredReplicas]: `${desired}`, [names.maxReplicas]: `${max}` };
}

/** The annotations of a deployment that is rolled back: those of the ReplicaSet. Cf. SetDeploymentAnnotationsTo. */
export function rolledBackAnnotations(current: Annotations = {}, ofReplicaSet: Annotations = {}, names: AnnotationNames): Annotations {
  const ownNames = new Set(Object.values(names));
  const own = Object.entries(current).filter(([name]) => ownNames.has(name));
  return { ...Object.fromEntries(own), ...copiedAnnotations(ofReplicaSet, names) };
}
