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
  await Promise.all([
    cache.put(scope + indexEntry, new Response(archive.subarray(0, from))),
    cache.put(scope + contentsEntry, new Response(archive.subarray(from))),
  ]);
}

/** A file with an entry of its own, or of the archive. Undefined: the cache does not have it. */
export async function matchFile(cache: Cache, scope: string, url: string): Promise<Response | undefined> {
  const entry = await cache.match(url);
  if (entry) return entry;
  const [index, contents] = await Promise.all([indexEntry, contentsEntry].map((part) => cache.match(scope + part)));
  if (!index || !contents) return undefined;
  let from = 0;
  for (const [path, contentType, bytes] of (await index.json()) as ArchiveIndex) {
    if (scope + path === url) return new Response((await contents.blob()).slice(from, from + bytes, contentType));
    from += bytes;
  }
  return undefined;
}
