import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type KnownResource, loadYamlPrinter } from '../../../kubectl/index.ts';
import type { Json, JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { ModelWatcher } from '../../model-watcher.ts';
import { routeTo } from '../../routes.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { tabList, tabStyles } from '../../views/tab-list.ts';
import { DeleteDialog } from '../delete-dialog.ts';
import { orText } from '../or-text.ts';
import { mayI, refusalText, type Verdict } from '../permissions.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { FollowedObject, revisionOf } from './followed-object.ts';

type Tab = 'overview' | 'yaml' | 'diff' | 'history' | 'ownership' | 'events' | 'access' | 'requests';
const tabs = (): readonly (readonly [Tab, string])[] => [
  ['overview', msg('Overview')],
  ['yaml', msg('YAML')],
  ['diff', msg('Diff')],
  ['history', msg('History')],
  ['ownership', msg('Ownership')],
  ['events', msg('Events')],
  ['access', msg('Access')],
  ['requests', msg('Requests')],
];

/** One object, live, in its tabs. */
export class ObjectPage extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    type: { attribute: false },
    place: { attribute: false },
    print: { state: true },
    may: { state: true },
  };
  declare model: ConsoleModel;
  declare type: KnownResource;
  declare place: ExplorePlace;
  declare print: ((value: Json) => string) | undefined;
  /** What the server says of changing and deleting it. */
  declare may: Readonly<Record<'update' | 'delete', Verdict>>;
  #followed: FollowedObject | undefined;
  #asked = '';
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.#followed);

  static override styles: CSSResultGroup = [
    sharedStyles,
    tabStyles,
    css`
      :host {
        display: grid;
        grid-template-rows: auto minmax(0, 1fr);
        grid-row: 1 / -1;
        min-height: 0;
      }
      header {
        min-width: 0;
        padding: 0.5rem 0.75rem 0;
        border-block-end: 1px solid var(--line);
        background: var(--surface);
      }
      .title {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.625rem;
        align-items: center;
      }
      h2 {
        margin: 0;
        font: 600 0.9375rem/1.5 var(--mono);
        overflow-wrap: anywhere;
      }
      .crumb {
        display: inline-flex;
        align-items: center;
        min-height: 1.75rem;
        font-size: var(--small-size);
      }
      .space {
        flex: 1;
      }
      .button.danger {
        color: var(--bad);
      }
      .why a {
        display: inline-block;
        min-height: 1.5rem;
      }
      .why {
        margin: 0.25rem 0 0;
        color: var(--muted);
        font-size: var(--small-size);
      }
      [role='tabpanel'] {
        min-width: 0;
        min-height: 0;
        overflow: auto;
      }
      [role='tabpanel']:focus-visible {
        outline-offset: -2px;
      }
      .empty {
        padding: 2rem 1rem;
        color: var(--muted);
      }
    `,
  ];

  constructor() {
    super();
    this.may = { update: { allowed: true, reason: '' }, delete: { allowed: true, reason: '' } };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#followed?.close();
    this.#followed = undefined;
    this.#asked = '';
  }

  override willUpdate(): void {
    const { group, version, resource, namespace, name } = this.place;
    const asked = JSON.stringify([this.model.place.id, group, version, resource, namespace, name, this.model.context.credentials]);
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#followed?.close();
    this.#followed = new FollowedObject(this.model, this.type, this.place);
    void this.#followed.readKept().catch(() => undefined);
    void this.#askRights();
    void loadYamlPrinter().then((print) => {
      this.print = print;
    });
  }

  override render(): TemplateResult {
    const followed = this.#followed;
    const object = followed?.current;
    const { name } = this.place;
    return html`
      <header>
        <div class="title">
          <a class="crumb" translate="no" href=${linkToPlace({ ...this.place, name: '', query: {} })}>${this.type.name}${this.place.namespace === '' ? '' : ` · ${this.place.namespace}`}</a>
          <h2 translate="no">${name}</h2>
          ${object === undefined ? nothing : revisionChip(revisionOf(object))}
          ${followed?.gone === true ? html`<span class="chip bad" role="status">${msg('deleted', { desc: 'of an object' })}</span>` : nothing}
          <span class="space"></span>
          ${this.#controls(object, followed?.gone === true)}
        </div>
        ${this.#refusals()}
        ${tabList<Tab>({ label: msg(str`About ${name}`), tabs: tabs(), chosen: this.#tab, choose: (tab) => this.#choose(tab) })}
      </header>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${this.#tab}" tabindex=${this.#tab === 'yaml' ? nothing : 0}>${this.#panel(followed, object)}</div>
    `;
  }

  get #tab(): Tab {
    const { tab } = this.place.query;
    return tabs().find(([name]) => name === tab)?.[0] ?? 'overview';
  }

  #controls(object: JsonObject | undefined, gone: boolean): TemplateResult | typeof nothing {
    if (object === undefined || gone) return nothing;
    const { update, delete: remove } = this.may;
    const describedby = (verdict: Verdict): string | typeof nothing => (verdict.allowed ? nothing : 'why');
    return html`
      <button class="button" ?disabled=${!update.allowed} aria-describedby=${describedby(update)} @click=${this.#edit}>${msg('Edit')}</button>
      <button class="button danger" ?disabled=${!remove.allowed} aria-describedby=${describedby(remove)} @click=${this.#delete}>${msg('Delete…')}</button>
    `;
  }

  /** Why something may not be done, and where one sees by which rules. */
  #refusals(): TemplateResult | typeof nothing {
    const refused = (['update', 'delete'] as const).filter((verb) => !this.may[verb].allowed);
    if (refused.length === 0) return nothing;
    const attempt = { ...this.place, verb: orText(refused) };
    const { group, resource, namespace, name } = this.place;
    const query = { verb: refused[0] ?? 'update', group, resource, namespace, name };
    return html`<p class="why" id="why">${refusalText(this.model.context.user, attempt)} <a href=${routeTo('access', 'why', query)}>${msg('Why?')}</a></p>`;
  }

  #panel(followed: FollowedObject | undefined, object: JsonObject | undefined): TemplateResult {
    const { model, type, place, print } = this;
    const { name } = place;
    if (followed === undefined || !followed.asked) return html`<p class="empty" role="status">${msg(str`Asking for ${name}…`)}</p>`;
    if (object === undefined) {
      const { kind } = type;
      return html`<p class="empty" role="alert">${followed.failure || msg(str`There is no ${kind} ${name} here.`)}</p>`;
    }
    switch (this.#tab) {
      case 'overview':
        return html`<tp-object-overview .model=${model} .object=${object} .place=${place}></tp-object-overview>`;
      case 'yaml':
        return html`<tp-object-yaml .model=${model} .type=${type} .place=${place} .object=${object} .gone=${followed.gone} .mayUpdate=${this.may.update.allowed} .print=${print}></tp-object-yaml>`;
      case 'diff':
        return html`<tp-object-diff .model=${model} .versions=${followed.versions} .object=${object} .place=${place} .print=${print}></tp-object-diff>`;
      case 'history':
        return html`<tp-object-history .model=${model} .followed=${followed} .versions=${followed.versions} .place=${place} .print=${print}></tp-object-history>`;
      case 'ownership':
        return html`<tp-object-ownership .model=${model} .object=${object} .place=${place} .print=${print}></tp-object-ownership>`;
      case 'events':
        return html`<tp-object-events .model=${model} .object=${object}></tp-object-events>`;
      case 'access':
        return html`<tp-object-access .model=${model} .place=${place}></tp-object-access>`;
      case 'requests':
        return html`<tp-object-requests .model=${model} .place=${place}></tp-object-requests>`;
      default:
        return this.#tab satisfies never;
    }
  }

  #choose(tab: Tab): void {
    location.hash = linkToPlace({ ...this.place, query: tab === 'overview' ? {} : { tab } });
  }

  readonly #edit = (): void => {
    location.hash = linkToPlace({ ...this.place, query: { tab: 'yaml', edit: '1' } });
  };

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }

  async #askRights(): Promise<void> {
    const ask = (verb: 'update' | 'delete'): Promise<Verdict> => mayI(this.model, { ...attemptAt(this.place), verb });
    const asked = this.#asked;
    const [update, remove] = await Promise.all([ask('update'), ask('delete')]);
    if (asked === this.#asked) this.may = { update, delete: remove };
  }

  readonly #delete = (): void => {
    const dialog = new DeleteDialog();
    Object.assign(dialog, { model: this.model, kind: this.type.kind, place: this.place });
    this.renderRoot.append(dialog);
  };
}

function revisionChip(revision: string): TemplateResult {
  return html`<span class="chip" title=${msg('The revision at which it was last changed')}>${msg(str`rev ${revision}`)}</span>`;
}

function attemptAt({ group, resource, namespace, name }: ExplorePlace): {
  group: string;
  resource: string;
  namespace: string;
  name: string;
} {
  return { group, resource, namespace, name };
}
