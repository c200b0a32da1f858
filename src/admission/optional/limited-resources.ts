import { StatusError } from '../../meta/index.ts';
import { matchesScope, type ScopeRequirement, scopeRequirements } from '../../schema/index.ts';
import { type QuotaLimitCheck, quotaSpecOf } from '../charge-quotas.ts';
import { createForbiddenError } from '../forbidden-error.ts';

/** A resource that may be used only where a quota covers it. Cf. apiserver.config.k8s.io ResourceQuotaConfiguration. */
export interface LimitedResource {
  readonly apiGroup: string;
  readonly resource: string;
  /** Parts of the names of limited amounts, for example `requests.storage`. */
  readonly matchContains: readonly string[];
  /** Scopes that a quota must cover. */
  readonly matchScopes: readonly ScopeRequirement[];
}

/** Objects that consume limited resources have to be covered by a quota. Cf. CheckRequest of apiserver/plugin/resourcequota. */
export function checkLimitedResources(limitedResources: readonly LimitedResource[]): QuotaLimitCheck {
  return ({ all, matching, usage }, { request, object }) => {
    const resource = { group: request.group, resource: request.resource };
    const parts = limitedResources
      .filter((one) => one.apiGroup === request.group && one.resource === request.resource)
      .flatMap(({ matchContains }) => matchContains);
    const covered = new Set(matching.flatMap(({ names }) => names));
    const uncovered = Object.keys(usage).filter((name) => parts.some((part) => name.includes(part)) && !covered.has(name));
    if (uncovered.length > 0) throw createForbiddenError(request, object, `insufficient quota to consume: ${uncovered.sort().join(',')}`);
    const isIn = (requirement: ScopeRequirement): boolean => matchesScope(resource, object, requirement);
    const coveredScopes = new Set(
      all.flatMap((quota) => scopeRequirements(quotaSpecOf(quota)).filter(isIn)).map(({ scopeName }) => scopeName),
    );
    const scopes = limitedResources
      .flatMap(({ matchScopes }) => matchScopes.filter(isIn))
      .filter(({ scopeName }) => !coveredScopes.has(scopeName));
    if (scopes.length === 0) return;
    const texts = scopes.map(({ scopeName, operator, values }) => `{${scopeName} ${operator} [${values.join(' ')}]}`);
    // The real plugin returns an internal error, not 403.
    throw new StatusError(500, '', `insufficient quota to match these scopes: [${texts.join(' ')}]`);
  };
}
