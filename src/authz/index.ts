/** Authorization: authorizers, their union, the 403, and privilege escalation checks. */

export { type AbacPolicy, abacAuthorizer } from './abac/abac-authorizer.ts';
export { PolicyFileError, readPolicyFile } from './abac/policy-file.ts';
export { alwaysAllowAuthorizer, alwaysDenyAuthorizer } from './always-authorizers.ts';
export {
  type Attributes,
  createForbiddenError,
  type Identity,
  resourceAttributes,
  type Selectors,
  withoutSelectors,
} from './attributes.ts';
export {
  type Authorizer,
  type Decision,
  meteredAuthorizer,
  type ResourceRule,
  unionAuthorizer,
} from './authorizer.ts';
export {
  AuthorizationConfigError,
  type AuthorizerSettings,
  buildAuthorizerSettings,
} from './config/settings.ts';
export { type FileProblem, readAuthorizationConfiguration } from './config/validate.ts';
export { type DefaultObject, defaultRoles } from './defaults/default-roles.ts';
export { reconcileDefaultObject } from './defaults/reconcile.ts';
export { nodeAuthorizer } from './node/node-authorizer.ts';
export { createEscalationChecker, type EscalationChecker } from './rbac/escalation-checker.ts';
export type { PolicyRule, RoleBinding, RoleSource } from './rbac/policy.ts';
export { rbacAuthorizer } from './rbac/rbac-authorizer.ts';
export { readBinding, readRules } from './rbac/read-policy.ts';
export { RoleIndex } from './rbac/role-index.ts';
export { privilegedGroupAuthorizer } from './superusers.ts';
export { postDocument, postReview, type WebhookConnection, type WebhookCredentials, WebhookError } from './webhook/connection.ts';
export { retryWithBackoff } from './webhook/retry.ts';
export { webhookAuthorizer } from './webhook/webhook-authorizer.ts';
