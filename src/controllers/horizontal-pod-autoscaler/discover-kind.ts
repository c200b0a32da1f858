import { type ApiClient, hasStatus } from '../../client/index.ts';
import { goQuote } from '../../meta/index.ts';
import type { metav1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';

/** A resource as paths contain it. */
export interface DiscoveredResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The resources of a kind in all versions of its group, the preferred version first. Cf. RESTMapper.RESTMappings. @throws Error without one */
export async function discoverKind(client: ApiClient, group: string, kind: string): Promise<readonly DiscoveredResource[]> {
  const found: DiscoveredResource[] = [];
  for (const version of await versionsOf(client, group)) {
    const list: Decoded<metav1.APIResourceList> = await client.send('GET', group === '' ? `/api/${version}` : `/apis/${group}/${version}`);
    const match = list.resources?.find((one) => one.kind === kind && !one.name?.includes('/'));
    if (match) found.push({ group, version, resource: match.name ?? '' });
  }
  if (found.length === 0) throw new Error(`no matches for kind ${goQuote(kind)} in group ${goQuote(group)}`);
  return found;
}

/** The versions of a group, the preferred one first; none for an unknown group. */
export async function versionsOf(client: ApiClient, group: string): Promise<readonly string[]> {
  if (group === '') return ['v1'];
  try {
    const { preferredVersion, versions }: Decoded<metav1.APIGroup> = await client.send('GET', `/apis/${group}`);
    const preferred = preferredVersion?.version ?? '';
    const all = versions?.map(({ version = '' }) => version) ?? [];
    return [...(preferred === '' ? [] : [preferred]), ...all.filter((version) => version !== preferred)];
  } catch (error) {
    if (hasStatus(error, 404)) return [];
    throw error;
  }
}

/** `apps/v1` and `v1` without the version. @throws Error for more than one slash */
export function groupOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  return parts.length === 2 ? (parts[0] ?? '') : '';
}

/** `deployments.apps`, or `pods` of the core group. */
export function qualifiedName({ resource, group }: Pick<DiscoveredResource, 'resource' | 'group'>): string {
  return group === '' ? resource : `${resource}.${group}`;
}
