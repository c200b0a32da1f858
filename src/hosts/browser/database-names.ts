import { type ProductName, productNames } from '../../meta/index.ts';

/** Scope of database names: databases are separate per product, whose names are in the stored data, and per folder of the page. */
export interface DatabaseScope {
  readonly names: ProductName;
  /** The page's folder on its origin. */
  readonly folder: string;
}

/** Database of the page's own cluster. */
export const clusterDatabaseName = ({ names, folder }: DatabaseScope): string => `tabplane-cluster-${names}${suffix(folder)}`;

/** Prefix of the databases of additional clusters; cluster ids have no slash. */
export const additionalDatabasePrefix = ({ names, folder }: DatabaseScope): string => `tabplane-other-${names}-${suffix(folder)}`;

/** Prefix of the caches of answered attempts (service-worker/answered-attempts.ts), which have the id of a worker's instance. */
export const attemptsCachePrefix = ({ names, folder }: DatabaseScope): string => `tabplane-attempts-${names}${suffix(folder)}:`;

/** The names and the id of the additional cluster that has the database; undefined for other databases. */
export function parseAdditionalDatabase(
  database: string,
  folder: string,
): { readonly id: string; readonly names: ProductName } | undefined {
  for (const names of productNames) {
    const prefix = additionalDatabasePrefix({ names, folder });
    const id = database.slice(prefix.length);
    if (database.startsWith(prefix) && !id.includes('/')) return { id, names };
  }
  return undefined;
}

const suffix = (folder: string): string => (folder === '/' ? '' : folder);
