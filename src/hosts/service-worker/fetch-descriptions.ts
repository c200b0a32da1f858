import type { DescriptionData } from '../../schema/index.ts';
import { matchFile } from './stored-archive.ts';

/**
 * Reads the descriptions in a Service Worker, which cannot import() a module: from the page's cached files, or else from the server. `file` is
 * relative to the scope.
 */
export async function fetchDescriptions(file: string, scope: string, cacheName: string): Promise<DescriptionData> {
  const url = scope + file;
  // Caches may be refused or broken.
  const cached = await matchFile(caches, cacheName, scope, url).catch(() => undefined);
  const response = cached ?? (await fetch(url));
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return (await response.json()) as DescriptionData;
}
