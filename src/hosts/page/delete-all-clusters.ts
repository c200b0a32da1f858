import { attemptsCachePrefix, clusterDatabaseName, type DatabaseScope, parseAdditionalDatabase } from '../browser/database-names.ts';

/** Deletes the databases of all clusters of a page, none of which may be open, and the record of their writes. */
export async function deleteAllClusters(owner: DatabaseScope): Promise<void> {
  const isOurs = (name: string): boolean =>
    name === clusterDatabaseName(owner) || parseAdditionalDatabase(name, owner.folder) !== undefined;
  const databases = await indexedDB.databases();
  await Promise.all(databases.flatMap(({ name = '' }) => (isOurs(name) ? [deleteDatabase(name)] : [])));
  const attempts = (await caches.keys()).filter((name) => name.startsWith(attemptsCachePrefix(owner)));
  await Promise.all(attempts.map((name) => caches.delete(name)));
}

function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('a cluster is still open in this browser'));
  });
}
