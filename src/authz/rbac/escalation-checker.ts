import {
  type ApiObject,
  badRequest,
  forbidden,
  type GroupResource,
  goQuotedList,
  isJsonObject,
  type JsonObject,
  notFound,
  ownMember,
  type Product,
  requireObjectName,
  StatusError,
  sameJson,
} from '../../meta/index.ts';
import { type Identity, resourceAttributes } from '../attributes.ts';
import type { Authorizer } from '../authorizer.ts';
import { systemPrivilegedGroup } from '../superusers.ts';
import type { PolicyRule, RoleBinding, RoleSource } from './policy.ts';
import { readBinding, readRules } from './read-policy.ts';
import { bindingsIn, grantedRules } from './role-rules.ts';
import { compactRules, findUncoveredRules, formatRule } from './rule-coverage.ts';

/** A write of a role or a binding. */
export interface RoleWrite {
  readonly user: Identity;
  /** Resource of the request: `roles`, `clusterrolebindings`, … with its group. */
  readonly resource: GroupResource;
  /** Name in the request path; empty for a create. */
  readonly name: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly object: ApiObject;
  readonly old: ApiObject | undefined;
}

/** Privilege escalation check: users can grant only rights that they hold (part 5.6 rule 10). Cf. upstream ConfirmNoEscalation. */
export interface EscalationChecker {
  /** Whether writes of this resource are checked. */
  appliesTo(resource: GroupResource): boolean;
  /** @throws StatusError 403; 404 for a binding to a missing role */
  confirmNoEscalation(write: RoleWrite): Promise<void>;
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

/** Cf. upstream pkg/registry/rbac, the policybased storages. */
export function createEscalationChecker(source: RoleSource, authorizer: Authorizer, product: Product): EscalationChecker {
  const group = product.rename('rbac.authorization.k8s.io');

  async function checkRole(write: RoleWrite): Promise<void> {
    const { user, resource, name, namespace } = write;
    if (await isAuthorized(user, { verb: 'escalate', group, resource: resource.name, namespace, name })) return;
    if (onlyGarbageCollectionFieldsChange(write)) return;
    confirmRulesHeld(write, readRules(write.object));
    if (aggregates(write.object) || (write.old && aggregates(write.old))) {
      if (findMissingRules(write, everything).length > 0) {
        throw forbidden(resource, nameOf(write), 'must have cluster-admin privileges to use the aggregationRule');
      }
    }
  }

  async function checkBinding(write: RoleWrite): Promise<void> {
    if (onlyGarbageCollectionFieldsChange(write)) return;
    const binding = readBinding(write.namespace, nameOf(write), write.object);
    const { kind, name } = binding.role;
    const resource = ownMember(roleResources, kind);
    const { namespace } = write;
    if (resource && (await isAuthorized(write.user, { verb: 'bind', group: roleRefGroup(write.object), resource, namespace, name })))
      return;
    validateRoleRef(binding);
    const rules = grantedRules(source, binding);
    // Upstream reads the role in the context of this request, so the error names the request's resource.
    if (!rules) throw notFound(write.resource, name);
    confirmRulesHeld(write, rules);
  }

  async function isAuthorized(user: Identity, attributes: Parameters<typeof resourceAttributes>[1]): Promise<boolean> {
    const { verdict } = await authorizer.authorize(resourceAttributes(user, attributes));
    return verdict === 'allow';
  }

  function findMissingRules({ user, namespace }: RoleWrite, wanted: readonly PolicyRule[]): readonly PolicyRule[] {
    return findUncoveredRules(
      bindingsIn(source, user, namespace).flatMap((binding) => grantedRules(source, binding) ?? []),
      wanted,
    );
  }

  function confirmRulesHeld(write: RoleWrite, wanted: readonly PolicyRule[]): void {
    const { user, resource, namespace } = write;
    const missing = findMissingRules(write, wanted);
    if (missing.length === 0) return;
    const lines = [...new Set(compactRules(missing).map(formatRule))].sort();
    const unresolved = danglingRoleErrors(bindingsIn(source, user, namespace), resource);
    const userText = `user ${JSON.stringify(user.username)} (groups=${goQuotedList(user.groups)})`;
    const why = `${userText} is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${unresolved}`;
    throw forbidden(resource, nameOf(write), why);
  }

  function danglingRoleErrors(bindings: readonly RoleBinding[], resource: GroupResource): string {
    const errors = bindings
      .filter((binding) => grantedRules(source, binding) === undefined)
      .map((binding) => notFound(resource, binding.role.name).message);
    const unique = [...new Set(errors)];
    if (unique.length === 0) return '';
    return `; resolution errors: [${unique.length === 1 ? unique[0] : `[${unique.join(', ')}]`}]`;
  }

  return {
    appliesTo: (resource) => resource.group === group && guardedResources.has(resource.name),
    async confirmNoEscalation(write) {
      if (write.user.groups.includes(systemPrivilegedGroup)) return;
      await (write.resource.name.endsWith('bindings') ? checkBinding(write) : checkRole(write));
    },
  };
}

const roleResources: Readonly<Record<string, string>> = { Role: 'roles', ClusterRole: 'clusterroles' };

/** The group as written; a group without roles cannot be granted. */
function roleRefGroup({ roleRef }: JsonObject): string {
  return isJsonObject(roleRef) && typeof roleRef['apiGroup'] === 'string' ? roleRef['apiGroup'] : '';
}

/** Upstream reads the role before it validates the binding, so an invalid reference fails here first. @throws StatusError */
function validateRoleRef({ namespace, role: { kind, name } }: RoleBinding): void {
  if (!ownMember(roleResources, kind)) throw new StatusError(500, '', `unsupported role reference kind: ${JSON.stringify(kind)}`);
  if (kind === 'Role' && namespace === '') throw badRequest('Namespace parameter required.');
  requireObjectName(name);
}

const guardedResources: ReadonlySet<string> = new Set(['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']);

const nameOf = ({ object }: RoleWrite): string => object.metadata.name ?? '';

function aggregates(role: ApiObject): boolean {
  const { aggregationRule } = role as { readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] } };
  return (aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/** Changes of the garbage collector grant no rights. */
function onlyGarbageCollectionFieldsChange({ object, old }: RoleWrite): boolean {
  return old !== undefined && sameJson(comparable(object), comparable(old));
}

/** The object without the fields that the garbage collector changes. */
function comparable({ metadata, ...rest }: ApiObject): JsonObject {
  const { ownerReferences: _, finalizers: __, selfLink: ___, managedFields: ____, ...others } = metadata;
  return { ...rest, metadata: { ...others } };
}
