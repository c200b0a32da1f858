import type { Identity } from '../authz/index.ts';

/** The amount of data recorded for a request, from nothing to both bodies. */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

/** The stage of the request that an event describes. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

/** In ascending order: each level includes the one before. */
export const auditLevels: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];
export const auditStages: readonly AuditStage[] = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];

/** A rule of the policy; an empty list matches everything. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  /** The empty string matches cluster-scoped requests. */
  readonly namespaces: readonly string[];
  readonly nonResourceUrls: readonly string[];
  readonly omitStages: readonly AuditStage[];
  /** Undefined: the policy's setting. */
  readonly omitManagedFields: boolean | undefined;
}

export interface GroupResources {
  readonly group: string;
  // Patterns: pods, pods/log, pods/*, */status, *.
  readonly resources: readonly string[];
  readonly names: readonly string[];
}

export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** The attributes of a request that rules match. */
export interface AuditedRequest {
  /** Undefined when unauthenticated. */
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

/** The audit configuration of one request. Upstream RequestAuditConfig. */
export interface RequestAuditConfig {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** The first matching rule decides; without one the level is None. Cf. upstream EvaluatePolicyRule. */
export function evaluatePolicyRule({ rules, omitStages, omitManagedFields }: AuditPolicy, request: AuditedRequest): RequestAuditConfig {
  const rule = rules.find((one) => ruleMatches(one, request));
  if (!rule) return { level: 'None', omitStages, omitManagedFields };
  return {
    level: rule.level,
    omitStages: [...omitStages, ...rule.omitStages],
    omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
  };
}

/** Whether `level` includes `least`. */
export function isLevelAtLeast(level: AuditLevel, least: AuditLevel): boolean {
  return auditLevels.indexOf(level) >= auditLevels.indexOf(least);
}

function ruleMatches(rule: AuditRule, request: AuditedRequest): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceUrls } = rule;
  const { user, verb } = request;
  if (users.length > 0 && !(user && users.includes(user.username))) return false;
  if (userGroups.length > 0 && !user?.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return ruleMatchesResource(rule, request);
  if (nonResourceUrls.length === 0) return true;
  return !request.isResourceRequest && nonResourceUrls.some((pattern) => pathMatches(pattern, request.path));
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.replace(/(?<!\*)\*+$/, '')) : pattern === path;
}

function ruleMatchesResource({ namespaces, resources }: AuditRule, request: AuditedRequest): boolean {
  if (!request.isResourceRequest) return false;
  if (namespaces.length > 0 && !namespaces.includes(request.namespace)) return false;
  return resources.length === 0 || resources.some((one) => matchesGroupResources(one, request));
}

function matchesGroupResources({ group, resources, names }: GroupResources, request: AuditedRequest): boolean {
  if (group !== request.group) return false;
  if (resources.length === 0) return true;
  if (names.length > 0 && !names.includes(request.name)) return false;
  const { resource, subresource } = request;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return resources.some(
    (one) => one === '*' || one === whole || one === `${resource}/*` || (subresource !== '' && one === `*/${subresource}`),
  );
}
