import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { PolicyRule, RoleBinding, RoleSubject } from './policy.ts';

/** The rules of a Role or ClusterRole. */
export function readRules(role: JsonObject): readonly PolicyRule[] {
  return records(role['rules']).map((rule) => ({
    verbs: texts(rule['verbs']),
    apiGroups: texts(rule['apiGroups']),
    resources: texts(rule['resources']),
    resourceNames: texts(rule['resourceNames']),
    nonResourceURLs: texts(rule['nonResourceURLs']),
  }));
}

/** A RoleBinding; of a ClusterRoleBinding with an empty namespace. */
export function readBinding(namespace: string, name: string, binding: JsonObject): RoleBinding {
  const role = isJsonObject(binding['roleRef']) ? binding['roleRef'] : {};
  return {
    namespace,
    name,
    role: { kind: text(role['kind']), name: text(role['name']) },
    subjects: records(binding['subjects']).map(readSubject),
  };
}

function readSubject(subject: JsonObject): RoleSubject {
  return { kind: text(subject['kind']), name: text(subject['name']), namespace: text(subject['namespace']) };
}

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
const records = (value: Json | undefined): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);
