import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import { identities } from '../model/identities.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { isLessonRoute, type Route, routeTo } from '../routes.ts';
import { namesAbout } from '../share/names-texts.ts';
import { sharedStyles } from '../shared-styles.ts';
import { storageMarks, storageTexts, transportTexts } from './transport-texts.ts';

/** Cluster, user, namespace, revision and storage state. Its menus run commands in the console. */
export class TopBar extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    route: { attribute: false },
    isOpening: { attribute: false },
    offline: { state: true },
  };
  declare model: ConsoleModel;
  declare route: Route;
  /** Whether another cluster is being opened: the menus would change the one before it. */
  declare isOpening: boolean;
  declare offline: boolean;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        border-block-end: 1px solid var(--line);
        background: var(--surface);
      }
      header {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.875rem;
        align-items: center;
        min-height: 3rem;
        padding: 0.375rem 0.875rem;
      }
      h1 {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        margin: 0;
        font-size: 0.9375rem;
        font-weight: 680;
        letter-spacing: -0.01em;
      }
      h1 svg {
        width: 1.5rem;
        height: 1.5rem;
      }
      .field {
        display: flex;
        gap: 0.375rem;
        align-items: center;
        color: var(--muted);
        font-size: var(--small-size);
      }
      select {
        max-width: 14rem;
        text-overflow: ellipsis;
        padding: 0 0.375rem;
        background: var(--raised);
        font-size: 0.8125rem;
        font-weight: 550;
      }
      .identity select {
        border-color: var(--accent);
        background: var(--accent-soft);
        color: var(--accent);
      }
      .identity.other select {
        border-color: var(--warn);
        background: var(--warn-soft);
        color: var(--warn);
      }
      .place {
        display: flex;
        gap: 0.25rem;
        align-items: center;
        min-width: 0;
      }
      .place .chip {
        max-width: 16rem;
        overflow: hidden;
        font-family: inherit;
        text-overflow: ellipsis;
      }
      .space {
        flex: 1;
      }
      .marks {
        display: flex;
        gap: 0.375rem;
        align-items: center;
      }
      .dot {
        width: 0.5rem;
        height: 0.5rem;
        /* Forced colours remove backgrounds. */
        border: 0.25rem solid;
        border-radius: 50%;
      }
      /* The menus shrink, so that the bar stays one row. */
      @media (max-width: 75rem) {
        header {
          flex-wrap: nowrap;
        }
        .field {
          flex-shrink: 3;
          min-width: 6rem;
        }
        select {
          width: 100%;
          min-width: 0;
        }
        .place a,
        .marks {
          white-space: nowrap;
        }
        .place > :not(.info) {
          flex: none;
        }
      }
      @media (max-width: 48rem) {
        header {
          padding: 0.375rem 0.5rem;
          gap: 0.25rem 0.5rem;
        }
        .field > span:first-child {
          position: absolute;
          clip-path: inset(50%);
        }
        .place .chip {
          max-width: 8rem;
        }
        .place {
          flex: 0 1 auto;
        }
        .place a {
          min-width: 1.5rem;
        }
        .place > .names {
          flex: 0 1 auto;
        }
        .field {
          flex: 1 1 4rem;
          min-width: 2rem;
          max-width: 6rem;
        }
        select {
          max-width: none;
        }
        .space {
          display: none;
        }
        .marks {
          margin-inline-start: auto;
        }
        .marks a {
          position: relative;
          overflow: hidden;
        }
        .state {
          position: absolute;
          clip-path: inset(50%);
        }
        h1 span,
        .wide,
        .revision {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.isOpening = false;
    this.offline = !navigator.onLine;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('online', this.#network);
    addEventListener('offline', this.#network);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('online', this.#network);
    removeEventListener('offline', this.#network);
  }

  override render(): TemplateResult {
    const { revision } = this.model;
    return html`
      <header>
        <h1>${logo} <span translate="no">Tabplane</span></h1>
        ${this.isOpening ? html`<span class="chip info" role="status">${msg('Opening…', { desc: 'a cluster is being opened' })}</span>` : html`${this.#workspace()} ${this.#identity()} ${this.#namespace()}`}
        <div class="space"></div>
        <div class="marks">
          ${revision > 0 ? html`<span class="chip revision" title=${msg('Latest revision in a response')}>${msg(str`rev ${revision}`)}</span>` : nothing}
          ${this.isOpening ? nothing : html`<tp-cluster-time .model=${this.model}></tp-cluster-time>`}
          ${this.offline ? html`<span class="chip warn">${msg('offline')}</span>` : nothing} ${this.#storage()}
        </div>
      </header>
    `;
  }

  /** The current cluster, a link to all clusters and a button back to the default one. */
  #workspace(): TemplateResult {
    const { kind, name, names } = this.model.workspace;
    const leave = (): void => void this.dispatchEvent(new CustomEvent('leave-place', { bubbles: true, composed: true }));
    return html`
      <span class="place">
        <a class="chip info" href=${routeTo('clusters')} title=${msg('Current cluster; all clusters')}>${kind === 'lesson' ? msg(str`Lesson: ${name}`) : name}</a>
        <span class="chip names" translate="no" title=${namesAbout(names)}>${names}</span>
        ${this.#lessonLinks()}
        ${kind === 'own' ? nothing : html`<button class="quiet" title=${msg('Back to your own cluster')} @click=${leave}>${msg('leave')}</button>`}
      </span>
    `;
  }

  /** From a lesson to its objects and requests, and back. */
  #lessonLinks(): TemplateResult | typeof nothing {
    const { kind, address = '' } = this.model.workspace;
    if (kind !== 'lesson') return nothing;
    if (!isLessonRoute(this.route)) return html`<a class="quiet" href=${address}>${msg('Back to the lesson')}</a>`;
    return html`
      <a class="quiet wide" href=${routeTo('explore')} title=${msg('Explore the cluster of the lesson')}>${msg('Explore')}</a>
      <a class="quiet wide" href=${routeTo('requests')} title=${msg('Requests to the cluster of the lesson')}>${msg('Requests')}</a>
    `;
  }

  #identity(): TemplateResult {
    const { user } = this.model.context;
    const choose = (event: Event): void => this.#run(event, (name) => `kubectl config use-context ${name}`);
    return html`
      <label class="field identity ${user === 'admin' ? '' : 'other'}">
        <span>${msg('User')}</span>
        <select aria-label=${msg('Identity')} @change=${choose}>
          ${identities.some(({ name }) => name === user) ? nothing : html`<option selected>${user || msg('no user')}</option>`}
          ${identities.map(({ name, groups }) => html`<option value=${name} ?selected=${name === user}>${name}${groups.length > 0 ? ` · ${groups.join(', ')}` : ''}</option>`)}
        </select>
      </label>
    `;
  }

  #namespace(): TemplateResult {
    const { namespace } = this.model.context;
    const names = [...new Set([...this.model.namespaces, namespace])].sort();
    const choose = (event: Event): void => this.#run(event, (name) => `kubectl config set-context --current --namespace=${name}`);
    return html`
      <label class="field">
        <span>${msg('in', { desc: 'before the namespace that one is in' })}</span>
        <select aria-label=${msg('Namespace')} @change=${choose}>
          ${names.map((name) => html`<option value=${name} ?selected=${name === namespace}>${name}</option>`)}
        </select>
      </label>
    `;
  }

  #storage(): TemplateResult {
    const { persistence, transport, reason } = this.model.status;
    const tone =
      persistence === 'saved' || persistence === 'remote' ? 'good' : persistence === 'memory' || persistence === 'lost' ? 'warn' : '';
    const title = [storageTexts[persistence](), transportTexts[transport](), reason].filter((text) => text !== '').join(' · ');
    return html`<a class="chip ${tone}" href=${routeTo('settings')} title=${title}><span class="dot"></span><span class="state">${storageMarks[persistence]()}</span></a>`;
  }

  #run(event: Event, command: (value: string) => string): void {
    const select = event.target as HTMLSelectElement;
    this.dispatchEvent(new CustomEvent('run-command', { detail: command(select.value), bubbles: true, composed: true }));
  }

  readonly #network = (): void => {
    this.offline = !navigator.onLine;
  };
}

const logo: TemplateResult = html`<svg viewBox="0 0 64 64" role="img" aria-label="Tabplane" translate="no">
  <rect width="64" height="64" rx="14" fill="#0f6e66" />
  <path d="M14 22h20l4 6h12v18a4 4 0 0 1-4 4H18a4 4 0 0 1-4-4z" fill="#e8fbf7" />
  <path d="m23 33 6 5-6 5M33 43h8" fill="none" stroke="#0f6e66" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round" />
</svg>`;
