/** What counts against resource quotas, for the quota controller and admission. */
export { isTerminating, matchesQuotaScopes, matchesScope, type ScopeRequirement, scopeRequirements } from './quota-scopes.ts';
export { countedNames, isDeviceClaim, type QuotaContext, type QuotaResource, quotaResourcesOf, quotaUsageOf } from './quota-usage.ts';
export { sumUsage, type Usage } from './usage.ts';
