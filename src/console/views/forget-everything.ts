import type { ClusterConnection } from '../model/connection.ts';
import { openKeep } from '../model/keep.ts';

/** Removes all that this browser keeps of Tabplane, and opens the page as on a first visit. @throws when a cluster cannot be removed */
export async function forgetEverything(connection: ClusterConnection): Promise<void> {
  await connection.forget();
  const keep = await openKeep();
  for (const [key] of await keep.entries('')) await keep.delete(key);
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) if (name.startsWith('tabplane-')) storage.removeItem(name);
  }
  location.hash = '';
  location.reload();
}
