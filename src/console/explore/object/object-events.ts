import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { metadataOf } from '../../../kubectl/index.ts';
import { formatHumanDuration, type JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { lastSeenMs } from '../event-time.ts';
import { WatchedObjects } from '../watched-objects.ts';
import { panelStyles } from './panel-styles.ts';

/** The events of an object, watched, newest first. */
export class ObjectEvents extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    object: { attribute: false },
  };
  declare model: ConsoleModel;
  declare object: JsonObject;
  #events: WatchedObjects | undefined;

  static override styles: CSSResultGroup = [sharedStyles, panelStyles];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#watch());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#events?.close();
    this.#events = undefined;
  }

  override render(): TemplateResult {
    const { objects: events, failure } = this.#events ?? { objects: undefined, failure: '' };
    if (failure !== '') return html`<p class="note" role="alert">${failure}</p>`;
    if (events === undefined) return html`<p class="note" role="status">${msg('Loading events…')}</p>`;
    if (events.length === 0) return html`<p class="note" role="status">${msg('No events for this object.')}</p>`;
    const newest = [...events].sort((a, b) => lastSeenMs(b) - lastSeenMs(a));
    return html`
      <div class="scroller">
        <table aria-label=${msg('Events')}>
          <tr><th scope="col">${msg('Last seen')}</th><th scope="col">${msg('Type')}</th><th scope="col">${msg('Reason')}</th><th scope="col">${msg('Count')}</th><th scope="col">${msg('Message')}</th></tr>
          ${newest.map((event) => this.#event(event))}
        </table>
      </div>
    `;
  }

  #event(event: JsonObject): TemplateResult {
    const text = (name: string): string => String(event[name] ?? '');
    const tone = event['type'] === 'Warning' ? 'warn' : 'info';
    return html`<tr translate="no">
      <td>${formatHumanDuration(this.model.env.clock.nowMs() - lastSeenMs(event))}</td>
      <td><span class="chip ${tone}">${text('type')}</span></td>
      <td>${text('reason')}</td>
      <td>${text('count') || '1'}</td>
      <td>${text('message') || text('note')}</td>
    </tr>`;
  }

  #watch(): void {
    if (!this.isConnected) return;
    const { uid, namespace } = metadataOf(this.object);
    const within = typeof namespace === 'string' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    const query = { path: `/api/v1${within}/events`, query: { fieldSelector: `involvedObject.uid=${uid}` } };
    this.#events = new WatchedObjects(this.model, query, () => this.requestUpdate());
  }
}
