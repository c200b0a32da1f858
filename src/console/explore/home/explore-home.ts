import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { metadataOf } from '../../../kubectl/index.ts';
import { formatHumanDuration, type JsonObject, recordAt } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import type { RequestRecord } from '../../model/request-log.ts';
import { ModelWatcher } from '../../model-watcher.ts';
import { sourceLink } from '../../requests/request-source.ts';
import { routeTo } from '../../routes.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { lastSeenMs } from '../event-time.ts';
import { panelStyles } from '../object/panel-styles.ts';
import { linkToPlace } from '../place.ts';
import { typesOf } from '../resource-types.ts';
import { WatchedObjects } from '../watched-objects.ts';

const rowsMax = 10;

/** The start of Explore: problems of the cluster, and the last changes. */
export class ExploreHome extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false } };
  declare model: ConsoleModel;
  #warnings: WatchedObjects | undefined;
  #pods: WatchedObjects | undefined;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model.requests);

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    css`
      :host {
        overflow-y: auto;
      }
      td:first-child {
        color: var(--muted);
        white-space: nowrap;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#watch());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#warnings?.close();
    this.#pods?.close();
    [this.#warnings, this.#pods] = [undefined, undefined];
  }

  override render(): TemplateResult {
    return html`
      <p class="note">${msg('Choose a resource type to watch its objects. All types of the server are listed, including custom resources.')}</p>
      ${this.#waitingPods()} ${this.#warningEvents()} ${this.#changes()}
    `;
  }

  #watch(): void {
    if (!this.isConnected || this.#warnings !== undefined) return;
    const update = (): void => this.requestUpdate();
    this.#warnings = new WatchedObjects(this.model, { path: '/api/v1/events', query: { fieldSelector: 'type=Warning' } }, update);
    const fieldSelector = 'status.phase!=Running,status.phase!=Succeeded';
    this.#pods = new WatchedObjects(this.model, { path: '/api/v1/pods', query: { fieldSelector } }, update);
  }

  #waitingPods(): TemplateResult | typeof nothing {
    const pods = this.#pods?.objects ?? [];
    if (pods.length === 0) return nothing;
    return html`
      <h3>${msg('Pods that do not run')}</h3>
      <div class="scroller">
        <table aria-label=${msg('Pods that do not run')}>
          ${pods.slice(0, rowsMax).map((pod) => {
            const { namespace, name, creationTimestamp } = metadataOf(pod);
            const status = recordAt(pod, 'status');
            const link = linkToPlace({ version: 'v1', resource: 'pods', namespace: String(namespace), name: String(name) });
            return html`<tr translate="no">
              <td>${this.#age(Date.parse(String(creationTimestamp)))}</td>
              <td><a href=${link}>${namespace}/${name}</a></td>
              <td><span class="chip warn">${status['reason'] ?? status['phase'] ?? ''}</span></td>
            </tr>`;
          })}
        </table>
      </div>
    `;
  }

  #warningEvents(): TemplateResult {
    const { objects, failure } = this.#warnings ?? { objects: undefined, failure: '' };
    const newest = [...(objects ?? [])].sort((a, b) => lastSeenMs(b) - lastSeenMs(a)).slice(0, rowsMax);
    const none = failure !== '' ? failure : objects === undefined ? msg('Loading…') : msg('No warnings.');
    return html`
      <h3>${msg('Warnings')}</h3>
      ${newest.length === 0 ? html`<p class="note" role="status">${none}</p>` : html`<div class="scroller"><table aria-label=${msg('Warnings')}>${newest.map((event) => this.#event(event))}</table></div>`}
    `;
  }

  #event(event: JsonObject): TemplateResult {
    const { apiVersion, kind, namespace, name } = recordAt(event, 'involvedObject');
    const type = typesOf(this.model).ofKind(String(apiVersion), String(kind));
    const label = `${kind} ${name}`;
    const place = type && {
      group: type.group,
      version: type.version,
      resource: type.name,
      namespace: String(namespace ?? ''),
      name: String(name),
    };
    return html`<tr translate="no">
      <td>${this.#age(lastSeenMs(event))}</td>
      <td>${place === undefined ? label : html`<a href=${linkToPlace(place)}>${label}</a>`}</td>
      <td>${event['reason']}</td>
      <td>${event['message']}</td>
    </tr>`;
  }

  /** The writes of users since the page was opened. */
  #changes(): TemplateResult {
    const writes = this.model.requests.records.filter(isUserWrite).slice(-rowsMax).reverse();
    return html`
      <h3>${msg('Recent changes')}</h3>
      ${
        writes.length === 0
          ? html`<p class="note" role="status">${msg('No changes since you opened this page.')}</p>`
          : html`<div class="scroller"><table aria-label=${msg('Recent changes')}>${writes.map((write) => this.#write(write))}</table></div>`
      }
    `;
  }

  #write(record: RequestRecord): TemplateResult {
    const { id, method, target, user, startMs } = record;
    return html`<tr>
      <td>${this.#age(startMs)}</td>
      <td translate="no">${user}</td>
      <td><a class="mono" translate="no" href=${routeTo('requests', id)}>${method} ${target.replace(/\?.*/, '')}</a></td>
      <td>${sourceLink(record)}</td>
    </tr>`;
  }

  #age(ms: number): string {
    return formatHumanDuration(this.model.env.clock.nowMs() - ms);
  }
}

function isUserWrite({ method, target, source, status }: RequestRecord): boolean {
  const isReview = /\/\w+reviews(?:\?|$)|[?&]dryRun=/.test(target);
  return method !== 'GET' && status >= 200 && status < 300 && source.kind !== 'cluster' && source.kind !== 'internal' && !isReview;
}
