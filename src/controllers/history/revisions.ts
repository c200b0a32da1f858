import type { KubeObject, PartialObject } from '../../client/index.ts';
import { compareByCreation } from '../../component-helpers/index.ts';
import { type JsonObject, type Labels, sortMembers } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../../schema/api/index.ts';
import { newControllerReference } from '../pods/index.ts';
import { hashRevisionData, revisionBytes } from './revision-hash.ts';

/** The label of a revision with the hash of its data. */
export const revisionHashLabel = 'controller.kubernetes.io/hash';

/** The label of pods, and of the revisions of daemon sets, that names the revision. */
export const podRevisionLabel = 'controller-revision-hash';

/** Longer names of controllers are cut off in the names of their revisions. */
const maxPrefixLength = 223;

export interface NewRevision {
  readonly labels: Labels;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly data: JsonObject;
  readonly revision: number;
  readonly collisionCount: number;
  /** The label with the hash, under the name of the product. */
  readonly hashLabel: string;
}

/** A revision that is not created yet. Cf. pkg/controller/history NewControllerRevision. */
export function newRevision(
  parent: KubeObject,
  { labels, annotations, data, revision, collisionCount, hashLabel }: NewRevision,
): PartialObject<appsv1.ControllerRevision> {
  const hash = hashRevisionData(data, collisionCount);
  const { namespace, name = '' } = parent.metadata;
  return {
    metadata: {
      name: revisionName(name, hash),
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...labels, [hashLabel]: hash },
      ...(annotations ? { annotations } : {}),
      ownerReferences: [newControllerReference(parent)],
    },
    data,
    revision,
  };
}

/** The data of the revision of a set: a patch that replaces its template. Its members are sorted, since clients compare bytes. Cf. getPatch. */
export function templatePatch({ spec }: { readonly spec: { readonly template: corev1.PodTemplateSpec } }): JsonObject {
  const template = spec.template as unknown as JsonObject;
  return sortMembers({ spec: { template: { ...template, $patch: 'replace' } } }) as JsonObject;
}

export function revisionName(parent: string, hash: string): string {
  return `${parent.slice(0, maxPrefixLength)}-${hash}`;
}

/** The number of the next revision. `revisions` are sorted. */
export function nextRevisionNumber(revisions: readonly Pick<appsv1.ControllerRevision, 'revision'>[]): number {
  return (revisions.at(-1)?.revision ?? 0) + 1;
}

/** By number, then age, then name. Cf. history.SortControllerRevisions. */
export function sortRevisions(revisions: readonly appsv1.ControllerRevision[]): readonly appsv1.ControllerRevision[] {
  return [...revisions].sort((a, b) => a.revision - b.revision || compareByCreation(a, b));
}

/** Whether two revisions have the same data. Cf. history.EqualRevision. */
export function isEqualRevision(a: { readonly data?: unknown }, b: { readonly data?: unknown }): boolean {
  return revisionBytes(a.data ?? null) === revisionBytes(b.data ?? null);
}

/** The oldest revisions beyond the limit, of those that are not in use. `revisions` are sorted. */
export function revisionsBeyondLimit(
  revisions: readonly appsv1.ControllerRevision[],
  isLive: (revision: appsv1.ControllerRevision) => boolean,
  limit: number,
): readonly appsv1.ControllerRevision[] {
  const historic = revisions.filter((revision) => !isLive(revision));
  return historic.slice(0, Math.max(0, historic.length - limit));
}
