import { createPace } from '../../env/index.ts';
import {
  type ApiObject,
  type DocumentType,
  forbidden,
  invalid,
  invalidObject,
  type JsonObject,
  requireGroupVersion,
  StatusError,
  UnreadableDocument,
} from '../../meta/index.ts';
import {
  type DeleteFunction,
  type DeleteOptions,
  type DeleteResult,
  deleteFunctionFor,
  deleteObject,
  type ObjectRef,
  type StoredObject,
  subjectOf,
} from '../../registry/index.ts';
import { createAdmissionRequest, runMutatingAdmission, runValidatingAdmission } from '../admit.ts';
import { bodyBytes, bodyTypeOf } from '../body/body.ts';
import { decodeBody, type ExpectedType, unregistered } from '../body/read-object.ts';
import { type ListOptions, readListOptions } from '../parameters/list-options.ts';
import { checkDeleteOptions, readDeleteQuery, type SentDeleteOptions } from '../parameters/options.ts';
import { readSelection } from '../parameters/selection.ts';
import { type Answer, type RequestContext, requireClient, warn, writeContext } from '../request-context.ts';
import { refOf, requireNamespace } from './get.ts';
import { listSelected } from './list.ts';
import { deleteUnreadable, isUnsafe, unsafeOption } from './unsafe-delete.ts';

/** DELETE of an object (parts 2.8, 3.1). Cf. upstream handlers.DeleteResource. */
export async function remove(context: RequestContext): Promise<Answer> {
  const { options, dryRun } = readOptions(context);
  const refusal = context.kind.strategy.refusesDeletion?.(context.info.name);
  if (refusal !== undefined) throw forbidden(subjectOf(context.resource), context.info.name, refusal);
  if (isUnsafe(options)) return { form: 'object', status: 200, object: await deleteUnreadable(context, refOf(context)) };
  warnOfDeletion(context, options);
  const ref = refOf(context);
  const deleted = await deleteOne(context, ref, { options, dryRun, admit: admission(context, ref.name, options, dryRun) });
  return {
    form: 'object',
    status: statusOf(options, deleted),
    object: isObject(deleted.answer) ? context.kind.fromStorage(deleted.answer) : deleted.answer,
  };
}

/** The response status of a deletion. */
export function deletionStatus(context: RequestContext, deleted: Pick<DeleteResult, 'removed'>): number {
  return statusOf(readOptions(context).options, deleted);
}

function statusOf({ orphanDependents }: DeleteOptions, { removed }: Pick<DeleteResult, 'removed'>): number {
  return !removed && orphanDependents === false ? 202 : 200;
}

/** DELETE of a collection: deletes each selected object on its own; the response lists them all. */
export async function removeCollection(context: RequestContext): Promise<Answer> {
  const list = readListOptions(context.info.query, context.server);
  // Unknown field selectors are rejected before the body is read.
  const { name } = readSelection(context, list);
  const { options, dryRun } = readOptions(context);
  if (isUnsafe(options)) {
    const why = 'is not allowed with DELETECOLLECTION, try again after removing the option';
    throw invalidObject({ group: context.server.product.names.metaGroup, name: 'DeleteOptions' }, '', [invalid(unsafeOption, true, why)]);
  }
  warnOfDeletion(context, options);
  requireNamespace(context.resource, context.info);
  const listed = await listSelected(context, name === undefined ? atVersion(list) : list);
  // Admission of one of the deletions does not get the object's name.
  const deletion = { options, dryRun, admit: admission(context, '', options, dryRun) };
  const pace = createPace(context.server.env.clock);
  for (const stored of listed.items) {
    const paused = pace();
    if (paused) await paused;
    requireClient(context);
    await deleteListed(context, stored, deletion);
  }
  return { form: 'list', listed, kind: context.resource.listKind };
}

/** Upstream lists in pages, which are exact, unless the limit is negative, or the selector names one object. Cf. Store.DeleteCollection. */
function atVersion(options: ListOptions): ListOptions {
  const { resourceVersion, match, limit, continue: token } = options;
  return resourceVersion === '' || match !== '' || limit < 0 || token !== '' || /^0+$/.test(resourceVersion)
    ? options
    : { ...options, match: 'Exact' };
}

function warnOfDeletion(context: RequestContext, options: DeleteOptions): void {
  for (const text of context.kind.strategy.deleteWarnings?.(options) ?? []) warn(context, text);
}

