import type { AdmissionRequest } from '../admission/index.ts';
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
  };
}
