import { type ApiObject, formatTime, type Status, StatusError, sameJson, withMetadata } from '../meta/index.ts';
import { KeySpaceError } from '../storage/index.ts';
import type { WriteContext } from './create.ts';
import { type ObjectRef, type ObjectStore, staleWrite } from './object-store.ts';
import { checkDeletePreconditions, type Preconditions } from './preconditions.ts';
import type { StoredObject } from './stored-object.ts';
import type { Strategy } from './strategy.ts';

/** Delete options (part 2.8); members that the request does not set are absent. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean;
  readonly preconditions?: Preconditions;
}

export interface DeleteInput {
  readonly ref: ObjectRef;
  readonly options: DeleteOptions;
  readonly strategy: Strategy;
  /** Runs validating admission on the stored object. */
  readonly admit: (object: ApiObject) => Promise<void>;
}

/** `removed`: deleted from the store; otherwise only marked for deletion, or retained by finalizers. */
export interface DeleteResult {
  readonly removed: boolean;
  readonly answer: ApiObject | Status;
}

const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/**
 * Deletes an object of any kind (part 3.1), or marks it for deletion while it has finalizers or a grace period. Cf. upstream
 * registry.Store.Delete and rest.BeforeDelete.
 */
export async function deleteObject(store: ObjectStore, input: DeleteInput, context: WriteContext): Promise<DeleteResult> {
  for (;;) {
    const current = await store.get(input.ref);
    checkDeletePreconditions(input.ref, input.options.preconditions ?? {}, current.object);
    await input.admit(current.object);
    const done = await tryDelete(store, input, current, context);
    if (done) return done;
    // If the object was deleted meanwhile, the next iteration returns 404, as etcd3's conditionalDelete.
    if (input.options.preconditions?.resourceVersion !== undefined && (await store.find(input.ref))) throw staleWrite(input.ref);
  }
}

/** Returns undefined when the stored object changed concurrently. */
async function tryDelete(
  store: ObjectStore,
  input: DeleteInput,
  current: StoredObject,
  context: WriteContext,
): Promise<DeleteResult | undefined> {
  const { ref, strategy } = input;
  // Like upstream not the time of the request: an object marked since then would be marked again with an earlier time.
  const step = nextDeletionStep(current.object, input, formatTime(context.env.clock.nowMs()));
  if (step.kind === 'pending') return { removed: false, answer: deleteResponse(ref, current.object, strategy) };
  if (step.kind === 'mark') {
    if (context.dryRun || sameJson(step.object, current.object)) return { removed: false, answer: step.object };
    const marked = await store.replace(ref, current, step.object, context.requestId);
    return marked && { removed: false, answer: marked.object };
  }
  const last = step.object;
  if (context.dryRun) return { removed: true, answer: deleteResponse(ref, last, strategy) };
  const base = last === current.object ? current : await markBeforeRemoval(store, ref, current, last);
  if (!base) return undefined;
  const commit = await store.remove(ref, base, context.requestId);
  return (
    commit && {
      removed: true,
      answer: deleteResponse(ref, withMetadata(base.object, { resourceVersion: String(commit.revision) }), strategy),
    }
  );
}

/**
 * Watches get the marked object before the DELETED event, as they do where a kubelet confirms the deletion. A store without space
 * accepts only deletes: then the object is removed without the mark.
 */
async function markBeforeRemoval(
  store: ObjectStore,
  ref: ObjectRef,
  current: StoredObject,
  marked: ApiObject,
): Promise<StoredObject | undefined> {
  try {
    return await store.replace(ref, current, marked, undefined);
  } catch (error) {
    const cause = error instanceof StatusError ? error.cause : undefined;
    if (cause instanceof KeySpaceError && cause.code === 'out-of-space') return current;
    throw error;
  }
}

type DeletionStep =
  | { readonly kind: 'remove'; readonly object: ApiObject }
  | { readonly kind: 'mark'; readonly object: ApiObject }
  /** The object is being deleted, and this request does not shorten its grace period. */
  | { readonly kind: 'pending' };

