import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { sharedStyles } from '../shared-styles.ts';
import { applyTheme, keptTheme, type Theme, themes } from './theme.ts';
import { keptWords, transportWords } from './transport-words.ts';

/** Theme, storage, the way to the cluster. */
export class SettingsScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    theme: { state: true },
    usedBytes: { state: true },
    persisted: { state: true },
  };
  declare model: ConsoleModel;
  declare theme: Theme;
  declare usedBytes: number | undefined;
  declare persisted: boolean | undefined;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
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
      legend {
        float: inline-start;
        width: 100%;
      }
      legend + * {
        clear: both;
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
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    this.theme = keptTheme();
    this.usedBytes = undefined;
    this.persisted = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#measure();
  }

  override render(): TemplateResult {
    const { transport, kept, reason } = this.model.status;
    return html`
      <div class="page">
        <h2>Settings</h2>
        <fieldset>
          <legend>Theme</legend>
          <div class="choices">${themes.map((theme) => this.#themeChoice(theme))}</div>
        </fieldset>
        <section aria-labelledby="way">
          <h3 id="way">Way to the cluster</h3>
          <dl>
            <dt>Transport</dt>
            <dd>${transportWords[transport]}</dd>
            <dt>Base URL</dt>
            <dd class="mono">${this.model.connection.baseUrl}</dd>
            <dt>Kept</dt>
            <dd>${keptWords[kept]}</dd>
            ${reason === '' ? nothing : html`<dt>Because</dt><dd>${reason}</dd>`}
          </dl>
          <p>Any page of this origin may ask the cluster with <code>fetch</code> below the base URL while a tab with it is open.</p>
        </section>
        <section aria-labelledby="storage">
          <h3 id="storage">Storage</h3>
          <dl>
            <dt>Used</dt>
            <dd>${this.usedBytes === undefined ? 'not told by this browser' : `${(this.usedBytes / 1e6).toFixed(1)} MB`}</dd>
            <dt>Safe from cleaning up</dt>
            <dd>${this.persisted === undefined ? 'not told by this browser' : this.persisted ? 'yes' : 'no'}</dd>
          </dl>
          <div class="buttons">
            ${this.persisted === false ? html`<button class="button" @click=${this.#persist}>Ask the browser to keep it</button>` : nothing}
            <button class="button" @click=${() => this.model.history.clear()}>Forget the command history</button>
          </div>
        </section>
      </div>
    `;
  }

  #themeChoice(theme: Theme): TemplateResult {
    const choose = (): void => {
      this.theme = theme;
      applyTheme(theme);
    };
    return html`<label><input type="radio" name="theme" .checked=${theme === this.theme} @change=${choose} /> ${theme}</label>`;
  }

  /** Only a page can ask: the worker has no say in it. */
  readonly #persist = async (): Promise<void> => {
    this.persisted = await navigator.storage.persist();
  };

  async #measure(): Promise<void> {
    try {
      const [{ usage }, persisted] = await Promise.all([navigator.storage.estimate(), navigator.storage.persisted()]);
      this.usedBytes = usage;
      this.persisted = persisted;
    } catch {
      // Without https, and in sandboxes, there is no storage to be told of.
    }
  }
}
