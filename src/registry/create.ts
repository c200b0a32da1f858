import { createPace, type Env, type Pace } from '../env/index.ts';
import { type ApiObject, badRequest, type FieldError, invalidObject, type Product, StatusError, withMetadata } from '../meta/index.ts';
import { parseGroupVersion, type Resource } from '../schema/index.ts';
import { NameTakenError, type ObjectRef, type ObjectStore } from './object-store.ts';
import type { StoredObject } from './stored-object.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

/** 27 letters and digits that form no words (upstream util/rand). */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxBaseLength = 63 - suffixLength;
/**
 * 8 attempts bound the collision probability below 0.1 % for up to a million names of one base (upstream maxNameGenerationCreateAttempts).
 */
const nameAttempts = 8;

/** The context of a write. */
export interface WriteContext extends StrategyContext {
  readonly env: Env;
  /** Idempotency key, stored with the write so that a repetition is detected. */
  readonly requestId: string | undefined;
  /** Awaited between the stages of a write: yields to other requests while a large object is processed. */
  readonly pause: () => Promise<void> | undefined;
  /** Collects texts of Warning headers. */
  readonly warn: (text: string) => void;
}

export interface CreateInput {
  readonly ref: ObjectRef;
  readonly object: ApiObject;
  readonly strategy: Strategy;
  readonly validateMetadata: (object: ApiObject) => readonly FieldError[];
  /** Runs validating admission on the object to be stored. */
  readonly admit: (object: ApiObject) => Promise<void>;
}

/** Result of a create or an update; `stored` is undefined for a dry run and for an update that deletes the object. */
export interface WriteResult {
  readonly object: ApiObject;
  readonly stored: StoredObject | undefined;
}

/** Creates an object of any kind. Cf. upstream registry.Store.Create and rest.BeforeCreate. */
export async function createObject(store: ObjectStore, input: CreateInput, context: WriteContext): Promise<WriteResult> {
  const generated = (input.object.metadata.name ?? '') === '' && (input.object.metadata.generateName ?? '') !== '';
  for (let attempt = 1; ; attempt++) {
    try {
      return await createWithAllocation(store, input, context);
    } catch (error) {
      const clashed = generated && error instanceof StatusError && error.reason === 'AlreadyExists';
      if (!clashed || attempt === nameAttempts) throw error;
    }
  }
}

async function createWithAllocation(store: ObjectStore, input: CreateInput, context: WriteContext): Promise<WriteResult> {
  const allocation = await input.strategy.allocate?.(input.object, undefined, context);
  try {
    return await createAllocated(store, allocation ? { ...input, object: allocation.object } : input, context);
  } finally {
    await allocation?.end();
  }
}

async function createAllocated(store: ObjectStore, input: CreateInput, context: WriteContext): Promise<WriteResult> {
  const { strategy, ref } = input;
  await context.pause();
  // Again: mutating admission may have changed it.
  const placed = ensureObjectNamespaceMatchesRequestNamespace(input.object, ref.resource, ref.namespace);
  const object = strategy.prepareForCreate(withSystemFields(placed, ref.resource, context), context);
  await context.pause();
  const namedRef = { ...ref, name: object.metadata.name ?? '' };
  const errors = await validateNewObject(object, input, context, createPace(context.env.clock));
  await context.pause();
  requireValid(ref.resource, object, errors, context.product);
  for (const text of strategy.warnings?.(object, undefined, context) ?? []) context.warn(text);
  await input.admit(object);
  await context.pause();
  const encoded = strategy.stored.write(object);
  await context.pause();
  if (!context.dryRun) {
    const stored = await store.create(namedRef, encoded, context.requestId);
    return { object: stored.object, stored };
  }
  const found = await store.find(namedRef);
  if (found) throw new NameTakenError(namedRef, object, found);
  // Only the store checks a requested version, so a dry run returns it unchanged.
  return { object: withMetadata(encoded, { resourceVersion: input.object.metadata.resourceVersion }), stored: undefined };
}

/** Validates a new object in upstream's order (rest.BeforeCreate). */
export async function validateNewObject(
  object: ApiObject,
  { strategy, validateMetadata }: Pick<CreateInput, 'strategy' | 'validateMetadata'>,
  context: StrategyContext & Partial<Pick<WriteContext, 'pause'>>,
  pace: Pace,
): Promise<readonly FieldError[]> {
  await strategy.prepareValidation?.(object, pace);
  const first = strategy.validate(object, context);
  await context.pause?.();
  const found = (await strategy.validateLast?.(object, undefined, first, context, pace)) ?? first;
  const errors = strategy.validateAsync ? await strategy.validateAsync(object, found) : found;
  return strategy.validatesMetadataLast && errors.length > 0 ? errors : [...validateMetadata(object), ...errors];
}

function withSystemFields(object: ApiObject, resource: Resource, context: WriteContext): ApiObject {
  const { name = '', generateName = '' } = object.metadata;
  return withMetadata(object, {
    ...(name === '' && generateName !== '' ? { name: appendRandomSuffix(generateName, context) } : {}),
    ...(resource.namespaced ? {} : { namespace: undefined }),
    uid: context.random.uuid(),
    creationTimestamp: context.now,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    selfLink: undefined,
  });
}

function appendRandomSuffix(base: string, { random }: WriteContext): string {
  const suffix = Array.from({ length: suffixLength }, () => nameAlphabet[random.integer(nameAlphabet.length)]).join('');
  return `${base.slice(0, maxBaseLength)}${suffix}`;
}

/**
 * The namespace of the body must be empty or that of the path (upstream EnsureObjectNamespaceMatchesRequestNamespace). Returns the
 * object with the namespace of the path. @throws StatusError 400
 */
export function ensureObjectNamespaceMatchesRequestNamespace(object: ApiObject, resource: Resource, namespace: string): ApiObject {
  const expected = resource.namespaced ? namespace : '';
  const given = object.metadata.namespace ?? '';
  if (given === expected) return object;
  if (expected === '') return withMetadata(object, { namespace: undefined });
  if (given === '') return withMetadata(object, { namespace: expected });
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

/** @throws StatusError 422; 400 when only required fields are missing and the product has the switch `missingRequiredIs400` (part 7) */
export function requireValid(resource: Resource, object: ApiObject, errors: readonly FieldError[], product: Product): void {
  if (errors.length === 0) return;
  // The error names the storage group: events of both groups are stored as core's. A custom object may state another group.
  const { group } = parseGroupVersion(resource.custom ? object.apiVersion : resource.storageVersion);
  const invalid = invalidObject({ group, name: object.kind }, object.metadata.name ?? '', errors);
  if (product.switches.missingRequiredIs400 && errors.every(({ reason }) => reason === 'FieldValueRequired')) {
    throw new StatusError(400, 'BadRequest', invalid.message, invalid.details);
  }
  throw invalid;
}
