import type { admissionregistrationv1 } from '../../schema/api/index.ts';
import type { DiscoveredResource } from '../discovered-resources.ts';

export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type Rule = Pick<admissionregistrationv1.NamedRuleWithOperations, 'apiGroups' | 'apiVersions' | 'resources'>;

/** Maximum number of kinds of one rule. */
const maxTypesToCheck = 10;

/** The kinds that rules without wildcards match, sorted. Cf. TypeChecker.typesToCheck. */
export function typesToCheck(rules: readonly Rule[], known: readonly DiscoveredResource[]): readonly KindName[] {
  const found = new Map<string, KindName>();
  const sorted = (): readonly KindName[] => [...found.values()].sort(compareKinds);
  for (const rule of rules) {
    let count = 0;
    for (const { group, version, name } of resourcesOf(rule)) {
      const resource = known.find((one) => one.group === group && one.version === version && one.name === name);
      if (!resource) continue;
      found.set(`${group}/${version}/${resource.kind}`, { group, version, kind: resource.kind });
      count++;
      // As upstream, this ends the search in all rules.
      if (count === maxTypesToCheck) return sorted();
    }
  }
  return sorted();
}

function resourcesOf({
  apiGroups = [],
  apiVersions = [],
  resources = [],
}: Rule): readonly Pick<DiscoveredResource, 'group' | 'version' | 'name'>[] {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) return [];
  const names = resources.filter((name) => !/[*/]/.test(name)).sort();
  return [...apiGroups]
    .sort()
    .flatMap((group) => [...apiVersions].sort().flatMap((version) => names.map((name) => ({ group, version, name }))));
}

function compareKinds(a: KindName, b: KindName): number {
  return compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
