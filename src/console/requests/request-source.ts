import { msg, str } from '@lit/localize';
import { html, type TemplateResult } from 'lit';
import type { RequestRecord } from '../model/request-log.ts';
import { routeTo } from '../routes.ts';

/** The display name of the source of a request. */
export function sourceName({ source }: RequestRecord): string {
  switch (source.kind) {
    case 'command': {
      const { id } = source;
      return msg(str`console #${id}`, { desc: 'the command that sent a request' });
    }
    case 'action':
      return screenName(source.screen);
    case 'internal':
      return msg('this page', { desc: 'the sender of a request' });
    case 'cluster':
      return msg('controller', { desc: 'the sender of a request' });
    case 'other':
      return msg('other client', { desc: 'from where a request was sent' });
    default:
      return source satisfies never;
  }
}

/** A screen with user-initiated requests. */
function screenName(screen: string): string {
  if (screen === 'explore') return msg('explore', { desc: 'the screen that sent a request' });
  if (screen === 'access') return msg('access', { desc: 'the screen that sent a request' });
  return screen === 'requests' ? msg('requests', { desc: 'the screen that sent a request' }) : screen;
}

/** The source with a link to it. */
export function sourceLink(record: RequestRecord): TemplateResult | string {
  const { source } = record;
  const name = sourceName(record);
  if (source.kind === 'command') return html`<a href=${routeTo('console', '', { block: String(source.id) })}>${name}</a>`;
  return source.kind === 'action' ? html`<a href=${source.at}>${name}</a>` : name;
}

/** Whether the user did not initiate the request: the page's own reads, watches, and reads of controllers, but not their writes. */
export function isBackgroundRequest({ source, method, target }: RequestRecord): boolean {
  return source.kind === 'internal' || (source.kind === 'cluster' && method === 'GET') || /[?&]watch=/.test(target);
}
