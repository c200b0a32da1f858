import { type ApiClient, hasStatus, keyOf } from '../../client/index.ts';
import { type JsonObject, sameJson } from '../../meta/index.ts';
import { type appsv1, appsv1ControllerRevisions, appsv1DaemonSets, type corev1, corev1Pods } from '../../schema/api/index.ts';
import { isEqualRevision, nextRevisionNumber, podRevisionLabel, revisionName, sortRevisions, templatePatch } from '../history/index.ts';
import { newControllerReference, podTemplateHash } from '../pods/index.ts';

type DaemonSet = appsv1.DaemonSet;
type Revision = appsv1.ControllerRevision;

/** The revision of the current template, and the former ones, from the oldest on. */
export interface DaemonRevisions {
  readonly current: Revision;
  readonly old: readonly Revision[];
}

export function hashOf({ metadata }: Revision): string {
  return metadata.labels?.[podRevisionLabel] ?? '';
}

/** The revisions of daemon sets. Cf. pkg/controller/daemon/update.go constructHistory. */
export class DaemonHistory {
  readonly #client: ApiClient;

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** Creates the revision of the template when there is none, and makes an older equal one the newest. */
  async construct(
    set: DaemonSet,
    revisions: readonly Revision[],
    readPods: () => Promise<readonly corev1.Pod[]>,
  ): Promise<DaemonRevisions> {
    const data = templatePatch(set);
    const labeled: Revision[] = [];
    for (const revision of revisions) labeled.push(await this.#withHash(revision));
    const sorted = sortRevisions(labeled);
    const old = sorted.filter((revision) => !isEqualRevision(revision, { data }));
    const equal = sorted.filter((revision) => isEqualRevision(revision, { data }));
    const number = nextRevisionNumber(old);
    const newest = equal.at(-1);
    if (!newest) return { current: await this.#create(set, data, number), old };
    if (equal.length > 1) await this.#removeDuplicates(newest, equal, await readPods());
    if (newest.revision < number) await this.#revisions.update({ ...newest, revision: number });
    return { current: newest, old };
  }

  /** Deletes former revisions beyond the limit, apart from those of pods. Cf. cleanupHistory. */
  async truncate(set: DaemonSet, old: readonly Revision[], pods: readonly corev1.Pod[]): Promise<void> {
    const live = new Set(pods.map(({ metadata }) => metadata.labels?.[podRevisionLabel]));
    const excess = Math.max(0, old.length - (set.spec.revisionHistoryLimit ?? 10));
    const unused = old.filter((revision) => !live.has(hashOf(revision)));
    for (const revision of unused.slice(0, excess)) await this.#revisions.delete(keyOf(revision));
  }

  get #revisions() {
    return this.#client.resource(appsv1ControllerRevisions);
  }

  async #withHash(revision: Revision): Promise<Revision> {
    const { labels = {}, name = '' } = revision.metadata;
    if (Object.hasOwn(labels, podRevisionLabel)) return revision;
    return this.#revisions.update({ ...revision, metadata: { ...revision.metadata, labels: { ...labels, [podRevisionLabel]: name } } });
  }

  /** Cf. dedupCurHistories. */
  async #removeDuplicates(newest: Revision, equal: readonly Revision[], pods: readonly corev1.Pod[]): Promise<void> {
    const labels = { [podRevisionLabel]: hashOf(newest) };
    const others = pods.filter(({ metadata }) => metadata.labels?.[podRevisionLabel] !== hashOf(newest));
    for (const pod of others) await this.#client.resource(corev1Pods).patch(keyOf(pod), 'merge', { metadata: { labels } });
    for (const revision of equal) if (revision !== newest) await this.#revisions.delete(keyOf(revision));
  }

  /** Cf. snapshot. */
  async #create(set: DaemonSet, data: JsonObject, revision: number): Promise<Revision> {
    const { name: setName = '', namespace, annotations } = set.metadata;
    const hash = podTemplateHash(set.spec.template, set.status.collisionCount);
    const name = revisionName(setName, hash);
    const metadata = {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { ...set.spec.template.metadata.labels, [podRevisionLabel]: hash },
      ...(annotations ? { annotations } : {}),
      ownerReferences: [newControllerReference(set)],
    };
    try {
      return await this.#revisions.create({ metadata, data, revision });
    } catch (error) {
      if (!hasStatus(error, 409)) throw error;
      const existing = await this.#revisions.get({ name, namespace: namespace ?? '' });
      if (isEqualRevision(existing, { data })) return existing;
      await this.#countCollision(set);
      throw error;
    }
  }

  /** The next attempt uses another name. */
  async #countCollision(set: DaemonSet): Promise<void> {
    const sets = this.#client.resource(appsv1DaemonSets);
    const stored = await sets.get(keyOf(set));
    const { collisionCount } = stored.status;
    if (!sameJson(collisionCount ?? null, set.status.collisionCount ?? null)) {
      throw new Error(`found a stale collision count of DaemonSet ${set.metadata.name}; it is read again`);
    }
    await sets.updateStatus({ ...stored, status: { ...stored.status, collisionCount: (collisionCount ?? 0) + 1 } });
  }
}
