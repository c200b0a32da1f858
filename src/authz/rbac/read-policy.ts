import type { rbacv1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import type { PolicyRule, RoleBinding } from './policy.ts';

/** Reads the rules of a Role or ClusterRole. */
export function readRules({ rules }: Decoded<rbacv1.ClusterRole>): readonly PolicyRule[] {
  return (rules ?? []).map(({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }) => ({
    verbs: verbs ?? [],
    apiGroups,
    resources,
    resourceNames,
    nonResourceURLs,
  }));
}

/** Reads a RoleBinding; the namespace is empty for a ClusterRoleBinding. */
export function readBinding(namespace: string, name: string, binding: Decoded<rbacv1.ClusterRoleBinding>): RoleBinding {
  const { roleRef, subjects = [] } = binding;
  return {
    namespace,
    name,
    role: { kind: roleRef?.kind ?? '', name: roleRef?.name ?? '' },
    subjects: subjects.map(({ kind = '', name = '', namespace = '' }) => ({ kind, name, namespace })),
  };
}
