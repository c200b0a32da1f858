/** The first line of an archive, as JSON; the contents follow in the same order. Paths are relative to the scope. */
export type ArchiveIndex = readonly (readonly [path: string, contentType: string, bytes: number])[];

const lineFeed = 0x0a;

/** The entries of a cache for the two parts of an archive, relative to the scope. */
const [indexEntry, contentsEntry] = ['assets/offline-index', 'assets/offline-contents'];

/**
 * Stores an archive, which is not compressed, in two entries: an entry for each of its hundreds of files takes as much processor time as
 * the rest of a first visit, since browsers compile scripts that a worker stores during its installation.
 */
export async function storeArchive(cache: Cache, scope: string, archive: Uint8Array<ArrayBuffer>): Promise<void> {
  const from = archive.indexOf(lineFeed) + 1;
  await cache.put(scope + indexEntry, new Response(archive.subarray(0, from)));
  await cache.put(scope + contentsEntry, new Response(archive.subarray(from)));
}

/** A file with an entry of its own, or of the archive. Undefined: there is no such cache, or it does not have the file. */
export async function matchFile(caches: CacheStorage, cacheName: string, scope: string, url: string): Promise<Response | undefined> {
  const match = (entry: string): Promise<Response | undefined> => caches.match(entry, { cacheName });
  const own = await match(url);
  if (own) return own;
  const index: ArchiveIndex = (await (await match(scope + indexEntry))?.json()) ?? [];
  let from = 0;
  for (const [path, contentType, bytes] of index) {
    if (scope + path === url) {
      const contents = await (await match(scope + contentsEntry))?.blob();
      return contents && new Response(contents.slice(from, from + bytes, contentType));
    }
    from += bytes;
  }
  return undefined;
}
