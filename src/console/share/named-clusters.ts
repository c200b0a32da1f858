import { openStore } from '../model/keep.ts';

/** A cluster that somebody made beside the page's own. */
export interface NamedCluster {
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
}

/** Where their names are kept. */
export const namedClustersKey = 'clusters';

/** As they were made; the host may have lost one since. */
export async function readNamedClusters(): Promise<readonly NamedCluster[]> {
  const stored = await (await openStore()).get(namedClustersKey);
  return (Array.isArray(stored) ? stored : []).filter(isNamedCluster);
}

function isNamedCluster(value: unknown): value is NamedCluster {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value && typeof value.id === 'string';
}
