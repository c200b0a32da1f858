import type { Json, JsonObject } from '../../meta/index.ts';

/**
 * Upstream's own structs have no JSON names: errors show them with Go's names and all their fields. Field → what is shown when unset;
 * for a struct that is shown likewise, its fields.
 */
export type GoFields = Readonly<Record<string, Json | ((value: JsonObject) => Json)>>;

export function goValue(value: JsonObject, fields: GoFields): Json {
  const shown: Record<string, Json> = {};
  for (const [name, zero] of Object.entries(fields)) {
    const given = value[name];
    const unset = typeof zero === 'function' ? null : zero;
    shown[goName(name)] = given === undefined ? unset : typeof zero === 'function' ? zero(given as JsonObject) : given;
  }
  return shown;
}

const initials: Readonly<Record<string, string>> = { apiGroup: 'APIGroup', seLinuxOptions: 'SELinuxOptions' };

function goName(name: string): string {
  return initials[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const capabilities: GoFields = { add: null, drop: null };
const seLinuxOptions: GoFields = { user: '', role: '', type: '', level: '' };
export const goProfile: GoFields = { type: '', localhostProfile: null };

export const goSecurityContext: GoFields = {
  capabilities: (value) => goValue(value, capabilities),
  privileged: null,
  seLinuxOptions: (value) => goValue(value, seLinuxOptions),
  windowsOptions: null,
  runAsUser: null,
  runAsGroup: null,
  runAsNonRoot: null,
  readOnlyRootFilesystem: null,
  allowPrivilegeEscalation: null,
  procMount: null,
  seccompProfile: (value) => goValue(value, goProfile),
  appArmorProfile: (value) => goValue(value, goProfile),
};

export const goRollingUpdate: GoFields = { partition: 0, maxUnavailable: null };

export const goUpdateStrategy: GoFields = { type: '', rollingUpdate: (value) => goValue(value, goRollingUpdate) };

const goSurge: GoFields = { maxUnavailable: 0, maxSurge: 0 };

/** Of Deployments and DaemonSets. */
export const goRollingStrategy: GoFields = { type: '', rollingUpdate: (value) => goValue(value, goSurge) };

export const goResourceClaim: GoFields = { name: '', resourceClaimName: null, resourceClaimTemplateName: null };

const goSuccessRule: GoFields = { succeededIndexes: null, succeededCount: null };

export const goSuccessPolicy: GoFields = {
  rules: (list) => (Array.isArray(list) ? list.map((rule) => goValue(rule, goSuccessRule)) : null),
};

export const goDisruptionBudgetSpec: GoFields = {
  minAvailable: null,
  selector: null,
  maxUnavailable: null,
  unhealthyPodEvictionPolicy: null,
};

export const goRoleRef: GoFields = { apiGroup: '', kind: '', name: '' };

export const goTaint: GoFields = { key: '', value: '', effect: '', timeAdded: null };
