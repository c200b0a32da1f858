import type { Identity } from '../authz/index.ts';

/** How much is told of a request, from nothing to both bodies. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** When it is told. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** In order: each tells what the one before tells, and more. */
export const auditLevels: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
export const auditStages: readonly AuditStage[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** What a rule is about; a list that is empty is about everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** Empty text: what is in no namespace. */
  readonly namespaces: readonly string[];
  readonly nonResourceUrls: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** Undefined: as the policy says. */
  readonly omitManagedFields: boolean | undefined;
}

export interface GroupResources {
  readonly group: string;
  // A pattern: pods, pods/log, pods/*, */status, *.
  readonly resources: readonly string[];
  readonly names: readonly string[];
}

export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** What a policy looks at. */
export interface AuditedRequest {
  /** Undefined: nobody knows who it is. */
  readonly user: Identity | undefined;
  readonly isResourceRequest: boolean;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

/** What the policy wants told of one request. */
export interface Ruling {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** The first rule that is about the request decides; without one nothing is told. */
export function rulingOn({ rules, omitStages, omitManagedFields }: AuditPolicy, request: AuditedRequest): Ruling {
  const rule = rules.find((one) => isAbout(one, request));
  if (!rule) return { level: 'None', omitStages, omitManagedFields };
  return {
    level: rule.level,
    omitStages: [...omitStages, ...rule.omitStages],
    omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
  };
}

/** Whether `level` tells at least what `least` does. */
export function tells(level: AuditLevel, least: AuditLevel): boolean {
  return auditLevels.indexOf(level) >= auditLevels.indexOf(least);
}

function isAbout(rule: AuditRule, request: AuditedRequest): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceUrls } = rule;
  const { user, verb } = request;
  if (users.length > 0 && !(user && users.includes(user.username))) return false;
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return isAboutResource(rule, request);
  if (nonResourceUrls.length === 0) return true;
  return !request.isResourceRequest && nonResourceUrls.some((pattern) => isPath(pattern, request.path));
}

function isPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.replace(/(?<!\*)\*+$/, '')) : pattern === path;
}

function isAboutResource({ namespaces, resources }: AuditRule, request: AuditedRequest): boolean {
  if (!request.isResourceRequest) return false;
  if (namespaces.length > 0 && !namespaces.includes(request.namespace)) return false;
  return resources.length === 0 || resources.some((one) => isAmong(one, request));
}

function isAmong({ group, resources, names }: GroupResources, request: AuditedRequest): boolean {
  if (group !== request.group) return false;
  if (resources.length === 0) return true;
  if (names.length > 0 && !names.includes(request.name)) return false;
  const { resource, subresource } = request;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (one) => one === '*' || one === whole || one === `${resource}/*` || (subresource !== '' && one === `*/${subresource}`),
  );
}
