import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { productNames } from '../../meta/index.ts';
import { explicitAddress } from '../address.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { routeTo } from '../routes.ts';
import { namesAbout, namesHeading } from '../share/names-texts.ts';
import { sharedStyles } from '../shared-styles.ts';

/** The choice between the two clusters of the first visit: the default one, and the one with the other API group names. */
export class ClusterChoice extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false } };
  declare model: ConsoleModel;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr));
        gap: 0.5rem;
        margin: 0 0 1rem;
        padding: 0;
        list-style: none;
      }
      a {
        display: grid;
        gap: 0.0625rem;
        height: 100%;
        padding: 0.5rem 0.75rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        color: var(--muted);
        font-size: var(--small-size);
        text-decoration: none;
        align-content: start;
      }
      a:hover,
      a[aria-current] {
        border-color: var(--accent);
      }
      strong {
        color: var(--text);
      }
      p {
        margin: 0 0 0.5rem;
        color: var(--muted);
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { workspace, hostNames, status } = this.model;
    const isOffered = status.transport !== 'remote' && (workspace.kind === 'own' || workspace.id === workspace.names);
    if (!isOffered) return nothing;
    return html`
      <p id="choice">${msg('Two clusters are ready. They differ in the names of their API groups:')}</p>
      <ul aria-labelledby="choice">
        ${[hostNames, ...productNames.filter((names) => names !== hostNames)].map(
          (names) => html`
            <li>
              <a href=${explicitAddress(routeTo('console'), names === hostNames ? '' : names)} aria-current=${names === workspace.names ? 'true' : nothing}>
                <strong>${namesHeading(names)}${names === workspace.names ? ` · ${msg('open', { desc: 'the cluster is open' })}` : ''}</strong> ${namesAbout(names)}
              </a>
            </li>
          `,
        )}
      </ul>
    `;
  }
}
