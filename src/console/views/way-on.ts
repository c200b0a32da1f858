import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { explicitAddress } from '../address.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';

/** Shown in place of a screen whose address or cluster does not exist, with links to others, and while a cluster is being opened. */
export class WayOn extends LitElement {
  static override properties: PropertyDeclarations = { path: { attribute: false }, cluster: { attribute: false } };
  /** The unknown address. */
  declare path: string | undefined;
  /** The failure is undefined while the cluster is being opened, and empty when this browser does not have it. */
  declare cluster: { readonly id: string; readonly failure: string | undefined } | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        padding: clamp(1rem, 6vh, 4rem) 1.5rem;
        overflow-y: auto;
      }
      section {
        max-width: 40rem;
        margin-inline: auto;
      }
      h2 {
        margin: 0 0 0.5rem;
        font-size: 1.25rem;
      }
      p {
        margin: 0 0 1rem;
        overflow-wrap: anywhere;
      }
      .links {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const { cluster } = this;
    if (cluster === undefined) return this.#unknownAddress();
    if (cluster.failure === undefined) return html`<p role="status">${msg('Opening the cluster…')}</p>`;
    return this.#noCluster(cluster.id, cluster.failure);
  }

  #unknownAddress(): TemplateResult {
    const path = this.path ?? '';
    return html`
      <section role="alert">
        <h2>${msg('There is no page at this address')}</h2>
        <p>${msg(html`The address ends in <code>#/${path}</code>. The link may be incomplete or of another release.`)}</p>
        <p class="links">
          <a class="button primary" href=${routeTo('console')}>${msg('Open the console')}</a>
          <a class="button" href=${routeTo('explore')}>${msg('Explore objects')}</a>
          <a class="button" href=${routeTo('learn')}>${msg('All lessons')}</a>
        </p>
      </section>
    `;
  }

  #noCluster(id: string, failure: string): TemplateResult {
    return html`
      <section role="alert">
        <h2>${failure === '' ? msg(str`This browser has no cluster ${id}`) : msg('The cluster cannot be opened')}</h2>
        <p>${failure || msg('It was deleted, or it is in another browser: clusters stay in the browser that created them. A link made under Clusters contains the objects.')}</p>
        <p class="links">
          <a class="button primary" href=${explicitAddress(routeTo('console'), '')}>${msg('Open my cluster')}</a>
          <a class="button" href=${explicitAddress(routeTo('clusters'), '')}>${msg('All clusters')}</a>
        </p>
      </section>
    `;
  }
}
