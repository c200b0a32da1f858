import { runYielding } from '../../env/index.ts';
import { type ApiObject, badRequest, forbidden, isObjectTooLarge, type OwnerReference, withMetadata } from '../../meta/index.ts';
import {
  createObject,
  ensureObjectNamespaceMatchesRequestNamespace,
  subjectOf,
  type WriteContext,
  type WriteResult,
} from '../../registry/index.ts';
import { formatGroupVersion } from '../../schema/index.ts';
import { admitObject, createAdmissionRequest, runValidatingAdmission } from '../admit.ts';
import { checkBody } from '../body/body.ts';
import { bodyReader } from '../body/body-reader.ts';
import { readObject, withoutSystemFields } from '../body/read-object.ts';
import { recordRequestObject } from '../observability/audit-request.ts';
import { readWriteOptions, type WriteOptions } from '../parameters/options.ts';
import { type Answer, managerOf, type RequestContext, warn, writeContext } from '../request-context.ts';

/** POST of an object to its collection. Cf. upstream handlers.createHandler. */
export async function create(context: RequestContext): Promise<Answer> {
  const { server, kind, resource } = context;
  checkBody(context.request, server);
  const options = readWriteOptions(context.info.query, 'CreateOptions', server.product);

  const expected = {
    groupVersion: formatGroupVersion(resource),
    kind: resource.kind,
    schema: kind.schema,
    decode: kind.decode,
    custom: resource.custom !== undefined,
  };
  const read = await readObject(context.request, expected, bodyReader(context, options));
  recordRequestObject(context, read);
  const object = ensureObjectNamespaceMatchesRequestNamespace(read, resource, context.info.namespace);
  const defaulted = await runYielding(kind.withDefaultsInSteps(withoutSystemFields(object)), context.pause);
  await context.pause();
  const written = await createFrom(context, defaulted, options);
  await context.pause();
  return { form: 'object', status: 201, object: kind.fromStorage(written.object), stored: written.stored };
}

/** Creates a decoded and defaulted object of the request's version. */
async function createFrom(requestContext: RequestContext, object: ApiObject, options: WriteOptions): Promise<WriteResult> {
  refuseWhileTerminating(requestContext, object.metadata.name ?? '');
  const { kind } = requestContext;
  const context = writeContext(requestContext, options.dryRun);
  const by = { manager: managerOf(requestContext, options), now: context.now };
  const owned = await runYielding(kind.ownership('').updatedInSteps(undefined, object, by), requestContext.pause);
  await requestContext.pause();
  try {
    return await createOwned(requestContext, owned, options, context);
  } catch (error) {
    if (!isObjectTooLarge(error)) throw error;
    // It may fit without managedFields, whose loss is no error. Cf. upstream createHandler.
    return createOwned(requestContext, withMetadata(owned, { managedFields: undefined }), options, context);
  }
}

/** Creates an object with its managedFields. */
async function createOwned(
  requestContext: RequestContext,
  object: ApiObject,
  options: WriteOptions,
  context: WriteContext,
): Promise<WriteResult> {
  const { server, kind, resource, info } = requestContext;
  const admission = createAdmissionRequest(requestContext, 'CREATE', object.metadata.name ?? '', options.dryRun);
  const settled = await withUniqueOwners(requestContext, await admitObject(requestContext, admission, object, undefined));
  await requestContext.pause();
  const ref = { resource, namespace: resource.namespaced ? info.namespace : '', name: settled.metadata.name ?? '' };
  const input = {
    ref,
    object: kind.toStorage(settled),
    strategy: kind.strategy,
    validateMetadata: kind.validateMetadata,
    admit: (made: ApiObject) => runValidatingAdmission(requestContext, { ...admission, name: made.metadata.name ?? '' }, made, undefined),
  };
  return createObject(server.store, input, context);
}

/** How many owners are compared before the next pause. */
const ownersInStep = 1_000;

/** An owner named twice counts once (upstream dedupOwnerReferencesAndAddWarning). */
export async function withUniqueOwners(context: RequestContext, object: ApiObject): Promise<ApiObject> {
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length < 2) return object;
  const seen = new Set<string>();
  const unique: OwnerReference[] = [];
  for (const [index, owner] of owners.entries()) {
    if (index % ownersInStep === ownersInStep - 1) await context.pause();
    const key = JSON.stringify([owner.apiVersion, owner.kind, owner.name, owner.uid, owner.controller, owner.blockOwnerDeletion]);
    if (!seen.has(key)) unique.push(owner);
    seen.add(key);
  }
  if (unique.length === owners.length) return object;
  const met = new Set<unknown>();
  const uids = [...new Set(owners.map(({ uid }) => uid).filter((uid) => met.size === met.add(uid).size))];
  warn(
    context,
    `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids.join(', ')}`,
  );
  return { ...object, metadata: { ...object.metadata, ownerReferences: unique } };
}

/** A terminating definition accepts no new objects. @throws StatusError 403 */
export function refuseWhileTerminating({ server, resource }: RequestContext, name: string): void {
  if (!resource.custom || !server.custom.isTerminating(resource.custom)) return;
  throw forbidden(subjectOf(resource), name, 'create not allowed while custom resource definition is terminating');
}

/** @throws StatusError 400 */
export function refuseOtherName(object: ApiObject, name: string): void {
  const given = object.metadata.name ?? '';
  if (given === '') throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}
