import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit';
import { errorMessage } from '../../env/index.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { ClusterList } from './cluster-list.ts';
import { clustersStyles } from './clusters-styles.ts';
import { LinkError, type SharedCluster } from './shared-cluster.ts';
import { isSecret } from './user-objects.ts';

/** Previews the content of a link before a cluster is created. Fires `open-place` with the console of the new cluster. */
export class SharedScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    payload: { attribute: false },
    options: { attribute: false },
    shared: { state: true },
    linkError: { state: true },
    busy: { state: true },
    failures: { state: true },
  };
  declare payload: string;
  declare options: ConsoleOptions;
  /** The content of the link; undefined while it is read. */
  declare shared: SharedCluster | undefined;
  declare linkError: string;
  declare busy: boolean;
  declare failures: string;

  static override styles: CSSResultGroup = [sharedStyles, clustersStyles];

  constructor() {
    super();
    this.linkError = '';
    this.busy = false;
    this.failures = '';
  }

  override render(): TemplateResult {
    if (this.linkError !== '')
      return html`<div class="page"><section><h2>${msg('This link cannot be opened')}</h2><p class="notice bad" role="alert">${this.linkError}</p></section></div>`;
    return html`<div class="page">${this.shared ? this.#preview(this.shared) : nothing}</div>`;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('payload')) void this.#read(this.payload);
  }

  async #read(payload: string): Promise<void> {
    this.shared = undefined;
    this.linkError = '';
    const { parseLink } = await import('./share-link.ts');
    if (payload !== this.payload) return;
    try {
      this.shared = parseLink(payload);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      this.linkError = error.message;
    }
  }

  #preview(shared: SharedCluster): TemplateResult {
    const { objects, files = {} } = shared;
    const kinds = new Map<string, number>();
    for (const { kind } of objects) kinds.set(String(kind), (kinds.get(String(kind)) ?? 0) + 1);
    return html`
      <section>
        <h2 translate="no">${shared.name}</h2>
        <p>${msg('Someone shared this with you. It opens in a new cluster; your other clusters do not change.')}</p>
        <dl>
          <dt>${msg('Objects')}</dt>
          <dd>${objects.length === 0 ? msg('none', { desc: 'no objects' }) : [...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}</dd>
          <dt>${msg('Secrets')}</dt>
          <dd>${objects.filter(isSecret).length}</dd>
          <dt>${msg('Files')}</dt>
          <dd>${Object.keys(files).length}</dd>
        </dl>
        ${this.failures === '' ? nothing : html`<p class="notice bad" role="alert">${this.failures}</p>`}
        <button class="button primary" ?disabled=${this.busy} @click=${() => this.#make(shared)}>${this.busy ? msg('Creating…') : msg('Open in a new cluster')}</button>
      </section>
    `;
  }

  async #make(shared: SharedCluster): Promise<void> {
    this.busy = true;
    this.failures = '';
    try {
      const { model, failures } = await new ClusterList(this.options).createFrom(shared);
      this.dispatchEvent(new CustomEvent('open-place', { detail: model, bubbles: true, composed: true }));
      this.failures = failures;
      if (failures === '') location.hash = shared.view ?? routeTo('console');
    } catch (error) {
      this.failures = errorMessage(error);
    }
    this.busy = false;
  }
}
