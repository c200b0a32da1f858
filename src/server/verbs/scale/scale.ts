import { type ApiObject, invalid, invalidObject, notFound, recordAt, resourceNotFound } from '../../../meta/index.ts';
import { toParentManagedFields, toScaleManagedFields } from '../../../patch/index.ts';
import { checkPreconditions, ensureObjectNamespaceMatchesRequestNamespace, subjectOf } from '../../../registry/index.ts';
import { convertUntyped, formatGroupVersion, type ResourceVerb } from '../../../schema/index.ts';
import { bodyBytes, schemaOf } from '../../body/body.ts';
import { bodyReader } from '../../body/body-reader.ts';
import { readObject } from '../../body/read-object.ts';
import { readWriteOptions, type WriteOptions } from '../../parameters/options.ts';
import { type Answer, managerOf, nowOf, type RequestContext } from '../../request-context.ts';
import { refuseOtherName } from '../create.ts';
import { get } from '../get.ts';
import { conversionFailed, isApply, readIntent } from '../patch/apply.ts';
import { checkPatchType, readPatch } from '../patch/patch.ts';
import type { PatchTarget } from '../patch/patch-target.ts';
import { retryOnConflict } from '../patch/retry-on-conflict.ts';
import { updateWith } from '../update.ts';
import { type ScaleView, scaleViewOf } from './scale-view.ts';

const groupVersion = 'autoscaling/v1';

/** The scale of a workload: its number of replicas as an object of its own (autoscaling/v1 Scale). */
export async function scale(verb: ResourceVerb, context: RequestContext): Promise<Answer> {
  if (verb === 'get') {
    const found = await get(context);
    if (found.form !== 'object') return found;
    const view = scaleViewOf(context.resource);
    const object = found.object as ApiObject;
    return { ...found, object: scaleOf(object, view, view.shownReplicas(object)), stored: undefined };
  }
  const target = scaleTarget(context);
  const { info, server } = context;
  if (verb === 'update') {
    const options = readWriteOptions(info.query, 'UpdateOptions', server.product);
    const object = await replacement(context, target, options);
    return applyChange(
      context,
      options,
      withOwnership(context, () => object, options),
      object.metadata.uid,
    );
  }
  if (verb !== 'patch') throw resourceNotFound();
  checkPatchType(context);
  const options = readWriteOptions(info.query, 'PatchOptions', server.product, isApply(context) ? 'apply' : 'other');
  context.audit.logRequestPatch(bodyBytes(context.request));
  return applyChange(
    context,
    options,
    isApply(context) ? applyIntent(context, target, options) : withOwnership(context, readPatch(context, target, options), options),
  );
}

/** Computes the new scale from the current one. */
type ScaleChange = (current: ApiObject) => ApiObject | Promise<ApiObject>;

/** `uid`: a precondition of the request. */
async function applyChange(context: RequestContext, options: WriteOptions, change: ScaleChange, uid?: string): Promise<Answer> {
  const view = scaleViewOf(context.resource);
  const next = async (current: ApiObject | undefined): Promise<ApiObject> => {
    if (!current) throw notFound(subjectOf(context.resource), context.info.name);
    const shown = scaleOf(current, view, view.replicas(current) ?? (view.versioned ? noReplicas : 0));
    const wanted = ensureObjectNamespaceMatchesRequestNamespace(
      await change(withOwners(shown, current, view)),
      context.resource,
      context.info.namespace,
    );
    refuseOtherName(wanted, context.info.name);
    validateScale(wanted, current, context);
    return withReplicas(current, wanted, formatGroupVersion(context.resource), view);
  };
  const shown = (stored: ApiObject): ApiObject => scaleOf(context.kind.fromStorage(stored), view);
  const wanted = { next, createMissing: false, uid: uid || undefined, owned: true, shown } as const;
  const updated = await retryOnConflict(() => updateWith(context, options, wanted));
  return scaleAnswer(context, updated.object);
}

/**
 * Cf. upstream ValidateScale and scaleUpdatedObjectInfo. The rules of a definition validate the scale of a custom resource instead. The UID in a
 * patch is a precondition, too; that of PUT is checked before. @throws StatusError 422, 409
 */
