import type { AccessDecision } from '../../cel/index.ts';
import type { ApiObject } from '../../meta/index.ts';
import type { metav1 } from '../../schema/api/index.ts';
import { type Catalog, type Decoded, isSemanticallyEqual, type Resource } from '../../schema/index.ts';
import type { AccessCheck } from '../access-check.ts';
import type { AdmissionAttributes, AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { createForbiddenError, isCreateOrUpdate } from '../forbidden-error.ts';

export interface OwnerReferenceOptions {
  readonly authorize: AccessCheck;
  /** The served resources, including custom resources. */
  readonly served: () => Catalog;
}

type OwnerReference = Decoded<metav1.OwnerReference>;

/**
 * Only users with the right to delete an object change its owners, and only those with the right to set the finalizers of an owner
 * block its deletion. Cf. upstream plugin/gc.
 */
export function ownerReferencesPermissionEnforcement(options: OwnerReferenceOptions): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    handles: isChecked,
    async validate(request, object, old) {
      const [owners, before] = [ownersOf(object), ownersOf(old)];
      if (isSemanticallyEqual(owners, before)) return;
      const why = (await deletionProblem(request, options)) ?? (await blockingProblem(findNewBlockers(owners, before), request, options));
      if (why !== undefined) throw createForbiddenError(request, object, why);
    },
  };
}

/** The strategy of pods prevents changes of owners by their status, which old kubelets write without them. */
function isChecked(write: AdmissionAttributes): boolean {
  const { group, resource, subresource } = write;
  return isCreateOrUpdate(write) && !(group === '' && resource === 'pods' && subresource === 'status');
}

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return (object?.metadata.ownerReferences ?? []) as readonly OwnerReference[];
}

/** Why the user may not change owners. The creator of an object may set them. */
async function deletionProblem(request: AdmissionRequest, { authorize }: OwnerReferenceOptions): Promise<string | undefined> {
  const { operation, user, group, version, resource, subresource, namespace, name } = request;
  if (operation === 'CREATE') return undefined;
  const decision = await authorize(user, { verb: 'delete', group, version, resource, subresource, namespace, name });
  return decision.allowed ? undefined : `cannot set an ownerRef on a resource you can't delete: ${formatDenial(decision)}`;
}

/** Owners whose deletion is blocked, and was not by the same owner reference before. */
function findNewBlockers(owners: readonly OwnerReference[], before: readonly OwnerReference[]): readonly OwnerReference[] {
  const wasBlocking = new Map(before.map(({ uid, blockOwnerDeletion }) => [uid, blockOwnerDeletion]));
  return owners.filter(({ uid, blockOwnerDeletion }) => blockOwnerDeletion === true && wasBlocking.get(uid) !== true);
}

async function blockingProblem(
  blockers: readonly OwnerReference[],
  { user, namespace }: AdmissionRequest,
  { authorize, served }: OwnerReferenceOptions,
): Promise<string | undefined> {
  if (blockers.length === 0) return undefined;
  const update = { verb: 'update', subresource: 'finalizers' };
  const { allowed } = await authorize(user, { ...update, group: '*', version: '*', resource: '*', namespace: '', name: '*' });
  if (allowed) return undefined;
  for (const { apiVersion = '', kind = '', name = '' } of blockers) {
    const owner = findResource(served(), apiVersion, kind);
    if (!owner) {
      const missing = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}`;
      return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${missing}`;
    }
    const { group, version, name: resource, namespaced } = owner;
    const decision = await authorize(user, { ...update, group, version, resource, name, namespace: namespaced ? namespace : '' });
    if (!decision.allowed)
      return `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${formatDenial(decision)}`;
  }
  return undefined;
}

type OwnerResource = Pick<Resource, 'group' | 'version' | 'name' | 'namespaced'>;

/** The mapper of client-go also finds kinds in lower case, and derives a resource name for list kinds. */
function findResource(catalog: Catalog, apiVersion: string, kind: string): OwnerResource | undefined {
  const resources = catalog.resourcesOf(apiVersion);
  const listed = resources.find((resource) => `${resource.kind}List` === kind);
  if (listed) return { ...listed, name: `${kind.toLowerCase()}s` };
  return resources.find((resource) => resource.kind === kind || resource.kind.toLowerCase() === kind);
}

/** Go's format of the reason and of an error, which may be nil. */
function formatDenial({ reason, error = '<nil>' }: AccessDecision): string {
  return `${reason}, ${error}`;
}
