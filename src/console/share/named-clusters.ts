import { openStore } from '../model/key-value-store.ts';

/** A cluster besides the default one. */
export interface NamedCluster {
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
}

/** Storage key of their names. */
export const namedClustersKey = 'clusters';

/** In the order of creation. The host may have lost the storage of one. */
export async function readNamedClusters(): Promise<readonly NamedCluster[]> {
  const stored = await (await openStore()).get(namedClustersKey);
  return (Array.isArray(stored) ? stored : []).filter(isNamedCluster);
}

function isNamedCluster(value: unknown): value is NamedCluster {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value && typeof value.id === 'string';
}
