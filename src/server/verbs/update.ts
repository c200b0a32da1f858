import { runYielding } from '../../env/index.ts';
import type { ApiObject } from '../../meta/index.ts';
import { ensureObjectNamespaceMatchesRequestNamespace, type UpdateResult, updateObject } from '../../registry/index.ts';
import { formatGroupVersion } from '../../schema/index.ts';
import { admitObject, createAdmissionRequest, runValidatingAdmission } from '../admit.ts';
import { authorizeCreate } from '../authorize.ts';
import { bodyReader } from '../body/body-reader.ts';
import { readObject } from '../body/read-object.ts';
import { recordRequestObject } from '../observability/audit-request.ts';
import { readWriteOptions, type WriteOptions } from '../parameters/options.ts';
import { type Answer, managerOf, type RequestContext, writeContext } from '../request-context.ts';
import { refuseOtherName, refuseWhileTerminating, withUniqueOwners } from './create.ts';
import { refOf } from './get.ts';

/** PUT of a whole object (part 4.7), or of one of its subresources that have its shape. Cf. upstream handlers.UpdateResource. */
export async function update(context: RequestContext): Promise<Answer> {
  const { server, kind, resource } = context;
  const options = readWriteOptions(context.info.query, 'UpdateOptions', server.product);
  const expected = {
    groupVersion: formatGroupVersion(resource),
    kind: resource.kind,
    schema: kind.schema,
    decode: kind.decode,
    custom: resource.custom !== undefined,
  };
  const read = await readObject(context.request, expected, bodyReader(context, options));
  recordRequestObject(context, read);
  const placed = ensureObjectNamespaceMatchesRequestNamespace(read, resource, context.info.namespace);
  refuseOtherName(placed, context.info.name);
  const object = await runYielding(kind.withDefaultsInSteps(placed), context.pause);
  await context.pause();
  const updated = await updateWith(context, options, {
    next: () => object,
    createMissing: false,
    uid: object.metadata.uid || undefined,
  });
  return answerOf(context, updated);
}

export interface Change {
  /** Computes the new object, in the request's version, from the stored one (undefined when it does not exist). */
  readonly next: (current: ApiObject | undefined) => ApiObject | Promise<ApiObject>;
  readonly createMissing: boolean;
  /** Precondition: the uid in the request. */
  readonly uid?: string | undefined;
  /** The change sets managedFields itself (apply). */
  readonly owned?: true;
  /** The part of the stored object that validating admission gets, if not all of it. */
  readonly shown?: (stored: ApiObject) => ApiObject;
}

/** Runs a change through ownership, admission and validation, and stores it. */
export function updateWith(requestContext: RequestContext, options: WriteOptions, change: Change): Promise<UpdateResult> {
  const { server, kind, subresource } = requestContext;
  const ownership = kind.ownership(subresource?.name ?? '');
  const context = writeContext(requestContext, options.dryRun);
  const by = { manager: managerOf(requestContext, options), now: context.now };
  const next = async (stored: ApiObject | undefined): Promise<ApiObject> => {
    const current = stored && kind.fromStorage(stored);
    await requestContext.pause();
    const requested = await change.next(current);
    await requestContext.pause();
    if (!current) refuseWhileTerminating(requestContext, requestContext.info.name);
    const owned = change.owned ? requested : await runYielding(ownership.updatedInSteps(current, requested, by), requestContext.pause);
    await requestContext.pause();
    const admission = createAdmissionRequest(requestContext, current ? 'UPDATE' : 'CREATE', requestContext.info.name, options.dryRun);
    const settled = await withUniqueOwners(requestContext, await admitObject(requestContext, admission, owned, current));
    await requestContext.pause();
    return kind.toStorage(settled);
  };
  const input = {
    ref: refOf(requestContext),
    next,
    strategy: kind.strategy,
    validateMetadata: kind.validateMetadata,
    validateMetadataUpdate: kind.validateMetadataUpdate,
    admit: async (object: ApiObject, old: ApiObject | undefined) => {
      if (!old) await authorizeCreate(requestContext);
      const { shown = (stored) => stored } = change;
      const admission = createAdmissionRequest(requestContext, old ? 'UPDATE' : 'CREATE', requestContext.info.name, options.dryRun);
      await runValidatingAdmission(requestContext, admission, shown(object), old && shown(old));
    },
    uid: change.uid,
    createMissing: change.createMissing,
  };
  return updateObject(server.store, input, context);
}

export function answerOf(context: RequestContext, { created, object, stored }: UpdateResult): Answer {
  return { form: 'object', status: created ? 201 : 200, object: context.kind.fromStorage(object), stored };
}
