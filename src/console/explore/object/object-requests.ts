import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../../model/console-model.ts';
import { ModelWatcher } from '../../model-watcher.ts';
import { sourceName } from '../../requests/request-source.ts';
import { formatTime } from '../../requests/requests-screen.ts';
import { statusTone } from '../../requests/status-tone.ts';
import { routeTo } from '../../routes.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { objectPath } from '../object-path.ts';
import type { ExplorePlace } from '../place.ts';
import { panelStyles } from './panel-styles.ts';

const shownMax = 200;

/** The requests that read or changed this object, newest first. */
export class ObjectRequests extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, place: { attribute: false } };
  declare model: ConsoleModel;
  declare place: ExplorePlace;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model.requests);

  static override styles: CSSResultGroup = [sharedStyles, panelStyles];

  override render(): TemplateResult {
    const path = objectPath(this.place);
    const collection = objectPath({ ...this.place, name: '' });
    const selected = `fieldSelector=${encodeURIComponent(`metadata.name=${this.place.name}`)}`;
    const isAbout = ({ method, target, responseBody }: { method: string; target: string; responseBody: string }): boolean =>
      target.split('?')[0] === path ||
      target.startsWith(`${path}/`) ||
      (target.startsWith(`${collection}?`) && target.includes(selected)) ||
      (method === 'POST' && target.split('?')[0] === collection && responseBody.includes(`"name":"${this.place.name}"`));
    const some = this.model.requests.records.filter(isAbout).slice(-shownMax).reverse();
    if (some.length === 0) return html`<p class="note" role="status">${msg('No requests for this object yet.')}</p>`;
    return html`
      <div class="scroller">
        <table aria-label=${msg('Requests for this object')}>
          <tr><th scope="col">${msg('Time')}</th><th scope="col">${msg('Request')}</th><th scope="col">${msg('Code', { desc: 'the status code of a response' })}</th><th scope="col">${msg('User')}</th><th scope="col">${msg('Source', { desc: 'the sender of a request' })}</th></tr>
          ${some.map(
            (record) => html`<tr>
              <td>${formatTime(record.startMs)}</td>
              <td class="mono" translate="no"><a href=${routeTo('requests', record.id)}>${record.method} ${record.target}</a></td>
              <td><span class="chip ${statusTone(record.status)}">${record.status || '…'}</span></td>
              <td translate="no">${record.user}</td>
              <td>${sourceName(record)}</td>
            </tr>`,
          )}
        </table>
      </div>
    `;
  }
}