async function deleteListed(context: RequestContext, { object }: StoredObject, deletion: AdmittedDeletion): Promise<void> {
  const { name = '', namespace = '' } = object.metadata;
  try {
    // Upstream does not call the delete functions of kinds here: definitions are removed at once, and their objects stay in the store.
    await deleteOne(context, { resource: context.resource, namespace, name }, deletion, deleteObject);
  } catch (error) {
    // Another request deleted it in the meantime.
    if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
  }
}

/** Admission of a deletion: mutating plugins may refuse it, too. */
function admission(context: RequestContext, name: string, options: DeleteOptions, dryRun: boolean): (object: ApiObject) => Promise<void> {
  const apiVersion = `${context.server.product.names.metaGroup}/v1`;
  const request = createAdmissionRequest(
    context,
    'DELETE',
    name,
    dryRun,
    () => ({ ...options, kind: 'DeleteOptions', apiVersion }) as object as JsonObject,
  );
  return async (object) => {
    await runMutatingAdmission(context, request, object, object);
    await runValidatingAdmission(context, request, object, object);
  };
}

export interface AdmittedDeletion {
  readonly options: DeleteOptions;
  readonly dryRun: boolean;
  /** Admission for the object. */
  readonly admit: (object: ApiObject) => Promise<void>;
}

/** Deletes one object for a request. */
export function deleteOne(
  requestContext: RequestContext,
  ref: ObjectRef,
  { options, dryRun, admit }: AdmittedDeletion,
  remove: DeleteFunction = deleteFunctionFor(requestContext.resource),
): Promise<DeleteResult> {
  const { server, kind } = requestContext;
  const context = writeContext(requestContext, dryRun);
  const input = { ref, options, strategy: kind.strategy, admit };
  return remove(server.store, input, context);
}

function isObject(answer: DeleteResult['answer']): answer is ApiObject {
  return answer.kind !== 'Status';
}

/** As they were sent. */
interface ReadOptions {
  readonly options: DeleteOptions;
  readonly dryRun: boolean;
}

/** Any body makes the query's options void. */
function readOptions(context: RequestContext): ReadOptions {
  const bytes = bodyBytes(context.request);
  const requested = bytes.length > 0 ? fromBody(context, bytes) : readDeleteQuery(context.info.query);
  // kube-apiserver records the options in their internal version.
  const apiVersion = `${context.server.product.names.metaGroup}/__internal`;
  if (bytes.length > 0) context.audit.logRequestObject({}, () => ({ ...requested, kind: 'DeleteOptions', apiVersion }));
  const options = context.server.featureGates.enabled('AllowUnsafeMalformedObjectDeletion') ? requested : withoutUnsafe(requested);
  const dryRun = checkDeleteOptions(options, context.server.product);
  return { options, dryRun };
}

function withoutUnsafe({ [unsafeOption]: _, ...options }: SentDeleteOptions): SentDeleteOptions {
  return options;
}

/** Kinds in every group version: a body of these kinds cannot be converted to DeleteOptions. */
const metaKinds = ['Status', 'ListOptions', 'GetOptions', 'CreateOptions', 'UpdateOptions', 'PatchOptions', 'APIVersions', 'APIGroup'];

/** Decoding errors are 500 here, like in kube-apiserver. */
function fromBody(context: RequestContext, bytes: Uint8Array): SentDeleteOptions {
  const { server, request } = context;
  const { catalog, product, protobuf, featureGates } = server;
  const schema = catalog.type('meta/v1.DeleteOptions');
  const expected: ExpectedType = {
    groupVersion: `${product.names.metaGroup}/v1`,
    kind: 'DeleteOptions',
    schema,
    decode: (value, options) => server.decode(schema, value, options) as ApiObject,
    check: (type) => checkOptionsType(type, `${product.names.metaGroup}/v1`),
  };
  try {
    const reader = { catalog, decode: server.decode, product, protobuf, featureGates, validation: 'Ignore', warn: () => {} } as const;
    return decodeBody(bytes, bodyTypeOf(request, server), expected, reader) as object as SentDeleteOptions;
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new StatusError(500, '', error.message, undefined, error);
    throw error;
  }
}

/** Options of any version are taken. */
function checkOptionsType({ apiVersion, kind }: DocumentType, metaVersion: string): void {
  requireGroupVersion(apiVersion);
  if (kind === 'DeleteOptions') return;
  if ((apiVersion === 'v1' || apiVersion === metaVersion) && metaKinds.includes(kind))
    throw new UnreadableDocument(`converting (v1.${kind}) to (v1.DeleteOptions): unknown conversion`);
  throw new UnreadableDocument(unregistered(apiVersion, kind));
}
