import type { Log } from '../../env/index.ts';
import {
  type ApiObject,
  type FieldError,
  forbiddenField,
  isJsonObject,
  type Json,
  objectsAt,
  type Product,
  recordAt,
} from '../../meta/index.ts';
import type { Catalog, Resource } from '../../schema/index.ts';
import { objectKey } from '../object-keys.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Strategy } from '../strategy.ts';
import { watchObjects } from '../watch-objects.ts';

/**
 * Admin access to devices in use requires a label on the claim's namespace. Cf. upstream registry/resource AuthorizedForAdmin: that
 * label is the only state besides the claim that its validation reads.
 */
export interface AdminNamespaces {
  /** The label that allows admin access. */
  readonly label: string;
  allow(namespace: string): boolean;
}

/** Watches the namespaces with that label. */
export async function watchAdminNamespaces(store: ObjectStore, catalog: Catalog, product: Product, log: Log): Promise<AdminNamespaces> {
  const namespaces = catalog.resource('v1', 'namespaces');
  if (!namespaces) throw new Error('the catalog has no namespaces');
  const label = product.rename('resource.kubernetes.io/admin-access');
  const allowed = new Set<string>();
  const updateAllowed = (key: string, namespace: ApiObject | undefined): unknown =>
    namespace?.metadata.labels?.[label] === 'true' ? allowed.add(key) : allowed.delete(key);
  await watchObjects(store, namespaces, updateAllowed, log);
  return { label, allow: (name) => allowed.has(objectKey(namespaces, '', name)) };
}

/** Adds the check to the strategies of claims and their templates. */
export function withAdminAccessCheck(resource: Resource, strategy: Strategy, namespaces: AdminNamespaces): Strategy {
  const requestsAt = resource.schema.name.startsWith('resource/') ? deviceRequestsOf[resource.name] : undefined;
  if (!requestsAt) return strategy;
  const adminAccessErrors = (object: ApiObject, list: readonly Json[], path: string): readonly FieldError[] => {
    const index = list.findIndex(requestsAdminAccess);
    if (index < 0 || namespaces.allow(object.metadata.namespace ?? '')) return [];
    const why = `admin access to devices requires the \`${namespaces.label}: true\` label on the containing namespace`;
    return [forbiddenField(`${path}[${index}].adminAccess`, why)];
  };
  return {
    ...strategy,
    validate: (object, context) => [
      ...adminAccessErrors(object, requestsAt(object), 'spec.devices.requests'),
      ...strategy.validate(object, context),
    ],
    validateUpdate: (next, old, context) => {
      const isGranted = context.subresource !== 'status' || resultsOf(old).some(requestsAdminAccess);
      const errors = isGranted ? [] : adminAccessErrors(next, resultsOf(next), 'status.allocation.devices.results');
      return [...errors, ...strategy.validateUpdate(next, old, context)];
    },
  };
}

/** Returns the device requests of a claim or a template, by resource. */
const deviceRequestsOf: Readonly<Record<string, (object: ApiObject) => readonly Json[]>> = {
  resourceclaims: (claim) => objectsAt(recordAt(recordAt(claim, 'spec'), 'devices'), 'requests'),
  resourceclaimtemplates: (template) => objectsAt(recordAt(recordAt(recordAt(template, 'spec'), 'spec'), 'devices'), 'requests'),
};

function resultsOf(claim: ApiObject): readonly Json[] {
  return objectsAt(recordAt(recordAt(recordAt(claim, 'status'), 'allocation'), 'devices'), 'results');
}

/** Requests of older versions have `adminAccess` as a direct member. */
function requestsAdminAccess(request: Json): boolean {
  if (!isJsonObject(request)) return false;
  return request['adminAccess'] === true || recordAt(request, 'exactly')['adminAccess'] === true;
}
