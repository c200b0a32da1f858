import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../../model/console-model.ts';
import { routeTo } from '../../routes.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { type AccessDecision, reviewSelfAccess } from '../permissions.ts';
import type { ExplorePlace } from '../place.ts';
import { panelStyles } from './panel-styles.ts';

const verbs = ['get', 'update', 'patch', 'delete'] as const;

/** The current user's access to this object, by access reviews, with links to the access screen. */
export class ObjectAccess extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    place: { attribute: false },
    decisions: { state: true },
  };
  declare model: ConsoleModel;
  declare place: ExplorePlace;
  declare decisions: readonly AccessDecision[] | undefined;

  static override styles: CSSResultGroup = [sharedStyles, panelStyles];

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('place')) void this.#review();
  }

  override render(): TemplateResult {
    const { group, resource, namespace, name } = this.place;
    const { decisions } = this;
    const { user } = this.model.context;
    if (decisions === undefined) return html`<p class="note" role="status">${msg('Loading…')}</p>`;
    return html`
      <div class="scroller">
        <table aria-label=${msg('Permissions')}>
          <tr><th scope="col">${msg('Verb')}</th><th scope="col">${msg(str`Can ${user}?`)}</th><th scope="col">${msg('Reason of the server')}</th><th scope="col">${msg('More')}</th></tr>
          ${verbs.map((verb, at) => {
            const { allowed, reason } = decisions[at] ?? { allowed: false, reason: '' };
            const query = { verb, group, resource, namespace, name };
            return html`<tr>
              <td class="mono" translate="no">${verb}</td>
              <td><span class="chip ${allowed ? 'good' : 'bad'}">${allowed ? msg('✓ yes') : msg('✕ no')}</span></td>
              <td translate="no">${reason}</td>
              <td><a href=${routeTo('access', 'why', query)}>${msg('why')}</a> · <a href=${routeTo('access', 'who-can', query)}>${msg(str`who else can ${verb}`)}</a></td>
            </tr>`;
          })}
        </table>
      </div>
    `;
  }

  async #review(): Promise<void> {
    const { group, resource, namespace, name } = this.place;
    this.decisions = await Promise.all(verbs.map((verb) => reviewSelfAccess(this.model, { verb, group, resource, namespace, name })));
  }
}
