import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { itemsOf, metadataOf, resourcePath } from '../../../kubectl/index.ts';
import type { Json, JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { createClient, metadataListAccept } from '../api.ts';
import { ownersOf } from '../owners.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { typesOf } from '../resource-types.ts';
import { fieldOwners, type Manager, managersOf, pathKey } from './managed-fields.ts';
import { omitManagedFields } from './omit-fields.ts';
import { panelStyles } from './panel-styles.ts';
import { yamlLines } from './yaml-lines.ts';

interface OwnedObject {
  readonly text: string;
  readonly place: Omit<ExplorePlace, 'query'>;
}

/** The owners of each line of the object, its owner references and its dependents. */
export class ObjectOwnership extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    object: { attribute: false },
    place: { attribute: false },
    print: { attribute: false },
    chosen: { state: true },
    owned: { state: true },
  };
  declare model: ConsoleModel;
  declare object: JsonObject;
  declare place: ExplorePlace;
  declare print: ((value: Json) => string) | undefined;
  /** The manager whose fields are highlighted; undefined for all. */
  declare chosen: number | undefined;
  declare owned: readonly OwnedObject[] | undefined;
  readonly #life = new AbortController();

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    css`
      .panes {
        display: grid;
        grid-template-columns: minmax(15rem, 1fr) minmax(0, 3fr);
        gap: 0.75rem;
        align-items: start;
      }
      .managers {
        display: grid;
        gap: 0.25rem;
      }
      :where(.managers) button {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 0 0.5rem;
        padding: 0.375rem 0.5rem;
        border: 1px solid var(--line);
        border-radius: var(--radius-small);
        background: var(--surface);
        text-align: start;
      }
      .managers small {
        grid-column: 2;
        color: var(--muted);
      }
      .managers span:nth-child(2) {
        overflow-wrap: anywhere;
      }
      pre {
        margin: 0;
        padding: 0.5rem 0;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        font-size: 0.78125rem;
        line-height: 1.5;
        overflow: auto;
      }
      .line {
        display: grid;
        grid-template-columns: 4.5rem max-content;
      }
      .line.faded {
        color: var(--muted);
      }
      .owners {
        display: flex;
        gap: 2px;
        align-items: center;
        padding-inline: 0.5rem;
      }
      .letter {
        display: inline-block;
        min-width: 1.125rem;
        padding-inline: 0.1875rem;
        border: 1px solid;
        border-radius: 3px;
        font: 600 0.625rem/1.4 var(--mono);
        text-align: center;
      }
      .tone0 {
        background: var(--info-soft);
        color: var(--info);
      }
      .tone1 {
        background: var(--good-soft);
        color: var(--good);
      }
      .tone2 {
        background: var(--warn-soft);
        color: var(--warn);
      }
      .tone3 {
        background: var(--bad-soft);
        color: var(--bad);
      }
      ul {
        margin: 0;
        padding-inline-start: 1.125rem;
      }
      @media (max-width: 56rem) {
        .panes {
          grid-template-columns: minmax(0, 1fr);
        }
      }
    `,
  ];

  override firstUpdated(): void {
    void this.#findDependents();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  override render(): TemplateResult {
    const managers = managersOf(this.object);
    const owners = ownersOf(metadataOf(this.object), typesOf(this.model));
    return html`
      <div class="panes">
        <div>
          <h3>${msg('Field managers')}</h3>
          <div class="managers">
            ${managers.length === 0 ? html`<p class="note">${msg('This object has no field managers.')}</p>` : managers.map((manager, at) => this.#manager(manager, at))}
          </div>
          <h3>${msg('Owned by')}</h3>
          <ul translate="no">
            ${owners.map(({ kind, name, place }) => html`<li>${place === undefined ? `${kind} ${name}` : html`<a href=${linkToPlace(place)}>${kind} ${name}</a>`}</li>`)}
          </ul>
          ${owners.length === 0 ? html`<p class="note">${msg('Nothing.', { desc: 'owns this object' })}</p>` : nothing}
          <h3>${msg('Dependents')}</h3>
          ${this.#dependents()}
        </div>
        ${this.#text(managers)}
      </div>
    `;
  }

  #manager({ name, operation, subresource, time }: Manager, at: number): TemplateResult {
    const pressed = this.chosen === at;
    const choose = (): void => {
      this.chosen = pressed ? undefined : at;
    };
    const how =
      subresource === ''
        ? operation
        : msg(str`${operation} of ${subresource}`, {
            id: 'operation-of-subresource',
            desc: 'what a manager of fields did, and to which subresource',
          });
    return html`
      <button aria-pressed=${pressed ? 'true' : 'false'} @click=${choose}>
        ${letter(at)}<span translate="no">${name}</span><small translate="no">${how} · ${time}</small>
      </button>
    `;
  }

  #dependents(): TemplateResult {
    const { owned } = this;
    if (owned === undefined) return html`<p class="note" role="status">${msg('Loading…')}</p>`;
    if (owned.length === 0) return html`<p class="note">${msg('This object has no dependents.')}</p>`;
    return html`<ul translate="no">
      ${owned.map(({ text, place }) => html`<li><a href=${linkToPlace(place)}>${text}</a></li>`)}
    </ul>`;
  }

  #text(managers: readonly Manager[]): TemplateResult {
    const { print } = this;
    if (print === undefined) return html`<p role="status">${msg('Loading…')}</p>`;
    const owners = fieldOwners(this.object, managers);
    const lines = yamlLines(omitManagedFields(this.object), print);
    return html`
      <pre tabindex="0" role="region" aria-label=${msg('The object with the owners of each line')}>
${lines.map(({ text, path }) => {
  const fieldManagers = owners.get(pathKey(path)) ?? [];
  const faded = this.chosen !== undefined && !fieldManagers.includes(this.chosen);
  return html`<span class="line ${faded ? 'faded' : ''}"><span class="owners">${fieldManagers.map((at) => letter(at, managers[at]?.name))}</span><span>${text}</span></span>`;
})}</pre
      >
    `;
  }

  /** Dependents are in the namespace of their owner, or anywhere for a cluster-scoped one. */
  async #findDependents(): Promise<void> {
    const { uid } = metadataOf(this.object);
    const types = typesOf(this.model);
    const accept = metadataListAccept(this.model);
    const { signal } = this.#life;
    const client = createClient(this.model, { signal });
    const some = types.listed.filter((type) => types.countOf(type) !== 0 && types.countOf(type) !== 'refused');
    const found = await Promise.all(
      some.map(async (type) => {
        const list = await client
          .read('GET', resourcePath(type, type.namespaced ? this.place.namespace : ''), { accept })
          // Forbidden or deleted types have no dependents to show.
          .catch(() => ({}));
        return itemsOf(list)
          .map(metadataOf)
          .filter((metadata) => ownersOf(metadata, types).some((owner) => owner.uid === uid))
          .map((metadata): OwnedObject => {
            const [name, namespace] = [String(metadata['name']), String(metadata['namespace'] ?? '')];
            return {
              text: `${type.kind} ${name}`,
              place: { group: type.group, version: type.version, resource: type.name, namespace, name },
            };
          });
      }),
    );
    if (!signal.aborted) this.owned = found.flat();
  }
}

/** The letter of a manager in its color. */
function letter(at: number, title = ''): TemplateResult {
  return html`<span class="letter tone${at % 4}" title=${title}>${String.fromCharCode(65 + (at % 26))}</span>`;
}
