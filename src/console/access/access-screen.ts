import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type KnownResource, qualifiedResource } from '../../kubectl/index.ts';
import { failureText } from '../explore/api.ts';
import { panelStyles } from '../explore/object/panel-styles.ts';
import { typesOf } from '../explore/resource-types.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { type RouteQuery, routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { tabList, tabStyles } from '../views/tab-list.ts';
import { accessStyles } from './access-styles.ts';
import { FollowedRbac } from './followed-rbac.ts';
import { type Asker, type Attempt, isAllowed, isMeant, mastersGroup, namesOnly, waysTo, withOwnGroups } from './rbac.ts';
import { whoAmI } from './reviews.ts';
import { type Way, waysTable } from './ways-table.ts';

type View = 'can-i' | 'who-can' | 'why' | 'try-as';
const views: readonly (readonly [View, string])[] = [
  ['can-i', 'Can I'],
  ['who-can', 'Who can'],
  ['why', 'Why'],
  ['try-as', 'Try as'],
];
export const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;

/** Who may do what, and by which rules: reckoned from the roles and bindings that the server has, live. */
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
  /** What is asked: user, groups, verb, group, resource, subresource, namespace, name. */
  declare query: RouteQuery;
  /** Who the server takes us for. */
  declare me: Asker | undefined;
  declare failure: string;
  #followed: FollowedRbac | undefined;
  #asker = '';
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.#followed);
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
    this.#followed?.close();
    this.#followed = undefined;
    this.#asker = '';
  }

  override willUpdate(): void {
    const asker = JSON.stringify([this.model.place.id, this.model.context.credentials]);
    if (asker === this.#asker) return;
    this.#asker = asker;
    this.#followed?.close();
    this.#followed = new FollowedRbac(this.model);
    this.me = undefined;
    this.failure = '';
    void whoAmI(this.model).then(
      (me) => {
        if (asker === this.#asker) this.me = me;
      },
      (error: unknown) => {
        if (asker === this.#asker) this.failure = failureText(error);
      },
    );
  }

  override render(): TemplateResult {
    return html`
      <header>
        <h2>Access</h2>
        ${tabList<View>({ label: 'Questions of access', tabs: views, chosen: this.#view, choose: (view) => this.#go(view, this.query) })}
      </header>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${this.#view}" tabindex="0">
        ${this.failure === '' ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`} ${this.#panel()}
      </div>
    `;
  }

  get #view(): View {
    return views.find(([view]) => view === this.view)?.[0] ?? 'can-i';
  }

  #panel(): TemplateResult {
    const rbac = this.#followed?.rbac ?? { roles: [], bindings: [] };
    switch (this.#view) {
      case 'can-i':
        return this.#canI();
      case 'who-can':
        return this.#whoCan();
      case 'why':
        return html`${this.#form(true)}<tp-access-why .model=${this.model} .rbac=${rbac} .asker=${this.#subject} .mine=${this.#subject === this.me} .unread=${this.#followed?.failure ?? ''} .attempt=${this.#attempt}></tp-access-why>`;
      case 'try-as':
        return html`<tp-try-as .model=${this.model} .me=${this.me}></tp-try-as>`;
      default:
        return this.#view satisfies never;
    }
  }

  /** Whom one asks about: the one in the address, or oneself. */
  get #subject(): Asker {
    const { user, groups = '' } = this.query;
    if (user === undefined || user === '' || user === this.me?.user) return this.me ?? { user: '', groups: [] };
    return withOwnGroups({ user, groups: groups.split(/[\s,]+/).filter((group) => group !== '') });
  }

  get #attempt(): Attempt {
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
    return html`${this.#field('user', 'User', user)} ${this.#field('groups', 'Groups', groups.join(', '))}`;
  }

  #namespaceField(): TemplateResult {
    const { namespace = '' } = this.query;
    const names = [...new Set([...this.model.namespaces, ...(namespace === '' ? [] : [namespace])])].sort();
    return html`
      <label>
        Namespace
        <select @change=${(event: Event) => this.#set('namespace', (event.target as HTMLSelectElement).value)}>
          <option value="" ?selected=${namespace === ''}>all, or none</option>
          ${names.map((name) => html`<option value=${name} ?selected=${name === namespace}>${name}</option>`)}
        </select>
      </label>
    `;
  }

  /** What is asked, field by field. */
  #form(ofSomebody: boolean): TemplateResult {
    const { verb, group, resource, subresource, name } = this.#attempt;
    const chosen = `${resource}/${group}`;
    const choose = (event: Event): void => {
      const [to = '', of = ''] = (event.target as HTMLSelectElement).value.split('/');
      this.#go(this.#view, { ...this.query, resource: to, group: of });
    };
    const types = typesOf(this.model).types.filter(({ preferred }) => preferred);
    return html`
      <div class="form" role="group" aria-label="The question">
        ${ofSomebody ? this.#subjectFields() : nothing}
        <label>
          Verb
          <select @change=${(event: Event) => this.#set('verb', (event.target as HTMLSelectElement).value)}>
            ${[...new Set([...verbs, verb])].map((one) => html`<option value=${one} ?selected=${one === verb}>${one}</option>`)}
          </select>
        </label>
        <label>
          Type
          <select @change=${choose}>
            ${types.some((type) => `${type.name}/${type.group}` === chosen) ? nothing : html`<option value=${chosen} selected>${resource}</option>`}
            ${types.map((type) => html`<option value="${type.name}/${type.group}" ?selected=${`${type.name}/${type.group}` === chosen}>${qualifiedResource(type)}</option>`)}
          </select>
        </label>
        ${this.#field('subresource', 'Subresource', subresource)} ${this.#field('name', 'Name', name)} ${this.#namespaceField()}
      </div>
    `;
  }

  #unknown(): TemplateResult | undefined {
    const { failure, known } = this.#followed ?? { failure: '', known: false };
    if (failure !== '') return html`<p class="failure" role="alert">Roles and bindings cannot be read: ${failure}</p>`;
    return known && this.me !== undefined ? undefined : html`<p class="note" role="status">Reading roles and bindings…</p>`;
  }

  #canI(): TemplateResult {
    const form = html`<div class="form" role="group" aria-label="Whose rights">${this.#subjectFields()} ${this.#namespaceField()}</div>`;
    const unknown = this.#unknown();
    if (unknown !== undefined) return html`${form} ${unknown}`;
    return html`
      ${form}
      <p class="note">✓ may · – may not · ◐ may for some names only. In ${this.query['namespace'] || 'all namespaces at once'}.</p>
      <div class="scroller">
        <table class="matrix" aria-label="What ${this.#subject.user} may do">
          <thead>
            <tr><th scope="col">Type</th>${verbs.map((verb) => html`<th scope="col">${verb}</th>`)}</tr>
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

  #matrixRow(type: KnownResource): TemplateResult {
    const { group, name: resource } = type;
    const namespace = type.namespaced ? (this.query['namespace'] ?? '') : '';
    return html`
      <tr>
        <th scope="row"><a href=${routeTo('access', 'who-can', { verb: 'get', group, resource, namespace })}>${qualifiedResource(type)}</a></th>
        ${verbs.map((verb) => html`<td>${type.verbs.includes(verb) ? this.#cell({ verb, group, resource, subresource: '', namespace, name: '' }) : ''}</td>`)}
      </tr>
    `;
  }

  #cell(attempt: Attempt): TemplateResult {
    const rbac = this.#followed?.rbac ?? { roles: [], bindings: [] };
    if (isAllowed(rbac, this.#subject, attempt)) return html`<span class="yes" role="img" aria-label="may">✓</span>`;
    const names = namesOnly(rbac, this.#subject, attempt);
    if (names.length === 0) return html`<span class="no" role="img" aria-label="may not">–</span>`;
    return html`<span class="some" role="img" aria-label="may for ${names.join(', ')}" title=${names.join(', ')}>◐</span>`;
  }

  #whoCan(): TemplateResult {
    const unknown = this.#unknown();
    const rbac = this.#followed?.rbac ?? { roles: [], bindings: [] };
    const ways = waysTo(rbac, this.#attempt).flatMap((path) => path.binding.subjects.map((subject): Way => ({ subject, path })));
    const masters: Way = { subject: { kind: 'Group', name: mastersGroup, namespace: '' }, path: undefined };
    const me = this.me !== undefined && ways.concat(masters).some(({ subject }) => isMeant(subject, this.me ?? { user: '', groups: [] }));
    return html`
      ${this.#form(false)}
      ${unknown ?? html`<p class="note">${ways.length + 1} ways${me ? ', one of them yours' : ''}.</p>${waysTable([masters, ...ways], this.model.product)}`}
    `;
  }
}
