import type { DescriptionData } from '../../schema/index.ts';

/** Reads the descriptions in a Service Worker, which cannot import() a module: from the page's cached files, or else from the server. */
export async function fetchDescriptions(url: string, cacheName: string): Promise<DescriptionData> {
  const response = (await matchCache(url, cacheName)) ?? (await fetch(url));
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return (await response.json()) as DescriptionData;
}

async function matchCache(url: string, cacheName: string): Promise<Response | undefined> {
  try {
    return await (await caches.open(cacheName)).match(url);
  } catch {
    // Caches are refused or broken.
    return undefined;
  }
}
