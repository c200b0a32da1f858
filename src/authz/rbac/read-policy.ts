import { type JsonObject, objectsAt, recordAt, textAt, textsAt } from '../../meta/index.ts';
import type { PolicyRule, RoleBinding, RoleSubject } from './policy.ts';

/** Reads the rules of a Role or ClusterRole. */
export function readRules(role: JsonObject): readonly PolicyRule[] {
  return objectsAt(role, 'rules').map((rule) => ({
    verbs: textsAt(rule, 'verbs'),
    apiGroups: textsAt(rule, 'apiGroups'),
    resources: textsAt(rule, 'resources'),
    resourceNames: textsAt(rule, 'resourceNames'),
    nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
  }));
}

/** Reads a RoleBinding; the namespace is empty for a ClusterRoleBinding. */
export function readBinding(namespace: string, name: string, binding: JsonObject): RoleBinding {
  const role = recordAt(binding, 'roleRef');
  return {
    namespace,
    name,
    role: { kind: textAt(role, 'kind'), name: textAt(role, 'name') },
    subjects: objectsAt(binding, 'subjects').map(readSubject),
  };
}

function readSubject(subject: JsonObject): RoleSubject {
  return { kind: textAt(subject, 'kind'), name: textAt(subject, 'name'), namespace: textAt(subject, 'namespace') };
}
