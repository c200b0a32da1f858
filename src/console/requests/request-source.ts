import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import type { RequestRecord } from '../model/request-log.ts';
import { routeTo } from '../routes.ts';

/** Who sent it, in a word. */
export function sourceName({ source }: RequestRecord): string {
  switch (source.kind) {
    case 'command': {
      const { id } = source;
      return msg(str`console #${id}`, { desc: 'the command that sent a request' });
    }
    case 'action':
      return screenName(source.screen);
    case 'internal':
      return msg('this page', { desc: 'who sent a request' });
    case 'cluster':
      return msg('controller', { desc: 'who sent a request' });
    case 'other':
      return msg('other client', { desc: 'from where a request was sent' });
    default:
      return source satisfies never;
  }
}

/** A screen on which requests are sent by hand. */
function screenName(screen: string): string {
  if (screen === 'explore') return msg('explore', { desc: 'the screen that sent a request' });
  if (screen === 'access') return msg('access', { desc: 'the screen that sent a request' });
  return screen === 'requests' ? msg('requests', { desc: 'the screen that sent a request' }) : screen;
}

/** The same, and the way back to it. */
export function sourceLink(record: RequestRecord): TemplateResult | string {
  const { source } = record;
  const name = sourceName(record);
  if (source.kind === 'command') return html`<a href=${routeTo('console', '', { block: String(source.id) })}>${name}</a>`;
  return source.kind === 'action' ? html`<a href=${source.at}>${name}</a>` : name;
}

/** What nobody asked for by hand: the page's own reads, watches, and what controllers read; what controllers do is news. */
export function isBackgroundRequest({ source, method, target }: RequestRecord): boolean {
  return source.kind === 'internal' || (source.kind === 'cluster' && method === 'GET') || /[?&]watch=/.test(target);
}
