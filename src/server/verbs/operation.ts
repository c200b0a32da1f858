import type { ApiObject, Status } from '../../meta/index.ts';
import { ensureObjectNamespaceMatchesRequestNamespace } from '../../registry/index.ts';
import { createAdmissionRequest, runMutatingAdmission, runValidatingAdmission } from '../admit.ts';
import { checkBody } from '../body/body.ts';
import { bodyReader } from '../body/body-reader.ts';
import { readObject, withoutSystemFields } from '../body/read-object.ts';
import { readWriteOptions, type WriteOptions } from '../parameters/options.ts';
import { type Answer, managerOf, nowOf, type RequestContext } from '../request-context.ts';

/** The object and options of an operation on a subresource. */
export interface ReadOperation {
  readonly object: ApiObject;
  readonly options: WriteOptions;
}

export interface OperationType {
  readonly groupVersion: string;
  readonly kind: string;
  /** A former version of the same shape, which is taken too. */
  readonly formerly?: string;
  /** Whether system fields of metadata, such as the UID of the target, are preserved. Cf. upstream rest.SubresourceObjectMetaPreserver. */
  readonly preservesSystemFields?: boolean;
}

/** Decodes the body of an operation, sets its defaults and records field ownership. @throws StatusError */
export async function readOperation(
  context: RequestContext,
  { groupVersion, kind, formerly, preservesSystemFields }: OperationType,
): Promise<ReadOperation> {
  const { server, resource, subresource, info } = context;
  checkBody(context.request, server);
  const options = readWriteOptions(info.query, 'CreateOptions', server.product);
  const operation = server.kinds.operation(groupVersion, kind, subresource?.name ?? '');
  const expected = { groupVersion, kind, schema: operation.schema, decode: operation.decode, formerly };
  const sent = await readObject(context.request, expected, bodyReader(context, options));
  context.audit.logRequestObject(sent.metadata, () => operation.withDefaults(sent));
  const here = ensureObjectNamespaceMatchesRequestNamespace(sent, resource, info.namespace);
  const read = preservesSystemFields ? here : withoutSystemFields(here);
  const by = { manager: managerOf(context, options), now: nowOf(context) };
  const owned = operation.ownership.created(operation.withDefaults(read), by);
  const admission = createAdmissionRequest(context, 'CREATE', nameOf(context, owned), options.dryRun);
  return { object: await runMutatingAdmission(context, admission, owned, undefined), options };
}

/** Validating admission of an operation, once it is known to make sense. */
export function admitOperation(context: RequestContext, { object, options }: ReadOperation): Promise<void> {
  return runValidatingAdmission(
    context,
    createAdmissionRequest(context, 'CREATE', nameOf(context, object), options.dryRun),
    object,
    undefined,
  );
}

/** Where the path names nothing, the body does. */
function nameOf({ info }: RequestContext, object: ApiObject): string {
  return info.name || (object.metadata.name ?? '');
}

/** The response of operations that return no object. */
export function successAnswer(): Answer {
  const status: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
  return { form: 'object', status: 201, object: status };
}