function nextDeletionStep(object: ApiObject, { options, strategy }: DeleteInput, now: string): DeletionStep {
  const requested = options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  const graceful = applyGracePeriod(object, requested, strategy, now);
  if (graceful === 'pending') return { kind: 'pending' };
  const finalizers = propagationFinalizers(object, options, strategy);
  const next =
    finalizers === undefined ? graceful : withMetadata(graceful ?? object, { finalizers: finalizers.length > 0 ? finalizers : undefined });
  const held = ((next ?? object).metadata.finalizers ?? []).length > 0;
  if (graceful) {
    const waits = held || (graceful.metadata.deletionGracePeriodSeconds ?? 0) > 0;
    return { kind: waits ? 'mark' : 'remove', object: next ?? graceful };
  }
  return held ? { kind: 'mark', object: markForDeletion(next ?? object, now) } : { kind: 'remove', object };
}

/** Returns undefined for kinds without a grace period, and `pending` when this request may not change a running one. */
function applyGracePeriod(
  object: ApiObject,
  requested: number | undefined,
  strategy: Strategy,
  now: string,
): ApiObject | 'pending' | undefined {
  const { metadata } = object;
  if (!strategy.gracePeriodSeconds) return undefined;
  if (metadata.deletionTimestamp !== undefined) {
    const running = metadata.deletionGracePeriodSeconds ?? 0;
    if (running === 0) return undefined;
    if (requested === undefined || requested >= running) return 'pending';
    const since = Date.parse(metadata.deletionTimestamp) - running * 1000;
    return withMetadata(object, { deletionTimestamp: formatTime(since + requested * 1000), deletionGracePeriodSeconds: requested });
  }
  const period = strategy.gracePeriodSeconds(object, requested);
  if (period === undefined) return undefined;
  return withMetadata(object, {
    deletionTimestamp: formatTime(Date.parse(now) + period * 1000),
    deletionGracePeriodSeconds: period,
    ...incrementedGeneration(object),
  });
}

function markForDeletion(object: ApiObject, now: string): ApiObject {
  const { metadata } = object;
  const marked = metadata.deletionTimestamp !== undefined && Date.parse(metadata.deletionTimestamp) <= Date.parse(now);
  return withMetadata(object, {
    ...(metadata.deletionGracePeriodSeconds === undefined ? incrementedGeneration(object) : {}),
    ...(marked ? {} : { deletionTimestamp: now }),
    deletionGracePeriodSeconds: 0,
  });
}

function incrementedGeneration({ metadata }: ApiObject): { generation?: number } {
  return metadata.generation !== undefined && metadata.generation > 0 ? { generation: metadata.generation + 1 } : {};
}

/** Returns the finalizers that the propagation policy requires; undefined when they are already set. */
export function propagationFinalizers(object: ApiObject, options: DeleteOptions, strategy: Strategy): readonly string[] | undefined {
  const present = object.metadata.finalizers ?? [];
  const policy = propagationPolicyOf(present, options, strategy);
  const others = present.filter((finalizer) => finalizer !== orphan && finalizer !== foreground);
  const wanted = policy === 'Orphan' ? [...others, orphan] : policy === 'Foreground' ? [...others, foreground] : others;
  const before = new Set(present);
  const same = wanted.length === present.length && wanted.every((finalizer) => before.has(finalizer));
  return same ? undefined : wanted;
}

/** The requested policy, else that of an earlier request (by its finalizer on the object), else the kind's default. */
function propagationPolicyOf(present: readonly string[], options: DeleteOptions, strategy: Strategy): string {
  if (!strategy.garbageCollected) return 'Background';
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  const earlier = present.find((finalizer) => finalizer === orphan || finalizer === foreground);
  if (earlier) return earlier === orphan ? 'Orphan' : 'Foreground';
  return strategy.orphansByDefault ? 'Orphan' : 'Background';
}

function deleteResponse(ref: ObjectRef, object: ApiObject, strategy: Strategy): ApiObject | Status {
  if (strategy.deleteReturnsObject) return object;
  const { group, name: kind } = ref.resource;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: ref.name, ...(group === '' ? {} : { group }), kind, uid: object.metadata.uid ?? '' },
  };
}
