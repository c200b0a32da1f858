/** What counts against resource quotas, for the quota controller and admission. */
export { matchesQuotaScopes } from './quota-scopes.ts';
export { isCountedPod, type QuotaResource, quotaResourcesOf, quotaUsageOf } from './quota-usage.ts';
export { sumUsage, type Usage } from './usage.ts';
