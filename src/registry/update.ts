import { createPace } from '../env/index.ts';
import { type ApiObject, type FieldError, invalid, invalidObject, notFound, StatusError, sameJson, withMetadata } from '../meta/index.ts';
import { restoreUnchangedTimes } from '../patch/index.ts';
import {
  type CreateInput,
  createObject,
  ensureObjectNamespaceMatchesRequestNamespace,
  requireValid,
  type WriteContext,
  type WriteResult,
} from './create.ts';
import { NameTakenError, type ObjectRef, type ObjectStore, staleWrite, subjectOf } from './object-store.ts';
import { checkUpdatePreconditions } from './preconditions.ts';
import type { StoredObject } from './stored-object.ts';
import type { Strategy } from './strategy.ts';

export interface UpdateInput {
  readonly ref: ObjectRef;
  /**
   * Computes the object to store from the stored one (undefined when it does not exist). Called again when the stored object changed
   * concurrently. An empty resourceVersion in the result means an unconditional update.
   */
  readonly next: (current: ApiObject | undefined) => Promise<ApiObject>;
  readonly strategy: Strategy;
  readonly validateMetadata: (object: ApiObject) => readonly FieldError[];
  readonly validateMetadataUpdate: (next: ApiObject, old: ApiObject) => readonly FieldError[];
  /** Runs validating admission. */
  readonly admit: (next: ApiObject, old: ApiObject | undefined) => Promise<void>;
  /** Precondition: the uid in the body of a PUT. */
  readonly uid: string | undefined;
  /** Creates a missing object whatever the kind's strategy allows, as an apply does. */
  readonly createMissing: boolean;
}

export interface UpdateResult extends WriteResult {
  readonly created: boolean;
}

/**
 * Replaces an object of any kind, or creates it where that is allowed. Cf. upstream registry.Store.Update and rest.BeforeUpdate.
 * A write whose base object changed concurrently is retried from the new one, unless the request specifies a resourceVersion.
 */
export async function updateObject(store: ObjectStore, input: UpdateInput, context: WriteContext): Promise<UpdateResult> {
  for (;;) {
    const current = await store.find(input.ref);
    const updated = current ? await updateExisting(store, input, current, context) : await createMissing(store, input, context);
    if (updated) return updated;
  }
}

/** Returns undefined when the object was created concurrently: then that object is updated. */
async function createMissing(store: ObjectStore, input: UpdateInput, context: WriteContext): Promise<UpdateResult | undefined> {
  const { ref, strategy } = input;
  // Upstream checks preconditions of a missing object only where it may be created (ignoreNotFound of Store.Update).
  if (!strategy.createOnUpdate && !input.createMissing) throw notFound(subjectOf(ref.resource), ref.name);
  const object = await input.next(undefined);
  checkUpdatePreconditions(ref, { uid: input.uid }, withMetadata(object, { uid: undefined }), context.dryRun);
  const create: CreateInput = {
    ref,
    object: withMetadata(object, { resourceVersion: undefined }),
    strategy,
    validateMetadata: input.validateMetadata,
    admit: (made) => input.admit(made, undefined),
  };
  try {
    return { ...(await createObject(store, create, context)), created: true };
  } catch (error) {
    // That object may be deleted again already: then the loop finds it missing once more (upstream GuaranteedUpdate).
    if (error instanceof NameTakenError) return undefined;
    throw error;
  }
}

/** Returns undefined when the stored object changed concurrently and the write may be retried. */
async function updateExisting(
  store: ObjectStore,
  input: UpdateInput,
  current: StoredObject,
  context: WriteContext,
): Promise<UpdateResult | undefined> {
  const { ref, strategy } = input;
  const old = strategy.stored.read(current.object);
  checkUpdatePreconditions(ref, { uid: input.uid }, old, context.dryRun);
  await context.pause();
  const requested = await input.next(old);
  const version = versionOf(requested);
  const unconditional = version === 0n;
  if (unconditional && !strategy.unconditionalUpdate) {
    throw invalidObject(subjectOf(ref.resource), ref.name, [invalid('metadata.resourceVersion', 0, 'must be specified for an update')]);
  }
  if (!unconditional && version !== BigInt(current.entry.revision)) throw staleWrite(ref);
  const allocation = await strategy.allocate?.(requested, old, context);
  try {
    const stored = await replaceExisting(store, input, current, allocation?.object ?? requested, context);
    // If the object was deleted meanwhile, the next iteration returns 404, as etcd3's GuaranteedUpdate.
    if (!stored && !unconditional && (await store.find(ref))) throw staleWrite(ref);
    return stored;
  } finally {
    await allocation?.end();
  }
}

