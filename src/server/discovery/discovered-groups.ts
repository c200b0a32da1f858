import type { JsonObject } from '../../meta/index.ts';
import type { Catalog, Group } from '../../schema/index.ts';
import type { AggregatedApis } from '../aggregation/aggregated-apis.ts';

/** A group of discovery documents. */
export interface DiscoveredGroup extends Group {
  /** The APIVersionDiscovery of the versions that other servers serve. */
  readonly aggregated: ReadonlyMap<string, JsonObject>;
}

/** The groups of the catalog, and those of aggregated API servers in the place of their priority. */
export function discoveredGroups(catalog: Catalog, { versions, groupPriority }: AggregatedApis): readonly DiscoveredGroup[] {
  const groups: DiscoveredGroup[] = catalog.groups.map((group) => ({ ...group, aggregated: new Map() }));
  const sorted = [...versions].sort((a, b) => b.priority - a.priority);
  for (const name of new Set(sorted.map(({ group }) => group))) {
    const own = sorted.filter(({ group }) => group === name);
    const aggregated = new Map(own.map(({ version, discovery }) => [version, discovery]));
    const index = groups.findIndex((group) => group.name === name);
    const known = groups[index];
    if (known) groups[index] = { ...known, versions: [...new Set([...known.versions, ...aggregated.keys()])], aggregated };
    else groups.splice(placeOf(name, groups, groupPriority), 0, { name, versions: [...aggregated.keys()], aggregated });
  }
  return groups;
}

/** Before the first group with a lower priority, or the same one and a later name. The group of APIService objects is always first. */
function placeOf(name: string, groups: readonly DiscoveredGroup[], priority: AggregatedApis['groupPriority']): number {
  const own = priority(name);
  const index = groups.findIndex((group) => priority(group.name) < own || (priority(group.name) === own && group.name > name));
  return index < 0 ? groups.length : index;
}
