/** Authorization: authorizers, their union, the 403, and privilege escalation checks. */

export { type AbacPolicy, abacAuthorizer } from './abac/abac-authorizer.ts';
export { PolicyFileError, readPolicyFile } from './abac/policy-file.ts';
export { alwaysAllowAuthorizer, alwaysDenyAuthorizer } from './always-authorizers.ts';
export { type Attributes, forbiddenBy, type Identity, resourceAttributes, type Selectors, withoutSelectors } from './attributes.ts';
export {
  type Authorizer,
  countedAuthorizer,
  type Decision,
  type ResourceRule,
  type RuleList,
  unionAuthorizer,
  type Verdict,
} from './authorizer.ts';
export {
  AuthorizationConfigError,
  type AuthorizerSettings,
  type AuthorizerType,
  settingsOfModes,
  type WebhookSettings,
} from './config/settings.ts';
export { type FileProblem, readSettings } from './config/validate.ts';
export { type DefaultObject, defaultRoles } from './defaults/default-roles.ts';
export { reconciled } from './defaults/reconcile.ts';
export { nodeAuthorizer } from './node/node-authorizer.ts';
export type { NodeSource } from './node/node-relations.ts';
export { type RoleGuard, roleGuard } from './rbac/escalation-checker.ts';
export type { PolicyRule, RoleBinding, RoleSource } from './rbac/policy.ts';
export { rbacAuthorizer } from './rbac/rbac-authorizer.ts';
export { readBinding, readRules } from './rbac/read-policy.ts';
export { RoleIndex } from './rbac/role-index.ts';
export { superuserAuthorizer } from './superusers.ts';
export { brokenJson, notTyped } from './typed-object.ts';
export { postDocument, postReview, type WebhookConnection, type WebhookCredentials, WebhookError } from './webhook/connection.ts';
export { patiently } from './webhook/retry.ts';
export { webhookAuthorizer } from './webhook/webhook-authorizer.ts';
