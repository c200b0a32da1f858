import { html, type TemplateResult } from 'lit';
import type { RequestRecord } from '../model/request-log.ts';
import { routeTo } from '../routes.ts';

/** Who sent it, in a word. */
export function sourceName({ source }: RequestRecord): string {
  if (source.kind === 'command') return `console #${source.id}`;
  if (source.kind === 'action') return source.screen;
  return source.kind === 'internal' ? 'this page' : source.kind === 'cluster' ? 'a controller' : 'elsewhere';
}

/** The same, and the way back to it. */
export function sourceLink(record: RequestRecord): TemplateResult | string {
  const { source } = record;
  const name = sourceName(record);
  if (source.kind === 'command') return html`<a href=${routeTo('console', '', { block: String(source.id) })}>${name}</a>`;
  return source.kind === 'action' ? html`<a href=${source.at}>${name}</a>` : name;
}

/** What nobody asked for by hand: the page's own reads, watches, and what controllers read; what controllers do is news. */
export function isQuiet({ source, method, target }: RequestRecord): boolean {
  return source.kind === 'internal' || (source.kind === 'cluster' && method === 'GET') || /[?&]watch=/.test(target);
}
