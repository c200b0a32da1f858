import { type Ask, authorizerValue, plainValueOf, resourceCheckValue, type Value, type Variables } from '../../cel/index.ts';
import { type ApiObject, type JsonObject, ownMember, withMetadata } from '../../meta/index.ts';
import type { GroupVersionKind, ResourceKind } from '../admission.ts';
import type { PolicyValues } from './judge.ts';
import type { MatchedWrite } from './match-resources.ts';

/** A write in the version that a policy matched. */
export interface SeenWrite extends Pick<MatchedWrite, 'request' | 'object' | 'oldObject'> {
  readonly matched: ResourceKind;
  readonly namespaceObject: ApiObject | undefined;
}

/** Values that are the same for every parameter and every evaluation; created on first use. */
export function seenValues(write: SeenWrite): Variables {
  const { request, matched } = write;
  const made = new Map<string, Value>();
  const make: Readonly<Record<string, () => unknown>> = {
    object: () => write.object,
    oldObject: () => write.oldObject,
    namespaceObject: () => write.namespaceObject && shownNamespace(write.namespaceObject),
    request: () => requestObject(write, matched),
    // Match conditions get the resource as requested, not as matched.
    conditionRequest: () =>
      requestObject(write, { ...matched, group: request.group, version: request.version, resource: request.resource }),
  };
  return (name) => {
    if (!made.has(name)) made.set(name, plainValueOf(ownMember(make, name)?.()));
    return made.get(name);
  };
}

/** Match conditions have no namespaceObject; messages and annotations have no authorizer. */
export function policyValues(write: SeenWrite, seen: Variables, params: JsonObject | undefined, ask: Ask): PolicyValues {
  const { group, resource, subresource, namespace, name } = write.request;
  let paramsValue: Value | undefined;
  const others: Variables = (variable) => {
    if (variable.startsWith('authorizer')) return undefined;
    if (variable !== 'params') return seen(variable);
    paramsValue ??= plainValueOf(params);
    return paramsValue;
  };
  const validations: Variables = (variable) => {
    if (variable === 'authorizer') return authorizerValue(ask);
    if (variable === 'authorizer.requestResource') return resourceCheckValue(ask, { group, resource, subresource, namespace, name });
    return others(variable);
  };
  const conditions: Variables = (variable) => {
    if (variable === 'namespaceObject') return null;
    return variable === 'request' ? seen('conditionRequest') : validations(variable);
  };
  return { conditions, validations, others };
}

/** The value of `request`: an AdmissionRequest without its objects and UID. Cf. upstream plugin/cel CreateAdmissionRequest. */
export function requestObject({ request }: Pick<SeenWrite, 'request'>, { group, version, resource, kind }: ResourceKind): JsonObject {
  const { user, subresource, namespace, name } = request;
  return {
    uid: '',
    kind: kindObject(kind),
    resource: { group, version, resource },
    ...filled({ subResource: subresource }),
    requestKind: kindObject(request.kind),
    requestResource: { group: request.group, version: request.version, resource: request.resource },
    ...filled({ requestSubResource: subresource, name, namespace }),
    operation: request.operation,
    userInfo: {
      ...filled({ username: user.username, uid: user.uid }),
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

function filled(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

/** Removes managedFields and ownerReferences, as upstream does. */
function shownNamespace(namespace: ApiObject): JsonObject {
  const { kind: _, apiVersion: __, ...rest } = withMetadata(namespace, { managedFields: undefined, ownerReferences: undefined });
  return rest;
}
