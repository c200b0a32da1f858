import { type AccessLookup, authorizerValue, plainValueOf, resourceCheckValue, type Value, type Variables } from '../../cel/index.ts';
import { type ApiObject, type JsonObject, omitEmpty, ownMember, withMetadata } from '../../meta/index.ts';
import type { GroupVersionKind, ResourceKind } from '../admission.ts';
import type { PolicyVariables } from './evaluate-policy.ts';
import type { MatchAttributes } from './match-resources.ts';

/** A write in the version that a policy matched. */
export interface VersionedAttributes extends Pick<MatchAttributes, 'request' | 'object' | 'oldObject'> {
  readonly matched: ResourceKind;
  readonly namespaceObject: ApiObject | undefined;
}

/** Values that are the same for every parameter and every evaluation; created on first use. */
export function createSharedVariables(write: VersionedAttributes): Variables {
  const { request, matched } = write;
  const cache = new Map<string, Value>();
  const make: Readonly<Record<string, () => unknown>> = {
    object: () => write.object,
    oldObject: () => write.oldObject,
    namespaceObject: () => write.namespaceObject && createNamespaceObject(write.namespaceObject),
    request: () => createAdmissionRequest(write, matched),
    // Match conditions get the resource as requested, not as matched.
    conditionRequest: () =>
      createAdmissionRequest(write, { ...matched, group: request.group, version: request.version, resource: request.resource }),
  };
  return (name) => {
    if (!cache.has(name)) cache.set(name, plainValueOf(ownMember(make, name)?.()));
    return cache.get(name);
  };
}

/** Match conditions have no namespaceObject; messages and annotations have no authorizer. */
export function createPolicyVariables(
  write: VersionedAttributes,
  shared: Variables,
  params: JsonObject | undefined,
  lookup: AccessLookup,
): PolicyVariables {
  const { group, resource, subresource, namespace, name } = write.request;
  let paramsValue: Value | undefined;
  const others: Variables = (variable) => {
    if (variable.startsWith('authorizer')) return undefined;
    if (variable !== 'params') return shared(variable);
    paramsValue ??= plainValueOf(params);
    return paramsValue;
  };
  const validations: Variables = (variable) => {
    if (variable === 'authorizer') return authorizerValue(lookup);
    if (variable === 'authorizer.requestResource') return resourceCheckValue(lookup, { group, resource, subresource, namespace, name });
    return others(variable);
  };
  const conditions: Variables = (variable) => {
    if (variable === 'namespaceObject') return null;
    return variable === 'request' ? shared('conditionRequest') : validations(variable);
  };
  return { conditions, validations, others };
}

/** The value of `request`: an AdmissionRequest without its objects and UID. Cf. upstream plugin/cel CreateAdmissionRequest. */
export function createAdmissionRequest(
  { request }: Pick<VersionedAttributes, 'request'>,
  { group, version, resource, kind }: ResourceKind,
): JsonObject {
  const { user, subresource, namespace, name } = request;
  return {
    uid: '',
    kind: kindObject(kind),
    resource: { group, version, resource },
    ...omitEmpty({ subResource: subresource }),
    requestKind: kindObject(request.kind),
    requestResource: { group: request.group, version: request.version, resource: request.resource },
    ...omitEmpty({ requestSubResource: subresource, name, namespace }),
    operation: request.operation,
    userInfo: {
      ...omitEmpty({ username: user.username, uid: user.uid }),
      ...(user.groups.length > 0 ? { groups: user.groups } : {}),
      ...(Object.keys(user.extra).length > 0 ? { extra: user.extra } : {}),
    },
    object: null,
    oldObject: null,
    dryRun: request.dryRun,
    options: request.options(),
  };
}

function kindObject({ group, version, kind }: GroupVersionKind): JsonObject {
  return { group, version, kind };
}

/** Removes managedFields and ownerReferences, as upstream does. */
function createNamespaceObject(namespace: ApiObject): JsonObject {
  const { kind: _, apiVersion: __, ...rest } = withMetadata(namespace, { managedFields: undefined, ownerReferences: undefined });
  return rest;
}
