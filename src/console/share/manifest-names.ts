import type { ProductName } from '../../meta/index.ts';

/** The API group of `apiVersion: group/version`, in YAML and JSON. */
const apiGroup = /"?apiVersion"?:\s*["']?([a-z0-9.-]+)\//g;

/** The API group names of which manifests are written. Undefined when they use only groups that all clusters have. */
export function namesOfManifests(text: string): ProductName | undefined {
  for (const [, group = ''] of text.matchAll(apiGroup)) {
    const names = namesOfGroup(group);
    if (names !== undefined) return names;
  }
  return undefined;
}

/** Undefined for groups without a domain, and for those of custom resources. */
export function namesOfGroup(group: string): ProductName | undefined {
  if (group.endsWith('.k8s.io')) return 'kubernetes';
  return group.endsWith('.svc') ? 'svc' : undefined;
}
