import type { ProductName } from '../../meta/index.ts';

/** Whose the databases of clusters are. Each product has its own, since what is stored has its names in it; pages in several folders, too. */
export interface DatabaseOwner {
  readonly names: ProductName;
  /** The page's folder on its origin. */
  readonly folder: string;
}

/** Of the page's own cluster. */
export const databaseOf = ({ names, folder }: DatabaseOwner): string => `tabplane-cluster-${names}${suffix(folder)}`;

/** What the names of the others begin with; no id of a cluster has a slash in it. */
export const otherDatabases = ({ names, folder }: DatabaseOwner): string => `tabplane-other-${names}-${suffix(folder)}`;

/** Of the notes of answered attempts (service-worker/answered-attempts.ts). */
export const attemptsDatabaseOf = ({ names, folder }: DatabaseOwner): string => `tabplane-attempts-${names}${suffix(folder)}`;

const suffix = (folder: string): string => (folder === '/' ? '' : folder);
