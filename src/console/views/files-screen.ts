import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { FileError, fileMessages } from '../../shell/index.ts';
import { defineElements } from '../define-elements.ts';
import type { ServerKnowledge } from '../explore/editor/completion.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { homeDirectory, shortenPath } from '../model/identities.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';

/** Placeholder of the file name. */
const exampleName = 'pod.yaml';

const yamlPath = /\.(?:ya?ml|json)$|\/\.kube\/config$/;

/** The files of the virtual home, with an editor. */
export class FilesScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    path: { attribute: false },
    text: { state: true },
    saved: { state: true },
    knowledge: { state: true },
    naming: { state: true },
    beside: { type: Boolean, reflect: true },
  };
  declare model: ConsoleModel;
  declare path: string | undefined;
  declare text: string | undefined;
  declare saved: string;
  /** The schemas for the editor, once it is loaded. */
  declare knowledge: ServerKnowledge | undefined;
  declare naming: boolean;
  /** Whether only the editor is shown, beside the console of a lesson. */
  declare beside: boolean;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model.home);
  #loaded: string | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template-columns: minmax(12rem, 18rem) minmax(0, 1fr);
        height: 100%;
        min-height: 0;
      }
      :host([beside]) {
        grid-template-columns: minmax(0, 1fr);
        border-inline-end: 1px solid var(--line);
      }
      nav {
        padding: 0.75rem;
        border-inline-end: 1px solid var(--line);
        overflow-y: auto;
      }
      h2 {
        margin: 0 0 0.5rem;
        font-size: 1rem;
      }
      ul {
        margin: 0 0 0.75rem;
        padding: 0;
        list-style: none;
      }
      li a {
        display: block;
        padding: 0.25rem 0.5rem;
        border-radius: var(--radius-small);
        color: var(--text);
        font: 0.8125rem/1.6 var(--mono);
        text-decoration: none;
        overflow-wrap: anywhere;
      }
      @media (pointer: coarse) {
        li a {
          padding-block: 0.75rem;
        }
      }
      li a:hover {
        background: var(--sunken);
      }
      li a[aria-current] {
        background: var(--accent-soft);
        box-shadow: inset 3px 0 0 var(--accent);
      }
      .editor {
        display: flex;
        flex-direction: column;
        min-width: 0;
        min-height: 0;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0.5rem;
        align-items: center;
        padding: 0.625rem 1rem;
        border-block-end: 1px solid var(--line);
      }
      .tools code {
        flex: 1;
        min-width: 0;
        font-weight: 600;
        overflow-wrap: anywhere;
      }
      textarea {
        flex: 1;
        width: 100%;
        min-height: 0;
        padding: 0.75rem 1rem;
        border: 0;
        background: var(--surface);
        font: 0.8125rem/1.6 var(--mono);
        tab-size: 2;
        white-space: pre;
        overflow: auto;
      }
      tp-code-editor {
        flex: 1;
        background: var(--surface);
        overflow: hidden;
      }
      textarea:focus-visible {
        outline-offset: -2px;
      }
      .empty {
        padding: 3rem 1.5rem;
        color: var(--muted);
        text-align: center;
      }
      form {
        display: flex;
        gap: 0.375rem;
      }
      form input {
        min-width: 0;
        flex: 1;
        padding: 0.25rem 0.5rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        font-family: var(--mono);
        font-size: 0.8125rem;
      }
      .status {
        color: var(--muted);
        font-size: var(--small-size);
      }
      @media (max-width: 48rem) {
        :host {
          grid-template-columns: minmax(0, 1fr);
          grid-template-rows: auto minmax(0, 1fr);
        }
        nav {
          max-height: 11rem;
          border-inline-end: 0;
          border-block-end: 1px solid var(--line);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.path = undefined;
    this.text = undefined;
    this.saved = '';
    this.naming = false;
    this.knowledge = undefined;
    this.beside = false;
  }

  override willUpdate(): void {
    if (this.path === this.#loaded) return;
    this.#loaded = this.path;
    this.text = undefined;
    this.saved = '';
    const { path } = this;
    if (path === undefined) return;
    const editor = yamlPath.test(path) ? this.#loadEditor().catch(() => undefined) : undefined;
    void Promise.all([this.model.home.readText(path), editor]).then(([text]) => {
      if (this.path === path) this.text = text;
    });
  }

  override render(): TemplateResult {
    return html`
      ${this.beside ? nothing : this.#list()}
      <section class="editor" aria-label=${msg('Editor')}>${this.path === undefined ? this.#hint() : this.#editor(this.path)}</section>
    `;
  }

  #list(): TemplateResult {
    return html`
      <nav aria-label=${msg('Files')}>
        <h2>${msg('Files')}</h2>
        <ul>
          ${this.model.home
            .paths()
            .map(
              (path) =>
                html`<li><a translate="no" href=${routeTo('files', path)} aria-current=${path === this.path ? 'page' : nothing}>${shortenPath(path)}</a></li>`,
            )}
        </ul>
        ${this.naming ? this.#newFileForm() : html`<button class="button" @click=${this.#startNaming}>${msg('New file')}</button>`}
      </nav>
    `;
  }

  #hint(): TemplateResult {
    return html`<p class="empty">${msg(html`These are the files of the shell: <code>cat</code>, <code>&gt;</code> and <code>kubectl apply -f</code> use them. Choose one to edit it.`)}</p>`;
  }

  #editor(path: string): TemplateResult {
    if (this.text === undefined) return html`<p class="empty">${msg('Loading…')}</p>`;
    const blocked = this.model.editing?.path === path;
    const name = shortenPath(path);
    return html`
      <div class="tools">
        <code>${name}</code>
        <span class="status" role="status">${this.saved}</span>
        ${
          blocked
            ? html`<button class="button primary" @click=${() => this.#finish(true)}>${msg('Save and close')}</button>
                <button class="button" @click=${() => this.#finish(false)}>${msg('Cancel')}</button>`
            : html`<button class="button" @click=${() => this.#download(path)}>${msg('Download')}</button>
                <button class="button" @click=${() => this.#remove(path)}>${msg('Delete')}</button>`
        }
      </div>
      ${this.#textField(path, this.text)}
    `;
  }

  /** YAML has the editor of Explore, with the server's schemas; other files are plain text. */
  #textField(path: string, text: string): TemplateResult {
    const label = msg(str`Text of ${shortenPath(path)}`);
    if (this.knowledge !== undefined && yamlPath.test(path))
      return html`${keyed(path, html`<tp-code-editor .knowledge=${this.knowledge} label=${label} .text=${text} @edited=${({ detail }: CustomEvent<string>) => this.#typed(detail)}></tp-code-editor>`)}`;
    const input = (event: Event): Promise<void> => this.#typed((event.target as HTMLTextAreaElement).value);
    return html`<textarea aria-label=${label} spellcheck="false" .value=${text} @input=${input}></textarea>`;
  }

  /** Loads the editor, which is large. Without it, as in a page that is offline too early, the text field remains. */
  async #loadEditor(): Promise<void> {
    const [{ CodeEditor }, { typesOf }] = await Promise.all([
      import('../explore/editor/code-editor.ts'),
      import('../explore/resource-types.ts'),
    ]);
    defineElements({ 'tp-code-editor': CodeEditor });
    const types = typesOf(this.model);
    this.knowledge = { schemas: types.schemas, types: () => types.types };
  }

  #newFileForm(): TemplateResult {
    const create = async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const input = (event.currentTarget as HTMLFormElement).querySelector('input');
      const name = input?.value.trim() ?? '';
      this.naming = false;
      if (name === '') return;
      const path = name.startsWith('/') ? name : `${homeDirectory}/${name}`;
      if (!this.model.home.paths().includes(path)) await this.model.home.writeText(path, '');
      location.hash = routeTo('files', path);
    };
    return html`
      <form @submit=${create}>
        <input aria-label=${msg('Name of the new file')} placeholder=${exampleName} pattern="[^\\0]+" />
        <button class="button primary">${msg('Create')}</button>
      </form>
    `;
  }

  readonly #startNaming = async (): Promise<void> => {
    this.naming = true;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>('form input')?.focus();
  };

  /** Saves on every keystroke. While `vi` waits for the file, only its button saves. */
  readonly #typed = async (text: string): Promise<void> => {
    this.text = text;
    if (this.path === undefined || this.model.editing?.path === this.path) return;
    if (await this.#write(this.path, this.text)) this.saved = msg('saved', { desc: 'the file' });
  };

  /** Stores a file and shows a failure. Returns whether it was stored. */
  async #write(path: string, text: string): Promise<boolean> {
    try {
      await this.model.home.writeText(path, text);
      return true;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.saved = msg(str`not saved: ${fileMessages[error.code]}`);
      return false;
    }
  }

  async #finish(save: boolean): Promise<void> {
    const { editing } = this.model;
    if (editing === undefined) return;
    if (save && this.text !== undefined && !(await this.#write(editing.path, this.text))) return;
    editing.done(save);
    if (!this.beside) location.hash = routeTo('console');
  }

  async #remove(path: string): Promise<void> {
    const name = shortenPath(path);
    const { promptUser } = await import('./prompt-dialog.ts');
    if ((await promptUser({ title: msg(str`Delete ${name}?`), action: msg('Delete'), isDangerous: true })) === undefined) return;
    await this.model.home.files.remove(path);
    location.hash = routeTo('files');
  }

  #download(path: string): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.text ?? ''], { type: 'text/plain' }));
    link.download = path.slice(path.lastIndexOf('/') + 1);
    link.click();
    URL.revokeObjectURL(link.href);
  }
}
