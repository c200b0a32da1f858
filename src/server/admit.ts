import { type AdmissionRequest, type AdmissionStep, Reinvocation } from '../admission/index.ts';
import type { ApiObject, JsonObject } from '../meta/index.ts';
import { parseGroupVersion } from '../schema/index.ts';
import { type RequestContext, warn } from './request-context.ts';

export function createAdmissionRequest(
  context: RequestContext,
  operation: AdmissionRequest['operation'],
  name: string,
  dryRun: boolean,
  options = (): JsonObject | null => operationOptions(context, operation),
): AdmissionRequest {
  const { resource, subresource, info, user } = context;
  const written = subresource ? parseGroupVersion(subresource.groupVersion) : resource;
  return {
    operation,
    group: resource.group,
    version: resource.version,
    resource: resource.name,
    kind: { group: written.group, version: written.version, kind: subresource?.kind ?? resource.kind },
    subresource: subresource?.name ?? '',
    namespace: resource.namespaced ? info.namespace : isNamespaces(resource) ? name : '',
    name,
    user,
    dryRun,
    options,
    reinvocation: new Reinvocation(),
    warn: (text) => warn(context, text),
    annotate: (annotations, level = 'Metadata') => {
      if (level === 'Request' ? context.audit.logsRequest : context.audit.isEnabled) context.audit.annotate(annotations());
    },
    reportTrace: (plugin, did) => context.trace.note(() => `${plugin} ${did()}`),
  };
}

function isNamespaces({ group, name }: RequestContext['resource']): boolean {
  return group === '' && name === 'namespaces';
}

/** The write options of the query, as admission attributes show them. */
function operationOptions({ info: { query }, server }: RequestContext, operation: AdmissionRequest['operation']): JsonObject {
  const dryRun = query.getAll('dryRun');
  const [fieldManager, fieldValidation] = [query.get('fieldManager'), query.get('fieldValidation')];
  return {
    kind: operation === 'CREATE' ? 'CreateOptions' : 'UpdateOptions',
    apiVersion: `${server.product.names.metaGroup}/v1`,
    ...(dryRun.length > 0 ? { dryRun } : {}),
    ...(fieldManager ? { fieldManager } : {}),
    ...(fieldValidation ? { fieldValidation } : {}),
  };
}

/** Runs mutating admission, then the escalation check for roles and bindings. @throws StatusError */
export async function admitObject(
  context: RequestContext,
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<ApiObject> {
  const { server, user, resource, info } = context;
  const made = await runMutatingAdmission(context, request, object, old);
  if (request.subresource === '' && server.escalationChecker.appliesTo(resource)) {
    await server.escalationChecker.confirmNoEscalation({
      user,
      resource,
      name: info.name,
      namespace: request.namespace,
      object: made,
      old,
    });
  }
  return made;
}

/** Runs mutating admission. @throws StatusError */
export async function runMutatingAdmission(
  { server, trace }: RequestContext,
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<ApiObject> {
  trace.close('decode', 'done');
  const made = await measureStep(server, 'admit', request, () => server.admission.mutate(request, object, old));
  trace.close('mutate', 'allowed');
  return made;
}

/** Runs validating admission on an object that passed validation. @throws StatusError */
export async function runValidatingAdmission(
  { server, trace }: RequestContext,
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<void> {
  trace.close('validate', 'valid');
  await measureStep(server, 'validate', request, () => server.admission.validate(request, object, old));
  trace.close('admit', 'allowed');
}

async function measureStep<T>(
  { metrics, env: { clock } }: RequestContext['server'],
  step: AdmissionStep,
  { operation }: AdmissionRequest,
  run: () => Promise<T>,
): Promise<T> {
  const startMs = clock.monotonicMs();
  let rejected = true;
  try {
    const result = await run();
    rejected = false;
    return result;
  } finally {
    metrics.observeAdmissionStep(step, operation, rejected, (clock.monotonicMs() - startMs) / 1000);
  }
}
