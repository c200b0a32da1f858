import { hasStatus, type KubeObject, keyOf, type PartialObject, type ResourceClient, type SharedInformer } from '../../client/index.ts';
import type { appsv1 } from '../../schema/api/index.ts';
import { ControlledObjects, controllerOf, type LabelMatcher, newControllerReference } from '../pods/index.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { hashRevisionData } from './revision-hash.ts';
import { isEqualRevision, revisionName } from './revisions.ts';

type Revision = appsv1.ControllerRevision;

/** A created revision, and the number of collisions of its name so far. */
export interface CreatedRevision {
  readonly revision: Revision;
  readonly collisionCount: number;
}

/** Attempts to write a number of a revision that others change. Cf. client-go retry.DefaultBackoff. */
const maxAttempts = 4;

/** Reads and writes the revisions of controllers. Cf. pkg/controller/history realHistory. */
export class ControllerHistory {
  readonly #client: ResourceClient<Revision>;
  readonly #controlled: ControlledObjects<Revision>;

  constructor(client: ResourceClient<Revision>, revisions: SharedInformer<Revision>) {
    this.#client = client;
    this.#controlled = new ControlledObjects(revisions);
  }

  /** The selected revisions of the parent, and those without a controller. */
  list(parent: KubeObject, isSelected: LabelMatcher): readonly Revision[] {
    return this.#controlled.withOrphans(parent).filter(({ metadata }) => isSelected(metadata.labels));
  }

  /**
   * Creates a revision. Another one of its name is returned when it has the same data; otherwise the collision count and thereby the name
   * is changed.
   */
  async create(parent: KubeObject, revision: PartialObject<Revision>, collisionCount: number): Promise<CreatedRevision> {
    const { name: parentName = '', namespace = '' } = parent.metadata;
    for (let count = collisionCount; ; count++) {
      const name = revisionName(parentName, hashRevisionData(revision.data, count));
      try {
        const created = await this.#client.create({ ...revision, metadata: { ...revision.metadata, name } });
        return { revision: created, collisionCount: count };
      } catch (error) {
        if (!hasStatus(error, 409) || error.reason !== 'AlreadyExists') throw error;
        const existing = await this.#client.get({ namespace, name });
        if (isEqualRevision(existing, revision)) return { revision: existing, collisionCount: count };
      }
    }
  }

  /** Changes the number of a revision. */
  async renumber(given: Revision, revision: number): Promise<Revision> {
    const write = async (current: Revision): Promise<Revision> =>
      current.revision === revision ? current : this.#client.update({ ...current, revision });
    return retryOnConflict(given, write, () => this.#client.get(keyOf(given)), maxAttempts);
  }

  async delete(revision: Revision): Promise<void> {
    await this.#client.delete(keyOf(revision));
  }

  /** Makes the parent the controller of a revision without a controller. */
  async adopt(parent: KubeObject, revision: Revision): Promise<Revision> {
    const controller = controllerOf(revision);
    if (controller) throw new Error(`attempt to adopt revision owned by ${controller.kind} ${controller.name}`);
    const metadata = { uid: revision.metadata.uid, ownerReferences: [newControllerReference(parent)] };
    return this.#client.patch(keyOf(revision), 'strategic', { metadata });
  }
}
