import type { ClusterConnection } from '../model/connection.ts';
import { openStore } from '../model/key-value-store.ts';

/** Removes all data of Tabplane from this browser and reloads the page. @throws when a cluster cannot be removed */
export async function resetBrowserData(connection: ClusterConnection): Promise<void> {
  await connection.forget();
  const store = await openStore();
  for (const [key] of await store.entries('')) await store.delete(key);
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) if (name.startsWith('tabplane-')) storage.removeItem(name);
  }
  // Without an event, which would store the open cluster again.
  history.replaceState(null, '', location.pathname + location.search);
  location.reload();
}
