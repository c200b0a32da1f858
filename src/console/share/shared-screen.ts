import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { errorMessage } from '../../env/index.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { ClusterList } from './cluster-list.ts';
import { clustersStyles } from './clusters-styles.ts';
import { LinkError, parseLink, type SharedCluster } from './share-link.ts';
import { isSecret } from './user-objects.ts';

/** Previews the content of a link before a cluster is created. Fires `open-place` with the console of the new cluster. */
export class SharedScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    payload: { attribute: false },
    options: { attribute: false },
    busy: { state: true },
    failures: { state: true },
  };
  declare payload: string;
  declare options: ConsoleOptions;
  declare busy: boolean;
  declare failures: string;

  static override styles: CSSResultGroup = [sharedStyles, clustersStyles];

  constructor() {
    super();
    this.busy = false;
    this.failures = '';
  }

  override render(): TemplateResult {
    let shared: SharedCluster;
    try {
      shared = parseLink(this.payload);
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      return html`<div class="page"><section><h2>${msg('This link cannot be opened')}</h2><p class="notice bad" role="alert">${error.message}</p></section></div>`;
    }
    return html`<div class="page">${this.#preview(shared)}</div>`;
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
