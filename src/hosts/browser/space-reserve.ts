import type { SpaceReserve } from '../../storage/index.ts';

/** Enough for thousands of deletes, and for a snapshot after many of them. */
const reserveBytes = 1024 * 1024;
/** Shared by all clusters of the origin, which share its quota. */
const cacheName = 'tabplane-reserve';
const entry = '/tabplane-reserve';
/** Limit of one `getRandomValues` call. */
const randomMaxBytes = 65_536;

/** Chromium frees the space of a deleted cache with a delay, and refuses writes until then. */
const freedAfterMs = 100;

/** Reserves quota of this origin by an entry of the Cache API: IndexedDB frees the space of deleted data only much later. */
export const spaceReserve: SpaceReserve = {
  async take() {
    const cache = await caches.open(cacheName);
    if (await cache.match(entry)) return;
    // Random bytes, because repetitive data would be compressed.
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
