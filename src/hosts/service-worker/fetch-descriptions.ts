import type { DescriptionData } from '../../schema/index.ts';
import { matchFile } from './stored-archive.ts';

/**
 * Reads the descriptions in a Service Worker, which cannot import() a module: from the page's cached files, or else from the server. `file` is
 * relative to the scope.
 */
export async function fetchDescriptions(file: string, scope: string, cacheName: string): Promise<DescriptionData> {
  const url = scope + file;
  const response = (await matchCache(url, scope, cacheName)) ?? (await fetch(url));
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return (await response.json()) as DescriptionData;
}

async function matchCache(url: string, scope: string, cacheName: string): Promise<Response | undefined> {
  try {
    return await matchFile(await caches.open(cacheName), scope, url);
  } catch {
    // Caches are refused or broken.
    return undefined;
  }
}
