import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { errorMessage } from '../../env/index.ts';
import { languageName, setLanguage } from '../languages/choose-language.ts';
import { currentLanguage, languages } from '../languages/current-language.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { sharedStyles } from '../shared-styles.ts';
import { type Preference, type PreferenceValue, preferences, readPreference, setPreference } from './preferences.ts';
import { resetBrowserData } from './reset-browser-data.ts';
import { storageTexts, transportTexts } from './transport-texts.ts';

/** Appearance, storage, connection and version. */
export class SettingsScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    release: { attribute: false },
    usedBytes: { state: true },
    persisted: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare release: string;
  declare usedBytes: number | undefined;
  declare persisted: boolean | undefined;
  declare failure: string;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      .bad {
        color: var(--bad);
      }
      :host {
        display: block;
        height: 100%;
        padding: 1.25rem clamp(0.75rem, 3vw, 2rem) 3rem;
        overflow-y: auto;
      }
      .page {
        display: grid;
        gap: 1rem;
        max-width: 44rem;
        margin-inline: auto;
      }
      h2 {
        margin: 0;
        font-size: 1.25rem;
      }
      section,
      fieldset {
        margin: 0;
        padding: 0.875rem 1rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
      }
      h3,
      legend {
        margin: 0 0 0.375rem;
        padding: 0;
        font-size: 0.875rem;
        font-weight: 650;
      }
      fieldset {
        padding: 0;
        border: 0;
      }
      /* A floating legend takes part in normal layout. */
      legend {
        float: inline-start;
        width: 11rem;
        color: var(--muted);
        font-weight: 400;
        line-height: 1.75rem;
      }
      @media (max-width: 48rem) {
        legend {
          width: 100%;
          margin: 0;
        }
        legend + * {
          clear: both;
        }
      }
      p {
        margin: 0 0 0.625rem;
        color: var(--muted);
      }
      dl {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr);
        gap: 0.25rem 1rem;
        margin: 0 0 0.75rem;
      }
      dt {
        color: var(--muted);
      }
      dd {
        margin: 0;
        overflow-wrap: anywhere;
      }
      .choices,
      .buttons {
        display: flex;
        flex-wrap: wrap;
        gap: 0.375rem 1.25rem;
      }
      .buttons {
        gap: 0.5rem;
      }
      label {
        display: inline-flex;
        gap: 0.375rem;
        align-items: center;
        min-height: 1.75rem;
      }
      input[type='radio'] {
        margin: 0;
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    this.release = '';
    this.usedBytes = undefined;
    this.persisted = undefined;
    this.failure = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#measure();
  }

  override render(): TemplateResult {
    return html`
      <div class="page">
        <h2>${msg('Settings')}</h2>
        <section aria-labelledby="looks">
          <h3 id="looks">${msg('Appearance', { desc: 'of the page' })}</h3>
          ${this.#languageChoice()} ${choices.map(([look, title]) => this.#preferenceChoice(look, title()))}
        </section>
        <section aria-labelledby="cluster">
          <h3 id="cluster">${msg('Cluster')}</h3>
          <p>${msg('Controllers, the scheduler and three simulated nodes run while a tab with the cluster is open.')}</p>
          ${this.#preferenceChoice('nodes', msg('Controllers, scheduler and nodes'))}
        </section>
        ${this.#connection()} ${this.#storage()} ${this.#version()}
      </div>
    `;
  }

  /** Languages by their own names, so that users can find theirs. */
  #languageChoice(): TemplateResult {
    const current = currentLanguage();
    return html`
      <fieldset>
        <legend>${msg('Language')}</legend>
        <div class="choices">
          ${languages.map(
            (language) =>
              html`<label lang=${language}><input type="radio" name="language" .checked=${language === current} @change=${() => setLanguage(language)} /> ${languageName(language)}</label>`,
          )}
        </div>
      </fieldset>
    `;
  }

  #preferenceChoice(look: Preference, title: string): TemplateResult {
    const current = readPreference(look);
    return html`
      <fieldset>
        <legend>${title}</legend>
        <div class="choices">
          ${preferences[look].map(
            (choice) =>
              html`<label><input type="radio" name=${look} .checked=${choice === current} @change=${() => setPreference(look, choice)} /> ${valueTexts[choice]()}</label>`,
          )}
        </div>
      </fieldset>
    `;
  }

  #connection(): TemplateResult {
    const { transport, persistence, reason } = this.model.status;
    return html`
      <section aria-labelledby="way">
        <h3 id="way">${msg('Connection')}</h3>
        <dl>
          <dt>${msg('Transport')}</dt>
          <dd>${transportTexts[transport]()}</dd>
          <dt>${msg('Base URL')}</dt>
          <dd class="mono">${this.model.connection.baseUrl}</dd>
          <dt>${msg('Storage', { desc: 'where the cluster is stored' })}</dt>
          <dd>${storageTexts[persistence]()}</dd>
          ${reason === '' ? nothing : html`<dt>${msg('Reason')}</dt><dd>${reason}</dd>`}
        </dl>
        <p>${msg(html`While a tab with the cluster is open, any page of this origin can send it requests with <code>fetch</code> below the base URL.`)}</p>
      </section>
    `;
  }

  #storage(): TemplateResult {
    return html`
      <section aria-labelledby="storage">
        <h3 id="storage">${msg('Storage')}</h3>
        <dl>
          <dt>${msg('Used', { desc: 'how much storage' })}</dt>
          <dd>${this.usedBytes === undefined ? msg('not available in this browser') : html`<span translate="no">${`${(this.usedBytes / 1e6).toFixed(1)} MB`}</span>`}</dd>
          <dt>${msg('Protected from browser clean-up')}</dt>
          <dd>${this.persisted === undefined ? msg('not available in this browser') : this.persisted ? msg('yes', { desc: 'safe from cleaning up' }) : msg('no', { desc: 'not safe from cleaning up' })}</dd>
        </dl>
        <div class="buttons">
          ${this.persisted === false ? html`<button class="button" @click=${this.#persist}>${msg('Request persistent storage')}</button>` : nothing}
          <button class="button" @click=${() => this.model.history.clear()}>${msg('Clear the command history')}</button>
          <button class="button" @click=${this.#reset}>${msg('Reset everything…')}</button>
        </div>
        ${this.failure === '' ? nothing : html`<p class="bad" role="alert">${this.failure}</p>`}
      </section>
    `;
  }

  #version(): TemplateResult {
    const { build } = this.model.status;
    return html`
      <section aria-labelledby="version">
        <h3 id="version">${msg('Version')}</h3>
        <dl>
          <dt translate="no">Tabplane</dt>
          <dd>${this.release}</dd>
          <dt>${msg('Build')}</dt>
          <dd class="mono">${build === '' ? msg('unknown: no Service Worker') : build}</dd>
        </dl>
        <p>${msg('A new version is available. Restart to update.')}</p>
      </section>
    `;
  }

  /** Requests persistent storage. Only pages can, workers cannot. */
  readonly #persist = async (): Promise<void> => {
    this.persisted = await navigator.storage.persist();
  };

  readonly #reset = async (): Promise<void> => {
    const { promptUser } = await import('./prompt-dialog.ts');
    const answer = await promptUser({
      title: msg('Delete all clusters, files, lessons and settings from this browser?'),
      text: msg('This cannot be undone.'),
      action: msg('Delete everything'),
      isDangerous: true,
    });
    if (answer === undefined) return;
    try {
      await resetBrowserData(this.model.connection);
    } catch (error) {
      this.failure = errorMessage(error);
    }
  };

  async #measure(): Promise<void> {
    try {
      const [{ usage }, persisted] = await Promise.all([navigator.storage.estimate(), navigator.storage.persisted()]);
      this.usedBytes = usage;
      this.persisted = persisted;
    } catch {
      // The storage API is missing without https and in sandboxes.
    }
  }
}

const choices: readonly (readonly [look: Preference, title: () => string])[] = [
  ['theme', () => msg('Theme')],
  ['size', () => msg('Text size')],
  ['motion', () => msg('Motion')],
  ['hints', () => msg('Hints below the input')],
  ['announcements', () => msg('Announcements to screen readers (Alt Shift A)')],
];

const valueTexts: Readonly<Record<PreferenceValue, () => string>> = {
  auto: () => msg('auto', { desc: 'the setting of the system' }),
  light: () => msg('light', { desc: 'theme' }),
  dark: () => msg('dark', { desc: 'theme' }),
  contrast: () => msg('high contrast'),
  normal: () => msg('normal', { desc: 'size of the text' }),
  large: () => msg('large', { desc: 'size of the text' }),
  larger: () => msg('larger', { desc: 'size of the text' }),
  reduced: () => msg('reduced', { desc: 'motion' }),
  on: () => msg('on', { desc: 'hints, announcements' }),
  off: () => msg('off', { desc: 'hints, announcements' }),
};
