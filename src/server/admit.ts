import type { AdmissionRequest } from '../admission/index.ts';
import type { ApiObject } from '../meta/index.ts';
import { type Call, warn } from './call.ts';

export function admissionRequest(call: Call, operation: AdmissionRequest['operation'], name: string, dryRun: boolean): AdmissionRequest {
  const { resource, subresource, info, user } = call;
  return {
    operation,
    group: resource.group,
    version: resource.version,
    resource: resource.name,
    kind: resource.kind,
    subresource: subresource?.name ?? '',
    namespace: resource.namespaced ? info.namespace : '',
    name,
    user,
    dryRun,
    warn: (text) => warn(call, text),
    annotate: (annotations) => {
      if (call.audit.isOn) call.audit.annotate(annotations());
    },
    tell: (plugin, did) => call.trace.note(() => `${plugin} ${did()}`),
  };
}

/** Mutating admission, and what the object that it made has to pass before anything else is looked at. @throws StatusError */
export async function admitted(call: Call, request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined): Promise<ApiObject> {
  const { server, user, resource, info } = call;
  const made = await mutated(call, request, object, old);
  if (request.subresource === '' && server.roleGuard.guards(resource)) {
    await server.roleGuard.check({ user, resource, name: info.name, namespace: request.namespace, object: made, old });
  }
  return made;
}

/** Mutating admission. @throws StatusError */
export async function mutated(
  { server, trace }: Call,
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<ApiObject> {
  trace.close('decode', 'done');
  const made = await server.admission.mutate(request, object, old);
  trace.close('mutate', 'allowed');
  return made;
}

/** Validating admission, of what has passed validation. @throws StatusError */
export async function validated(
  { server, trace }: Call,
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
): Promise<void> {
  trace.close('validate', 'valid');
  await server.admission.validate(request, object, old);
  trace.close('admit', 'allowed');
}
