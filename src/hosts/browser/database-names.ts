import type { ProductName } from '../../meta/index.ts';

/** Scope of database names: databases are separate per product, whose names are in the stored data, and per folder of the page. */
export interface DatabaseOwner {
  readonly names: ProductName;
  /** The page's folder on its origin. */
  readonly folder: string;
}

/** Database of the page's own cluster. */
export const databaseOf = ({ names, folder }: DatabaseOwner): string => `tabplane-cluster-${names}${suffix(folder)}`;

/** Prefix of the databases of additional clusters; cluster ids have no slash. */
export const otherDatabases = ({ names, folder }: DatabaseOwner): string => `tabplane-other-${names}-${suffix(folder)}`;

/** Database of answered attempts (service-worker/answered-attempts.ts). */
export const attemptsDatabaseOf = ({ names, folder }: DatabaseOwner): string => `tabplane-attempts-${names}${suffix(folder)}`;

const suffix = (folder: string): string => (folder === '/' ? '' : folder);
