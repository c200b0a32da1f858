import type { EventHandler, KubeObject } from '../../client/index.ts';
import { sameJson } from '../../meta/index.ts';
import type { ControllerLookup } from './controller-lookup.ts';
import { controllerOf } from './controller-reference.ts';

export interface DependentHandlers<Owner extends KubeObject, Dependent extends KubeObject> {
  /** Adds a controller to the queue: one of its objects changed, or there is one that it may adopt. */
  enqueue(owner: Owner): void;
  /** The cache shows a new object of the owner; before `enqueue`. */
  onCreated?(owner: Owner, object: Dependent): void;
  /** The object is being deleted, or was deleted; before `enqueue`. */
  onDeleted?(owner: Owner, object: Dependent): void;
  /** After `enqueue`. */
  onUpdated?(owner: Owner, object: Dependent, old: Dependent): void;
}

export interface DependentHandlerOptions {
  /** Whether an object with a deletionTimestamp counts as deleted, as pods do. Default: true. */
  readonly isDeletionFinal?: boolean;
  /** Whether an added object adds its controller to the queue. Default: true. */
  readonly isAdditionSynced?: boolean;
}

/**
 * A handler that maps the changes of objects, such as pods, to their controllers. Cf. addPod, updatePod and deletePod of the controllers of
 * pods, which are alike.
 */
export function mapToControllers<Owner extends KubeObject, Dependent extends KubeObject>(
  lookup: ControllerLookup<Owner>,
  handlers: DependentHandlers<Owner, Dependent>,
  { isDeletionFinal = true, isAdditionSynced = true }: DependentHandlerOptions = {},
): Required<EventHandler<Dependent>> {
  const enqueueMatching = (object: Dependent): void => {
    for (const owner of lookup.matching(object)) handlers.enqueue(owner);
  };

  const onDeleted = (object: Dependent): void => {
    const owner = lookup.ownerOf(object);
    if (!owner) return;
    handlers.onDeleted?.(owner, object);
    handlers.enqueue(owner);
  };

  const onAdd = (object: Dependent): void => {
    // After a restart an object may be deleted already when it is first seen.
    if (object.metadata.deletionTimestamp !== undefined) {
      onDeleted(object);
      return;
    }
    if (!controllerOf(object)) {
      enqueueMatching(object);
      return;
    }
    const owner = lookup.ownerOf(object);
    if (!owner) return;
    handlers.onCreated?.(owner, object);
    if (isAdditionSynced) handlers.enqueue(owner);
  };

  const onUpdate = (object: Dependent, old: Dependent): void => {
    const isRelabeled = !hasSameLabels(object, old);
    if (isDeletionFinal && object.metadata.deletionTimestamp !== undefined) {
      onDeleted(object);
      if (isRelabeled) onDeleted(old);
      return;
    }
    const isTransferred = !hasSameController(object, old);
    const former = isTransferred && lookup.ownerOf(old);
    if (former) handlers.enqueue(former);
    if (controllerOf(object)) {
      const owner = lookup.ownerOf(object);
      if (!owner) return;
      handlers.enqueue(owner);
      handlers.onUpdated?.(owner, object, old);
    } else if (isRelabeled || isTransferred) enqueueMatching(object);
  };

  return { onAdd, onUpdate, onDelete: onDeleted };
}

function hasSameLabels(one: KubeObject, other: KubeObject): boolean {
  return sameJson(one.metadata.labels ?? {}, other.metadata.labels ?? {});
}

function hasSameController(one: KubeObject, other: KubeObject): boolean {
  return sameJson(controllerOf(one) ?? null, controllerOf(other) ?? null);
}
