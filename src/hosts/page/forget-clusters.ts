/** Removes the databases of all clusters of this origin; nobody may have one open. */
export async function forgetClusters(): Promise<void> {
  const databases = await indexedDB.databases();
  const names = databases.flatMap(({ name = '' }) => (/^tabplane-(?:cluster|other)-/.test(name) ? [name] : []));
  await Promise.all(names.map(remove));
}

function remove(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('a cluster is still open in this browser'));
  });
}
