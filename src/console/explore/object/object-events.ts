import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { listAndWatch } from '../../../client/index.ts';
import { metadataOf } from '../../../kubectl/index.ts';
import { formatHumanDuration, isJsonObject, type JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { errorText } from '../api.ts';
import { panelStyles } from './panel-styles.ts';

/** The events of an object, watched, newest first. */
export class ObjectEvents extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    object: { attribute: false },
    events: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare object: JsonObject;
  declare events: ReadonlyMap<string, JsonObject> | undefined;
  declare failure: string;
  #life = new AbortController();

  static override styles: CSSResultGroup = [sharedStyles, panelStyles];

  constructor() {
    super();
    this.failure = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#life = new AbortController();
    void this.updateComplete.then(() => this.#watch());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  override render(): TemplateResult {
    const { events, failure } = this;
    if (failure !== '') return html`<p class="note" role="alert">${failure}</p>`;
    if (events === undefined) return html`<p class="note" role="status">${msg('Loading events…')}</p>`;
    if (events.size === 0) return html`<p class="note" role="status">${msg('No events for this object.')}</p>`;
    const newest = [...events.values()].sort((a, b) => lastMs(b) - lastMs(a));
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
      <td>${formatHumanDuration(this.model.env.clock.nowMs() - lastMs(event))}</td>
      <td><span class="chip ${tone}">${text('type')}</span></td>
      <td>${text('reason')}</td>
      <td>${text('count') || '1'}</td>
      <td>${text('message') || text('note')}</td>
    </tr>`;
  }

  #watch(): void {
    const { uid, namespace } = metadataOf(this.object);
    const within = typeof namespace === 'string' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
    const put = (event: JsonObject, all: ReadonlyMap<string, JsonObject>): void => {
      this.events = new Map([...all, [String(metadataOf(event)['uid']), event]]);
    };
    void listAndWatch(
      {
        api: this.model.internalApi,
        clock: this.model.env.clock,
        path: `/api/v1${within}/events`,
        query: { fieldSelector: `involvedObject.uid=${uid}` },
      },
      {
        onListed: (events) => {
          this.events = new Map(events.map((event) => [String(metadataOf(event)['uid']), event]));
        },
        onEvent: ({ object }) => put(object, this.events ?? new Map()),
        onStateChange: (state, cause) => {
          if (state === 'waiting' && cause instanceof Error && 'status' in cause) this.failure = errorText(cause);
          if (state === 'watching') this.failure = '';
        },
      },
      this.#life.signal,
    );
  }
}

function lastMs(event: JsonObject): number {
  const series = isJsonObject(event['series']) ? event['series']['lastObservedTime'] : undefined;
  const time = series ?? event['lastTimestamp'] ?? event['eventTime'] ?? metadataOf(event)['creationTimestamp'];
  return Date.parse(String(time));
}
