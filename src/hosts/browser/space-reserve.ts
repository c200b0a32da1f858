import type { SpaceReserve } from '../../storage/index.ts';

/** Room for thousands of deletes, and for the snapshot of what is left after many. */
const reserveBytes = 1024 * 1024;
/** One for all clusters of the origin, which share its quota. */
const cacheName = 'tabplane-reserve';
const entry = '/tabplane-reserve';
/** `getRandomValues` fills at most this much at once. */
const randomMaxBytes = 65_536;

/** Chromium frees the bytes of a deleted cache a moment later, and refuses writes until then. */
const freedAfterMs = 100;

/** Space of this origin's quota, held by an entry of the Cache API: IndexedDB gives the room of what is deleted back only much later. */
export const spaceReserve: SpaceReserve = {
  async take() {
    const cache = await caches.open(cacheName);
    if (await cache.match(entry)) return;
    // What repeats would be stored in less.
    const bytes = new Uint8Array(reserveBytes);
    for (let at = 0; at < reserveBytes; at += randomMaxBytes) crypto.getRandomValues(bytes.subarray(at, at + randomMaxBytes));
    await cache.put(entry, new Response(bytes));
  },
  async release() {
    try {
      await caches.delete(cacheName);
    } catch {
      // A browser without caches has no reserve.
    }
    await new Promise((resolve) => setTimeout(resolve, freedAfterMs));
  },
};
