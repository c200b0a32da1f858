import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type ApiResource, qualifiedResourceName } from '../../kubectl/index.ts';
import { errorText } from '../explore/api.ts';
import { panelStyles } from '../explore/object/panel-styles.ts';
import { typesOf } from '../explore/resource-types.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { identities } from '../model/identities.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { type RouteQuery, routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { tabList, tabStyles } from '../views/tab-list.ts';
import { accessStyles } from './access-styles.ts';
import { grantsTable, type SubjectGrant } from './grants-table.ts';
import {
  addImplicitGroups,
  allowedNames,
  appliesToUser,
  findGrants,
  isAllowed,
  mastersGroup,
  type ResourceAttributes,
  type UserInfo,
} from './rbac.ts';
import { RbacInformer } from './rbac-informer.ts';
import { reviewSelf } from './reviews.ts';

type View = 'can-i' | 'who-can' | 'why' | 'try-as';
const views = (): readonly (readonly [View, string])[] => [
  ['can-i', msg('Can I', { desc: 'a check of permissions' })],
  ['who-can', msg('Who can', { desc: 'with access' })],
  ['why', msg('Why', { desc: 'the reason of an access decision' })],
  ['try-as', msg('Try as', { desc: 'to use another identity' })],
];
const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;

/** A user without a binding in a new cluster. */
const exampleUser: UserInfo = { user: 'alice', groups: ['dev', 'qa'] };

/** Permissions and their rules, computed from the watched roles and bindings. */
export class AccessScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    view: { attribute: false },
    query: { attribute: false },
    me: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare view: string;
  /** The access query: user, groups, verb, group, resource, subresource, namespace, name. */
  declare query: RouteQuery;
  /** The authenticated user. */
  declare me: UserInfo | undefined;
  declare failure: string;
  #informer: RbacInformer | undefined;
  #identityKey = '';
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.#informer);
  readonly typesWatcher: ModelWatcher = new ModelWatcher(this, () => typesOf(this.model));
  readonly modelWatcher: ModelWatcher = new ModelWatcher(this, () => this.model);

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    tabStyles,
    accessStyles,
    css`
      :host {
        display: grid;
        grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
        padding: 0;
      }
      header {
        padding: 0.625rem 0.75rem 0;
        border-block-end: 1px solid var(--line);
        background: var(--surface);
      }
      h2 {
        margin: 0;
        font-size: 1rem;
      }
      [role='tabpanel'] {
        min-height: 0;
        padding: 0.75rem;
        overflow: auto;
      }
      [role='tabpanel']:focus-visible {
        outline-offset: -2px;
      }
    `,
  ];

  constructor() {
    super();
    this.failure = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#informer?.close();
    this.#informer = undefined;
    this.#identityKey = '';
  }

  override willUpdate(): void {
    const identityKey = JSON.stringify([this.model.workspace.id, this.model.context.credentials]);
    if (identityKey === this.#identityKey) return;
    this.#identityKey = identityKey;
    this.#informer?.close();
    this.#informer = new RbacInformer(this.model);
    this.me = undefined;
    this.failure = '';
    void reviewSelf(this.model).then(
      (me) => {
        if (identityKey === this.#identityKey) this.me = me;
      },
      (error: unknown) => {
        if (identityKey === this.#identityKey) this.failure = errorText(error);
      },
    );
  }

  override render(): TemplateResult {
    return html`
      <header>
        <h2>${msg('Access')}</h2>
        ${tabList<View>({ label: msg('Access views'), tabs: views(), chosen: this.#view, choose: (view) => this.#go(view, this.query) })}
      </header>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${this.#view}" tabindex="0">
        ${this.failure === '' ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`} ${this.#panel()}
      </div>
    `;
  }

  get #view(): View {
    return views().find(([view]) => view === this.view)?.[0] ?? 'can-i';
  }

  #panel(): TemplateResult {
    const rbac = this.#informer?.rbac ?? { roles: [], bindings: [] };
    switch (this.#view) {
      case 'can-i':
        return this.#canI();
      case 'who-can':
        return this.#whoCan();
      case 'why':
        return html`${this.#form(true)}<tp-access-why .model=${this.model} .rbac=${rbac} .subject=${this.#subject} .isSelf=${this.#subject === this.me} .readError=${this.#informer?.failure ?? ''} .resourceAttributes=${this.#attributes}></tp-access-why>`;
      case 'try-as':
        return html`<tp-try-as .model=${this.model} .me=${this.me}></tp-try-as>`;
      default:
        return this.#view satisfies never;
    }
  }

  /**
   * The user in the route, or the authenticated one. The matrix of an administrator has ticks only: it starts with a user with few
   * permissions.
   */
  get #subject(): UserInfo {
    const { user, groups = '' } = this.query;
    if (user === undefined && this.#view === 'can-i' && this.me?.groups.includes(mastersGroup)) return addImplicitGroups(exampleUser);
    if (user === undefined || user === '' || user === this.me?.user) return this.me ?? { user: '', groups: [] };
    return addImplicitGroups({ user, groups: groups.split(/[\s,]+/).filter((group) => group !== '') });
  }

  get #attributes(): ResourceAttributes {
    const { verb = 'get', group = '', resource = 'pods', subresource = '', namespace = '', name = '' } = this.query;
    return { verb, group, resource, subresource, namespace, name };
  }

  #go(view: View, query: RouteQuery): void {
    location.hash = routeTo('access', view, query);
  }

  #set(name: string, value: string): void {
    const { [name]: _, ...rest } = this.query;
    this.#go(this.#view, value === '' ? rest : { ...rest, [name]: value });
  }

  #field(name: string, label: string, value: string): TemplateResult {
    return html`<label>${label}<input .value=${value} autocomplete="off" spellcheck="false" @change=${(event: Event) => this.#set(name, (event.target as HTMLInputElement).value.trim())} /></label>`;
  }

  #subjectFields(): TemplateResult {
    const { user, groups } = this.#subject;
    return html`${this.#field('user', msg('User'), user)} ${this.#field('groups', msg('Groups', { desc: 'of a user' }), groups.join(', '))}`;
  }

  #namespaceField(): TemplateResult {
    const { namespace = '' } = this.query;
    const names = [...new Set([...this.model.namespaces, ...(namespace === '' ? [] : [namespace])])].sort();
    return html`
      <label>
        ${msg('Namespace')}
        <select @change=${(event: Event) => this.#set('namespace', (event.target as HTMLSelectElement).value)}>
          <option value="" ?selected=${namespace === ''}>${msg('all or cluster-scoped', { desc: 'namespaces' })}</option>
          ${names.map((name) => html`<option value=${name} ?selected=${name === namespace}>${name}</option>`)}
        </select>
      </label>
    `;
  }

  /** The form of the access query. */
  #form(withSubject: boolean): TemplateResult {
    const { verb, group, resource, subresource, name } = this.#attributes;
    const chosen = `${resource}/${group}`;
    const choose = (event: Event): void => {
      const [to = '', of = ''] = (event.target as HTMLSelectElement).value.split('/');
      this.#go(this.#view, { ...this.query, resource: to, group: of });
    };
    const types = typesOf(this.model).types.filter(({ preferred }) => preferred);
    return html`
      <div class="form" role="group" aria-label=${msg('Access check')}>
        ${withSubject ? this.#subjectFields() : nothing}
        <label>
          ${msg('Verb')}
          <select @change=${(event: Event) => this.#set('verb', (event.target as HTMLSelectElement).value)}>
            ${[...new Set([...verbs, verb])].map((one) => html`<option value=${one} ?selected=${one === verb}>${one}</option>`)}
          </select>
        </label>
        <label>
          ${msg('Type', { desc: 'of objects' })}
          <select @change=${choose}>
            ${types.some((type) => `${type.name}/${type.group}` === chosen) ? nothing : html`<option value=${chosen} selected>${resource}</option>`}
            ${types.map((type) => html`<option value="${type.name}/${type.group}" ?selected=${`${type.name}/${type.group}` === chosen}>${qualifiedResourceName(type)}</option>`)}
          </select>
        </label>
        ${this.#field('subresource', msg('Subresource'), subresource)} ${this.#field('name', msg('Name'), name)} ${this.#namespaceField()}
      </div>
    `;
  }

  #unknown(): TemplateResult | undefined {
    const { failure, synced } = this.#informer ?? { failure: '', synced: false };
    if (failure !== '') return html`<p class="failure" role="alert">${msg(str`Roles and bindings cannot be read: ${failure}`)}</p>`;
    return synced && this.me !== undefined ? undefined : html`<p class="note" role="status">${msg('Loading roles and bindings…')}</p>`;
  }

  #canI(): TemplateResult {
    const form = html`<div class="form" role="group" aria-label=${msg('Subject')}>${this.#subjectFields()} ${this.#namespaceField()} ${this.#people()}</div>`;
    const unknown = this.#unknown();
    if (unknown !== undefined) return html`${form} ${unknown}`;
    const { user } = this.#subject;
    const { namespace = '' } = this.query;
    const signs =
      namespace === ''
        ? msg('✓ allowed · – not allowed · ◐ allowed for some names only. In all namespaces.')
        : msg(str`✓ allowed · – not allowed · ◐ allowed for some names only. In ${namespace}.`);
    return html`
      ${form}
      <p class="note">${signs}</p>
      <div class="scroller">
        <table class="matrix" aria-label=${msg(str`Permissions of ${user}`)}>
          <thead>
            <tr><th scope="col">${msg('Type', { desc: 'of objects' })}</th>${verbs.map((verb) => html`<th scope="col" translate="no">${verb}</th>`)}</tr>
          </thead>
          <tbody>
            ${typesOf(this.model)
              .types.filter(({ preferred }) => preferred)
              .map((type) => this.#matrixRow(type))}
          </tbody>
        </table>
      </div>
    `;
  }

  /** The users of the kubeconfig, to compare them. */
  #people(): TemplateResult {
    const { user } = this.#subject;
    const people = identities.filter(({ token }) => token !== undefined);
    return html`<div class="people">${people.map(({ name, groups }) => html`<button class="button" translate="no" aria-pressed=${name === user ? 'true' : 'false'} @click=${() => this.#go('can-i', { ...this.query, user: name, groups: groups.join(',') })}>${name}</button>`)}</div>`;
  }

  #matrixRow(type: ApiResource): TemplateResult {
    const { group, name: resource } = type;
    const namespace = type.namespaced ? (this.query['namespace'] ?? '') : '';
    return html`
      <tr>
        <th scope="row" translate="no"><a href=${routeTo('access', 'who-can', { verb: 'get', group, resource, namespace })}>${qualifiedResourceName(type)}</a></th>
        ${verbs.map((verb) => html`<td>${type.verbs.includes(verb) ? this.#cell({ verb, group, resource, subresource: '', namespace, name: '' }) : ''}</td>`)}
      </tr>
    `;
  }

  #cell(attributes: ResourceAttributes): TemplateResult {
    const rbac = this.#informer?.rbac ?? { roles: [], bindings: [] };
    if (isAllowed(rbac, this.#subject, attributes))
      return html`<span class="yes" role="img" aria-label=${msg('allowed', { desc: 'is allowed' })}>✓</span>`;
    const names = allowedNames(rbac, this.#subject, attributes);
    if (names.length === 0) return html`<span class="no" role="img" aria-label=${msg('not allowed', { desc: 'is not allowed' })}>–</span>`;
    const listed = names.join(', ');
    return html`<span class="some" role="img" aria-label=${msg(str`allowed for ${listed}`, { desc: 'is allowed for these names' })} title=${listed}>◐</span>`;
  }

  #whoCan(): TemplateResult {
    const unknown = this.#unknown();
    const rbac = this.#informer?.rbac ?? { roles: [], bindings: [] };
    const grants = findGrants(rbac, this.#attributes).flatMap((grant) =>
      grant.binding.subjects.map((subject): SubjectGrant => ({ subject, grant })),
    );
    const masters: SubjectGrant = { subject: { kind: 'Group', name: mastersGroup, namespace: '' }, grant: undefined };
    const all = [masters, ...grants];
    const mine = this.me !== undefined && all.some(({ subject }) => appliesToUser(subject, this.me ?? { user: '', groups: [] }));
    return html`
      ${this.#form(false)}
      ${unknown ?? html`<p class="note">${grantsText(all.length, mine)}</p>${grantsTable(all, this.model.product)}`}
    `;
  }
}

function grantsText(count: number, isMine: boolean): string {
  if (count === 1) return isMine ? msg('1 grant, which is yours.') : msg('1 grant.', { desc: 'to be allowed something' });
  return isMine ? msg(str`${count} grants, one of them yours.`) : msg(str`${count} grants.`, { desc: 'to be allowed something' });
}
