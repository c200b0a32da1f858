import type { Product } from '../../meta/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';
import {
  type ControllerHistory,
  isEqualRevision,
  newRevision,
  nextRevisionNumber,
  revisionHashLabel,
  templatePatch,
} from '../history/index.ts';

/** The revisions that the pods of a set have or get. */
export interface CurrentRevisions {
  readonly current: appsv1.ControllerRevision;
  readonly update: appsv1.ControllerRevision;
  readonly collisionCount: number;
}

/**
 * Finds the revisions of a set; creates that of its template when there is none, and makes an older equal one the newest. `revisions` are
 * sorted. Cf. getStatefulSetRevisions.
 */
export async function findRevisions(
  set: appsv1.StatefulSet,
  revisions: readonly appsv1.ControllerRevision[],
  history: ControllerHistory,
  product: Pick<Product, 'rename'>,
): Promise<CurrentRevisions> {
  const { collisionCount = 0, currentRevision } = set.status;
  const wanted = newRevision(set, {
    labels: set.spec.template.metadata.labels ?? {},
    ...(set.metadata.annotations ? { annotations: set.metadata.annotations } : {}),
    data: templatePatch(set),
    revision: nextRevisionNumber(revisions),
    collisionCount,
    hashLabel: product.rename(revisionHashLabel),
  });
  const latest = revisions.at(-1);
  const equal = revisions.findLast((revision) => isEqualRevision(revision, wanted));
  const found = await findUpdate();
  const current = revisions.find(({ metadata }) => metadata.name === currentRevision) ?? found.revision;
  return { current, update: found.revision, collisionCount: found.collisionCount };

  async function findUpdate(): ReturnType<ControllerHistory['create']> {
    if (!equal) return history.create(set, wanted, collisionCount);
    if (latest && isEqualRevision(latest, equal)) return { revision: latest, collisionCount };
    return { revision: await history.renumber(equal, wanted.revision ?? 1), collisionCount };
  }
}
