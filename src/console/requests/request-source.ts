import type { RequestRecord } from '../model/request-log.ts';

/** Who sent it, in a word. */
export function sourceName({ source }: RequestRecord): string {
  if (source.kind === 'command') return `console #${source.id}`;
  if (source.kind === 'action') return source.screen;
  return source.kind === 'internal' ? 'this page' : source.kind === 'cluster' ? 'a controller' : 'elsewhere';
}

/** What nobody asked for by hand: the page's own reads, watches, and what controllers read; what controllers do is news. */
export function isQuiet({ source, method, target }: RequestRecord): boolean {
  return source.kind === 'internal' || (source.kind === 'cluster' && method === 'GET') || /[?&]watch=/.test(target);
}
