import type { Json, JsonObject } from '../../meta/index.ts';

/**
 * Upstream's internal structs have no JSON names: errors show Go field names and all fields. Maps each field to its value when unset, or to
 * the fields of a nested struct.
 */
export type GoFields = Readonly<Record<string, Json | ((value: JsonObject) => Json)>>;

export function toGoValue(value: JsonObject, fields: GoFields): Json {
  const shown: Record<string, Json> = {};
  for (const [name, zero] of Object.entries(fields)) {
    const given = value[name];
    const unset = typeof zero === 'function' ? null : zero;
    shown[goName(name)] = given === undefined ? unset : typeof zero === 'function' ? zero(given as JsonObject) : given;
  }
  return shown;
}

const goInitialisms: Readonly<Record<string, string>> = { apiGroup: 'APIGroup', seLinuxOptions: 'SELinuxOptions' };

function goName(name: string): string {
  return goInitialisms[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const capabilities: GoFields = { add: null, drop: null };
const seLinuxOptions: GoFields = { user: '', role: '', type: '', level: '' };
export const goProfile: GoFields = { type: '', localhostProfile: null };

export const goSecurityContext: GoFields = {
  capabilities: (value) => toGoValue(value, capabilities),
  privileged: null,
  seLinuxOptions: (value) => toGoValue(value, seLinuxOptions),
  windowsOptions: null,
  runAsUser: null,
  runAsGroup: null,
  runAsNonRoot: null,
  readOnlyRootFilesystem: null,
  allowPrivilegeEscalation: null,
  procMount: null,
  seccompProfile: (value) => toGoValue(value, goProfile),
  appArmorProfile: (value) => toGoValue(value, goProfile),
};

export const goRollingUpdate: GoFields = { partition: 0, maxUnavailable: null };

export const goUpdateStrategy: GoFields = { type: '', rollingUpdate: (value) => toGoValue(value, goRollingUpdate) };

const goSurge: GoFields = { maxUnavailable: 0, maxSurge: 0 };

/** Of Deployments and DaemonSets. */
export const goRollingStrategy: GoFields = { type: '', rollingUpdate: (value) => toGoValue(value, goSurge) };

export const goResourceClaim: GoFields = { name: '', resourceClaimName: null, resourceClaimTemplateName: null };

const goSuccessRule: GoFields = { succeededIndexes: null, succeededCount: null };

export const goSuccessPolicy: GoFields = {
  rules: (list) => (Array.isArray(list) ? list.map((rule) => toGoValue(rule, goSuccessRule)) : null),
};

export const goRoleRef: GoFields = { apiGroup: '', kind: '', name: '' };

export const goTaint: GoFields = { key: '', value: '', effect: '', timeAdded: null };
