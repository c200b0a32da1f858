import { type ApiObject, forbidden, notFound, type Product, StatusError } from '../meta/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRequest } from './admission.ts';
import { createForbiddenError } from './forbidden-error.ts';

/** Reads the stored namespace. */
export type NamespaceSource = (name: string) => Promise<ApiObject | undefined>;

/**
 * Rejects creation in missing or terminating namespaces, and deletion of the system namespaces.
 * Cf. upstream plugin/namespace/lifecycle.
 */
export function namespaceLifecycle(namespaces: NamespaceSource, product: Product): AdmissionPlugin {
  const protectedNames = new Set(['default', product.names.systemNamespace, product.names.publicNamespace]);
  const check = async (request: AdmissionRequest, object: ApiObject): Promise<ApiObject> => {
    if (request.operation === 'DELETE') {
      if (!protectedNames.has(request.name)) return object;
      throw forbidden({ group: '', name: 'namespaces' }, request.name, 'this namespace may not be deleted');
    }
    if (request.namespace === '') return object;
    const namespace = await namespaces(request.namespace);
    if (!namespace) throw notFound({ group: '', name: 'namespaces' }, request.namespace);
    if (namespace.metadata.deletionTimestamp !== undefined) throw terminatingError(request, object);
    return object;
  };
  return {
    name: 'NamespaceLifecycle',
    handles: (write) => (isNamespace(write) ? write.operation === 'DELETE' : write.operation === 'CREATE' && !isReview(write)),
    mutate: check,
  };
}

function isNamespace({ group, resource }: AdmissionAttributes): boolean {
  return group === '' && resource === 'namespaces';
}

/** A LocalSubjectAccessReview works for a namespace that does not exist. */
function isReview({ resource }: AdmissionAttributes): boolean {
  return resource === 'localsubjectaccessreviews';
}

function terminatingError(request: AdmissionRequest, object: ApiObject): StatusError {
  const why = `unable to create new content in namespace ${request.namespace} because it is being terminated`;
  const { message: text, details } = createForbiddenError(request, object, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${request.namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError(403, 'Forbidden', text, { ...details, causes: [cause] });
}
