import { hasStatus, type KubeObject, keyOf, type ResourceClient } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import { aggregateErrors } from '../../meta/index.ts';
import { controllerOf, newControllerReference } from './controller-reference.ts';

export interface ClaimOptions<T extends KubeObject> {
  /** The controller in the cache. */
  readonly controller: KubeObject;
  /** Reads the controller from the server: the cache may not show its deletion. */
  readonly readController: () => Promise<KubeObject>;
  /** Writes the references of the claimed objects. */
  readonly objects: ResourceClient<T>;
  /** Whether the controller selects the object. */
  readonly matches: (object: T) => boolean;
  /** Finalizers that adopted objects get and released ones lose. */
  readonly finalizers?: readonly string[];
}

/**
 * Returns the objects of the controller: adopts those without a controller that it selects, and releases its own that it does not select
 * any more. Cf. controller_ref_manager.go BaseControllerRefManager.ClaimObject.
 *
 * @throws Error when an object could be neither adopted nor released; the others are claimed before
 */
export async function claimObjects<T extends KubeObject>(candidates: readonly T[], options: ClaimOptions<T>): Promise<readonly T[]> {
  const claim = new Claim(options);
  const claimed: T[] = [];
  const failures: string[] = [];
  for (const object of candidates) {
    try {
      if (await claim.claim(object)) claimed.push(object);
    } catch (error) {
      failures.push(errorMessage(error));
    }
  }
  if (failures.length > 0) throw new Error(aggregateErrors(failures));
  return claimed;
}

class Claim<T extends KubeObject> {
  readonly #options: ClaimOptions<T>;
  /** Whether the controller may adopt, read at most once. */
  #permission: Promise<void> | undefined;

  constructor(options: ClaimOptions<T>) {
    this.#options = options;
  }

  /** Whether the object belongs to the controller now. */
  async claim(object: T): Promise<boolean> {
    const { controller, matches } = this.#options;
    const reference = controllerOf(object);
    const isBeingDeleted = controller.metadata.deletionTimestamp !== undefined;
    if (reference) {
      if (reference.uid !== controller.metadata.uid) return false;
      if (matches(object)) return true;
      if (!isBeingDeleted) await this.#release(object);
      return false;
    }
    if (isBeingDeleted || !matches(object) || object.metadata.deletionTimestamp !== undefined) return false;
    if (controller.metadata.namespace !== object.metadata.namespace) return false;
    return this.#adopt(object);
  }

  /** False when the object was deleted. */
  async #adopt(object: T): Promise<boolean> {
    const { controller, objects, finalizers, readController } = this.#options;
    const { namespace, name, uid } = object.metadata;
    this.#permission ??= checkAdoption(controller, readController);
    await this.#permission.catch((error: unknown) => {
      throw new Error(`can't adopt ${objects.kind} ${namespace}/${name} (${uid}): ${errorMessage(error)}`);
    });
    const references = [newControllerReference(controller)];
    const metadata = { uid, ownerReferences: references, ...(finalizers ? { finalizers } : {}) };
    return this.#patch(object, { metadata }, [404]);
  }

  /** An object that was deleted (404), was replaced, or has no owner references (422) is released already. */
  async #release(object: T): Promise<void> {
    const { controller, finalizers } = this.#options;
    const ownerReferences = [{ $patch: 'delete', uid: controller.metadata.uid }];
    const lost = finalizers ? { '$deleteFromPrimitiveList/finalizers': finalizers } : {};
    await this.#patch(object, { metadata: { uid: object.metadata.uid, ownerReferences, ...lost } }, [404, 422]);
  }

  async #patch(object: T, patch: object, ignored: readonly number[]): Promise<boolean> {
    try {
      await this.#options.objects.patch(keyOf(object), 'strategic', patch);
      return true;
    } catch (error) {
      if (hasStatus(error, ...ignored)) return false;
      throw error;
    }
  }
}

/** Cf. RecheckDeletionTimestamp: a controller that is being deleted must not adopt the objects that the collector orphans. @throws Error */
export async function checkAdoption(controller: KubeObject, readController: () => Promise<KubeObject>): Promise<void> {
  const { metadata } = await readController();
  const { namespace, name, uid } = controller.metadata;
  if (metadata.uid !== uid) {
    throw new Error(`original ${controller.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`);
  }
  if (metadata.deletionTimestamp !== undefined) {
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`);
  }
}
