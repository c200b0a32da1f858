import type { AccessAttributes, AccessDecision } from '../../cel/index.ts';
import type { Clock, Pace } from '../../env/index.ts';
import type { ApiObject, JsonObject } from '../../meta/index.ts';
import type { AdmissionRequest, AdmissionUser, RegistrationMeter, ResourceKind } from '../admission.ts';
import { requireNamespace } from '../object-source.ts';
import type { MatchAttributes } from './match-resources.ts';
import type { ParamSource } from './params.ts';
import type { ParamKind } from './policy.ts';

/** Cluster access for policies and webhooks; supplied by `cluster`. */
export interface PolicyContext {
  namespace(name: string): Promise<ApiObject | undefined>;
  /** The versions and groups that serve the written resource, including its own. */
  equivalents(request: AdmissionRequest): readonly ResourceKind[];
  /** Converts a stored object to the version of a resource. @throws StatusError 500 when a conversion webhook fails */
  inVersion(object: ApiObject, resource: ResourceKind): Promise<ApiObject>;
  /** Decodes an object in the version of a resource, with defaults; unknown fields are dropped. @throws StatusError 500 */
  decode(object: JsonObject, resource: ResourceKind): ApiObject;
  /** Like `decode`, but unknown fields of built-in kinds are an error. @throws StatusError 500 */
  decodeStrictly(object: JsonObject, resource: ResourceKind): ApiObject;
  /**
   * Merges an apply configuration into an object in the version of a resource, with defaults.
   * @throws PatchError, or StatusError 503 for a kind without a schema
   */
  applyConfiguration(object: ApiObject, configuration: JsonObject, resource: ResourceKind, pace: Pace): Promise<ApiObject>;
  /** Converts an object in the version of a resource to that of `like`, an object of the request. @throws StatusError 500, as `inVersion` */
  fromVersion(object: ApiObject, resource: ResourceKind, like: ApiObject): Promise<ApiObject>;
  /** Undefined when the kind is not served. */
  params(kind: ParamKind): ParamSource | undefined;
  /** Long evaluations yield to other tasks by it. */
  readonly clock: Clock;
  readonly meter: RegistrationMeter;
  checkAccess(user: AdmissionUser, attributes: AccessAttributes): Promise<AccessDecision>;
}

/** The write as match rules need it; for a deletion the object is the old one. */
export function createMatchAttributes(
  request: AdmissionRequest,
  object: ApiObject,
  old: ApiObject | undefined,
  context: PolicyContext,
): MatchAttributes {
  const { operation, group, resource, subresource, namespace } = request;
  const next = operation === 'DELETE' ? undefined : object;
  return {
    request,
    object: next,
    oldObject: operation === 'DELETE' ? object : old,
    equivalents: () => context.equivalents(request),
    namespaceLabels: async () => {
      // For a write to a namespace its new labels count.
      const written = group === '' && resource === 'namespaces' && subresource === '' ? next : undefined;
      return (written ?? (await requireNamespace(context.namespace(namespace), namespace))).metadata.labels ?? {};
    },
  };
}