function validateScale(scaled: ApiObject, current: ApiObject, { resource, kind, info }: RequestContext): void {
  if (resource.custom) return;
  const replicas = replicasOf(scaled);
  const negative = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
  const errors = [...kind.validateMetadata(scaled), ...(replicas < 0 && replicas !== noReplicas ? [negative] : [])];
  if (errors.length > 0) throw invalidObject({ group: 'autoscaling', name: 'Scale' }, scaled.metadata.name ?? '', errors);
  const { namespace, name } = info;
  const ref = { resource: { ...resource, name: `${resource.name}/scale` }, namespace, name };
  checkPreconditions(ref, { uid: scaled.metadata.uid || undefined }, current);
}

function replicasOf(scaled: ApiObject): number {
  return Number(recordAt(scaled, 'spec')['replicas'] ?? 0);
}

/** The answer to a change of the scale that left `stored`. */
export function scaleAnswer(context: RequestContext, stored: ApiObject): Answer {
  return { form: 'object', status: 200, object: scaleOf(context.kind.fromStorage(stored), scaleViewOf(context.resource)) };
}

/** A change by PUT or patch, with the managed fields of its manager. */
function withOwnership(context: RequestContext, change: ScaleChange, options: WriteOptions): ScaleChange {
  const by = { manager: managerOf(context, options), now: nowOf(context) };
  return async (current) => context.server.kinds.scale.updated(current, await change(current), by);
}

function applyIntent(context: RequestContext, target: PatchTarget, options: WriteOptions): ScaleChange {
  const intent = readIntent(context, options, target);
  const by = { manager: managerOf(context, options), now: nowOf(context), force: options.force };
  return (current) => {
    const applied = context.server.kinds.scale.applied(current, intent, by);
    // Cf. apiextensions-apiserver conversion/converter.go: it converts to versions of the definition only.
    if (context.resource.custom)
      throw conversionFailed(intent, 'autoscaling/v1, Kind=Scale', `request to convert CR to an invalid group/version: ${groupVersion}`);
    const wanted = target.decode(convertUntyped(target.schema, applied));
    refuseOtherName(wanted, context.info.name);
    return wanted;
  };
}

/** The managed fields of the workload that belong to its scale. */
function withOwners(shown: ApiObject, { metadata }: ApiObject, { replicasPaths }: ScaleView): ApiObject {
  const managedFields = toScaleManagedFields(metadata.managedFields ?? [], replicasPaths);
  return managedFields.length === 0 ? shown : { ...shown, metadata: { ...shown.metadata, managedFields } };
}

function scaleTarget({ server }: RequestContext): PatchTarget {
  const schema = schemaOf(server.catalog, groupVersion, 'Scale');
  return {
    groupVersion,
    kind: 'Scale',
    schema,
    custom: false,
    decode: (value, options) => ({ metadata: {}, ...server.decode(schema, value, options) }) as unknown as ApiObject,
  };
}

async function replacement(context: RequestContext, target: PatchTarget, options: WriteOptions): Promise<ApiObject> {
  const object = await readObject(context.request, target, bodyReader(context, options));
  context.audit.logRequestObject(object.metadata, () => object);
  const placed = ensureObjectNamespaceMatchesRequestNamespace(object, context.resource, context.info.namespace);
  refuseOtherName(placed, context.info.name);
  return placed;
}

function scaleOf(object: ApiObject, view: ScaleView, replicas = view.replicas(object)): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = view.selector(object);
  return {
    kind: 'Scale',
    apiVersion: groupVersion,
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as ApiObject['metadata'],
    spec: replicas === 0 || replicas === undefined ? {} : { replicas },
    status: { replicas: view.statusReplicas(object), ...(selector === '' ? {} : { selector }) },
  };
}

/** Placeholder in the scale of an object without a number of replicas, to distinguish it from zero. */
const noReplicas = -(2 ** 31);

function withReplicas(object: ApiObject, scaled: ApiObject, apiVersion: string, view: ScaleView): ApiObject {
  const replicas = replicasOf(scaled);
  const next = view.withReplicas(object, replicas === noReplicas ? undefined : replicas);
  const { uid, resourceVersion, managedFields = [] } = scaled.metadata;
  const owners = toParentManagedFields(object.metadata.managedFields ?? [], managedFields, view.replicasPaths, apiVersion);
  const { managedFields: _, ...metadataWithoutOwners } = object.metadata;
  const metadata = {
    ...metadataWithoutOwners,
    resourceVersion: (resourceVersion || (view.versioned ? metadataWithoutOwners.resourceVersion : '')) ?? '',
    ...(uid === undefined ? {} : { uid }),
    ...(owners.length > 0 ? { managedFields: owners } : {}),
  };
  return { ...next, metadata };
}
