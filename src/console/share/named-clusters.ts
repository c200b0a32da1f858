import { isProductName, type ProductName } from '../../meta/index.ts';
import { openStore } from '../model/key-value-store.ts';

/** A cluster besides the default one. */
export interface NamedCluster {
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
  /** The API group names. Clusters of earlier releases have those of the build. */
  readonly names: ProductName;
}

/** Storage key of their names. */
export const namedClustersKey = 'clusters';

/** In the order of creation. The host may have lost the storage of one. */
export async function readNamedClusters(defaultNames: ProductName): Promise<readonly NamedCluster[]> {
  const stored = await (await openStore()).get(namedClustersKey);
  const clusters = (Array.isArray(stored) ? stored : []).filter(isNamedCluster);
  return clusters.map((cluster) => ({ ...cluster, names: isProductName(cluster.names) ? cluster.names : defaultNames }));
}

function isNamedCluster(value: unknown): value is Omit<NamedCluster, 'names'> & { readonly names?: unknown } {
  return typeof value === 'object' && value !== null && 'id' in value && 'name' in value && typeof value.id === 'string';
}
