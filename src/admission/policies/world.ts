import type { AccessAnswer, AccessQuestion } from '../../cel/index.ts';
import type { Clock } from '../../env/index.ts';
import { type ApiObject, notFound } from '../../meta/index.ts';
import type { AdmissionRequest, AdmissionUser, ResourceKind } from '../admission.ts';
import type { MatchedWrite } from './match-resources.ts';
import type { ParamSource } from './params.ts';
import type { ParamKind } from './policy.ts';

/** What policies and webhooks have to know besides the write; supplied by `cluster`. */
export interface PolicyWorld {
  namespace(name: string): Promise<ApiObject | undefined>;
  /** The versions and groups under which the written resource is served, itself among them. */
  equivalents(request: AdmissionRequest): readonly ResourceKind[];
  /** A stored object in the version of a resource. */
  inVersion(object: ApiObject, resource: ResourceKind): ApiObject;
  /** Undefined: no such kind is served. */
  params(kind: ParamKind): ParamSource | undefined;
  /** For long evaluations, which let others have their turn. */
  readonly clock: Clock;
  mayAccess(user: AdmissionUser, question: AccessQuestion): Promise<AccessAnswer>;
}

/** A write as matches are decided by it; of a deletion the object is the old one. */
export function matchedWrite(request: AdmissionRequest, object: ApiObject, old: ApiObject | undefined, world: PolicyWorld): MatchedWrite {
  const { operation, group, resource, subresource, namespace } = request;
  const next = operation === 'DELETE' ? undefined : object;
  return {
    request,
    object: next,
    oldObject: operation === 'DELETE' ? object : old,
    equivalents: () => world.equivalents(request),
    namespaceLabels: async () => {
      // A namespace that is being written is known by what it shall be.
      const written = group === '' && resource === 'namespaces' && subresource === '' ? next : undefined;
      return (written ?? (await requireNamespace(world, namespace))).metadata.labels ?? {};
    },
  };
}

/** @throws StatusError 404 */
export async function requireNamespace(world: PolicyWorld, name: string): Promise<ApiObject> {
  const found = await world.namespace(name);
  if (!found) throw notFound({ group: '', name: 'namespaces' }, name);
  return found;
}
