import type { Log } from '../../env/index.ts';
import { type ApiObject, type FieldError, forbiddenField, type Product } from '../../meta/index.ts';
import type { resourcev1 } from '../../schema/api/index.ts';
import { type Catalog, type Decoded, type Resource, requireResource } from '../../schema/index.ts';
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
  const namespaces = requireResource(catalog, 'v1', 'namespaces');
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
  const adminAccessErrors = (object: ApiObject, list: readonly DeviceRequest[], path: string): readonly FieldError[] => {
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
const deviceRequestsOf: Readonly<Record<string, (object: ApiObject) => readonly DeviceRequest[]>> = {
  resourceclaims: ({ spec }: Decoded<resourcev1.ResourceClaim>) => spec?.devices?.requests ?? [],
  resourceclaimtemplates: ({ spec }: Decoded<resourcev1.ResourceClaimTemplate>) => spec?.spec?.devices?.requests ?? [],
};

const resultsOf = ({ status }: Decoded<resourcev1.ResourceClaim>): readonly DeviceRequest[] => status?.allocation?.devices?.results ?? [];

/** Requests of older versions, and results, have `adminAccess` as a direct member. */
type DeviceRequest = Decoded<Pick<resourcev1.DeviceRequest, 'exactly'> & Pick<resourcev1.DeviceRequestAllocationResult, 'adminAccess'>>;

const requestsAdminAccess = ({ adminAccess, exactly }: DeviceRequest): boolean => adminAccess === true || exactly?.adminAccess === true;
