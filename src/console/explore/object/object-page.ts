import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type ApiResource, loadYamlPrinter } from '../../../kubectl/index.ts';
import type { Json, JsonObject, NodeState } from '../../../meta/index.ts';
import { defineElements } from '../../define-elements.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { ModelWatcher } from '../../model-watcher.ts';
import { routeTo } from '../../routes.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { tabList, tabStyles } from '../../views/tab-list.ts';
import { errorText } from '../api.ts';
import { DeleteDialog } from '../delete-dialog.ts';
import { joinWithOr } from '../or-text.ts';
import { type AccessDecision, deniedText, reviewSelfAccess } from '../permissions.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { changeNodeState, nodePowerButton } from './node-power.ts';
import { ObjectInformer, revisionOf } from './object-informer.ts';
import { hasPods } from './related-objects.ts';

type ContainerTab = 'logs' | 'terminal' | 'files' | 'ports' | 'network';
type Tab = ContainerTab | 'overview' | 'yaml' | 'diff' | 'history' | 'ownership' | 'events' | 'access' | 'requests';

const tabsOf = (type: ApiResource): readonly (readonly [Tab, string])[] => [
  ['overview', msg('Overview')],
  ['yaml', msg('YAML')],
  ...containerTabs(type),
  ['diff', msg('Diff')],
  ['history', msg('History')],
  ['ownership', msg('Ownership')],
  ['events', msg('Events')],
  ['access', msg('Access')],
  ['requests', msg('Requests')],
];

/** A namespace has the network of its pods. */
const containerTabs = (type: ApiResource): readonly (readonly [ContainerTab, string])[] => {
  const network = ['network', msg('Network')] as const;
  if (!hasPods(type)) return type.group === '' && type.kind === 'Namespace' ? [network] : [];
  return [['logs', msg('Logs')], ['terminal', msg('Terminal')], ['files', msg('Files')], ['ports', msg('Ports')], network];
};