/** Returns undefined when the stored object changed concurrently. */
async function replaceExisting(
  store: ObjectStore,
  input: UpdateInput,
  current: StoredObject,
  requested: ApiObject,
  context: WriteContext,
): Promise<UpdateResult | undefined> {
  const { ref, strategy } = input;
  const old = strategy.stored.read(current.object);
  await context.pause();
  // Again: mutating admission may have changed it.
  const placed = ensureObjectNamespaceMatchesRequestNamespace(requested, ref.resource, ref.namespace);
  const next = prepareForUpdate(placed, old, strategy, context);
  await context.pause();
  const metadataErrors = input.validateMetadataUpdate(next, old);
  await context.pause();
  const pace = createPace(context.env.clock);
  await strategy.prepareValidation?.(next, pace);
  const found = strategy.validateUpdate(next, old, context);
  await context.pause();
  const errors = (await strategy.validateLast?.(next, old, found, context, pace)) ?? found;
  requireValid(ref.resource, next, [...metadataErrors, ...errors], context.product);
  for (const text of strategy.warnings?.(next, old, context) ?? []) context.warn(text);
  await input.admit(next, old);
  await context.pause();
  const encoded = strategy.stored.write(next);
  await context.pause();
  if (shouldDeleteDuringUpdate(next, old)) return deleteWithLastFinalizer(store, ref, current, encoded, context);
  const settled = restoreUnchangedTimes(current.object, encoded);
  if (context.dryRun) return { object: dryRunResult(settled, requested, old), stored: undefined, created: false };
  const first = current.entry.createRevision === current.entry.revision;
  const isUnchanged = sameJson(settled, current.object) && (!first || strategy.isSettled(old));
  if (isUnchanged && !store.keySpace.needsRewrite?.(current.entry)) {
    return { object: current.object, stored: current, created: false };
  }
  await context.pause();
  const stored = await store.replace(ref, current, encoded, context.requestId);
  return stored && { object: stored.object, stored, created: false };
}

/** Restores fields that only a real write changes. */
function dryRunResult(encoded: ApiObject, requested: ApiObject, old: ApiObject): ApiObject {
  return withMetadata(encoded, { resourceVersion: old.metadata.resourceVersion, selfLink: requested.metadata['selfLink'] });
}

/** Returns 0 for an unconditional update. @throws StatusError 500 for a version that is no number, like kube-apiserver */
function versionOf(object: ApiObject): bigint {
  const text = object.metadata.resourceVersion ?? '';
  if (text === '') return 0n;
  if (/^\d+$/.test(text) && BigInt(text) < 2n ** 64n) return BigInt(text);
  const why = /^\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw new StatusError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
}

function prepareForUpdate(requested: ApiObject, old: ApiObject, strategy: Strategy, context: WriteContext): ApiObject {
  const { metadata } = old;
  const draft = withMetadata(requested, { generation: metadata.generation });
  const next = strategy.prepareForUpdate(draft, old, context);
  return withMetadata(next, {
    uid: next.metadata.uid ?? metadata.uid,
    resourceVersion: metadata.resourceVersion,
    creationTimestamp: metadata.creationTimestamp,
    selfLink: metadata['selfLink'],
    ...(metadata.deletionTimestamp === undefined ? {} : { deletionTimestamp: metadata.deletionTimestamp }),
    ...(next.metadata.deletionGracePeriodSeconds === undefined ? { deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds } : {}),
  });
}

/** Whether the last finalizer of an object marked for deletion was removed, so that it can be deleted. */
function shouldDeleteDuringUpdate(next: ApiObject, old: ApiObject): boolean {
  if (old.metadata.deletionTimestamp === undefined || (next.metadata.finalizers ?? []).length > 0) return false;
  return !hasSpecFinalizers(next) && (old.metadata.deletionGracePeriodSeconds ?? 0) === 0;
}

/** Only namespaces have finalizers in their spec. */
function hasSpecFinalizers(object: ApiObject): boolean {
  const spec = object['spec'] as { readonly finalizers?: readonly string[] } | undefined;
  return object.kind === 'Namespace' && (spec?.finalizers ?? []).length > 0;
}

/** The response contains the updated object with its OLD resourceVersion; the DELETED event has the new one. */
async function deleteWithLastFinalizer(
  store: ObjectStore,
  ref: ObjectRef,
  current: StoredObject,
  next: ApiObject,
  context: WriteContext,
): Promise<UpdateResult | undefined> {
  const shown = withMetadata(next, { resourceVersion: current.object.metadata.resourceVersion });
  if (!context.dryRun && !(await store.remove(ref, current, context.requestId))) return undefined;
  return { object: shown, stored: undefined, created: false };
}