/** The tabs of one object, which is watched. */
export class ObjectPage extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    type: { attribute: false },
    place: { attribute: false },
    print: { state: true },
    permissions: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare type: ApiResource;
  declare place: ExplorePlace;
  declare print: ((value: Json) => string) | undefined;
  /** The access review results for update and delete. */
  declare permissions: Readonly<Record<'update' | 'delete', AccessDecision>>;
  /** The error of the last change of the node. */
  declare failure: string;
  #informer: ObjectInformer | undefined;
  #objectKey = '';
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.#informer);

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
    this.permissions = { update: { allowed: true, reason: '' }, delete: { allowed: true, reason: '' } };
    this.failure = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#informer?.close();
    this.#informer = undefined;
    this.#objectKey = '';
  }

  override willUpdate(): void {
    const { group, version, resource, namespace, name } = this.place;
    const objectKey = JSON.stringify([this.model.workspace.id, group, version, resource, namespace, name, this.model.context.credentials]);
    if (objectKey === this.#objectKey) return;
    this.#objectKey = objectKey;
    this.#informer?.close();
    this.#informer = new ObjectInformer(this.model, this.type, this.place);
    void this.#informer.readHistory().catch(() => undefined);
    void this.#reviewAccess();
    void loadYamlPrinter().then((print) => {
      this.print = print;
    });
  }

  override render(): TemplateResult {
    const informer = this.#informer;
    const object = informer?.current;
    const { name } = this.place;
    return html`
      <header>
        <div class="title">
          <a class="crumb" translate="no" href=${linkToPlace({ ...this.place, name: '', query: {} })}>${this.type.name}${this.place.namespace === '' ? '' : ` · ${this.place.namespace}`}</a>
          <h2 translate="no">${name}</h2>
          ${object === undefined ? nothing : revisionChip(revisionOf(object))}
          ${informer?.deleted === true ? html`<span class="chip bad" role="status">${msg('deleted', { desc: 'of an object' })}</span>` : nothing}
          <span class="space"></span>
          ${this.#controls(object, informer?.deleted === true)}
        </div>
        ${this.#denials()}
        ${this.failure === '' ? nothing : html`<p class="why" role="alert">${this.failure}</p>`}
        ${tabList<Tab>({ label: msg(str`About ${name}`), tabs: tabsOf(this.type), chosen: this.#tab, choose: (tab) => this.#choose(tab) })}
      </header>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${this.#tab}" tabindex=${this.#tab === 'yaml' ? nothing : 0}>${this.#panel(informer, object)}</div>
    `;
  }

  get #tab(): Tab {
    const { tab } = this.place.query;
    return tabsOf(this.type).find(([name]) => name === tab)?.[0] ?? 'overview';
  }

  #controls(object: JsonObject | undefined, deleted: boolean): TemplateResult | typeof nothing {
    if (object === undefined || deleted) return nothing;
    const { update, delete: remove } = this.permissions;
    const describedby = (verdict: AccessDecision): string | typeof nothing => (verdict.allowed ? nothing : 'why');
    return html`
      ${nodePowerButton(object, !update.allowed, (state) => void this.#changeNode(state))}
      <button class="button" ?disabled=${!update.allowed} aria-describedby=${describedby(update)} @click=${this.#edit}>${msg('Edit')}</button>
      <button class="button danger" ?disabled=${!remove.allowed} aria-describedby=${describedby(remove)} @click=${this.#delete}>${msg('Delete…')}</button>
    `;
  }

  /** The denied actions with links to their explanation. */
  #denials(): TemplateResult | typeof nothing {
    const denied = (['update', 'delete'] as const).filter((verb) => !this.permissions[verb].allowed);
    if (denied.length === 0) return nothing;
    const attributes = { ...this.place, verb: joinWithOr(denied) };
    const { group, resource, namespace, name } = this.place;
    const query = { verb: denied[0] ?? 'update', group, resource, namespace, name };
    return html`<p class="why" id="why">${deniedText(this.model.context.user, attributes)} <a href=${routeTo('access', 'why', query)}>${msg('Why?')}</a></p>`;
  }

  /** The object does not exist, or cannot be read: the list of its type may have the right one. */
  #notFound(text: string): TemplateResult {
    const all = linkToPlace({ ...this.place, name: '', query: {} });
    return html`<div class="empty"><p role="alert">${text}</p><a class="button" href=${all}>${msg('All objects of this type')}</a></div>`;
  }

  #panel(informer: ObjectInformer | undefined, object: JsonObject | undefined): TemplateResult {
    const { model, type, place, print } = this;
    const { name } = place;
    if (informer === undefined || !informer.synced) return html`<p class="empty" role="status">${msg(str`Loading ${name}…`)}</p>`;
    if (object === undefined) {
      const { kind } = type;
      return this.#notFound(informer.failure || msg(str`${kind} ${name} was not found.`));
    }
    switch (this.#tab) {
      case 'overview':
        return html`<tp-object-overview .model=${model} .object=${object} .place=${place}></tp-object-overview>`;
      case 'yaml':
        return html`<tp-object-yaml .model=${model} .type=${type} .place=${place} .object=${object} .deleted=${informer.deleted} .mayUpdate=${this.permissions.update.allowed} .print=${print}></tp-object-yaml>`;
      case 'diff':
        return html`<tp-object-diff .model=${model} .versions=${informer.versions} .object=${object} .place=${place} .print=${print}></tp-object-diff>`;
      case 'history':
        return html`<tp-object-history .model=${model} .informer=${informer} .versions=${informer.versions} .place=${place} .print=${print}></tp-object-history>`;
      case 'ownership':
        return html`<tp-object-ownership .model=${model} .object=${object} .place=${place} .print=${print}></tp-object-ownership>`;
      case 'events':
        return html`<tp-object-events .model=${model} .object=${object}></tp-object-events>`;
      case 'access':
        return html`<tp-object-access .model=${model} .place=${place}></tp-object-access>`;
      case 'requests':
        return html`<tp-object-requests .model=${model} .place=${place}></tp-object-requests>`;
      default:
        void import('../containers/container-tabs.ts').then((loaded) => defineElements(loaded.containerTabs));
        return html`<tp-pod-containers .model=${model} .object=${object} .place=${place} .tab=${this.#tab}></tp-pod-containers>`;
    }
  }

  #choose(tab: Tab): void {
    location.hash = linkToPlace({ ...this.place, query: tab === 'overview' ? {} : { tab } });
  }

  readonly #edit = (): void => {
    location.hash = linkToPlace({ ...this.place, query: { tab: 'yaml', edit: '1' } });
  };

  async #changeNode(state: NodeState): Promise<void> {
    try {
      await changeNodeState(this.model, this.place, state);
      this.failure = '';
    } catch (error) {
      this.failure = errorText(error);
    }
  }

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }

  async #reviewAccess(): Promise<void> {
    const review = (verb: 'update' | 'delete'): Promise<AccessDecision> =>
      reviewSelfAccess(this.model, { ...attributesOf(this.place), verb });
    const objectKey = this.#objectKey;
    const [update, remove] = await Promise.all([review('update'), review('delete')]);
    if (objectKey === this.#objectKey) this.permissions = { update, delete: remove };
  }

  readonly #delete = (): void => {
    const dialog = new DeleteDialog();
    Object.assign(dialog, { model: this.model, kind: this.type.kind, place: this.place });
    this.renderRoot.append(dialog);
  };
}

function revisionChip(revision: string): TemplateResult {
  return html`<span class="chip" title=${msg('Revision of the last change')}>${msg(str`rev ${revision}`)}</span>`;
}

function attributesOf({ group, resource, namespace, name }: ExplorePlace): {
  group: string;
  resource: string;
  namespace: string;
  name: string;
} {
  return { group, resource, namespace, name };
}
