import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ApiClient } from '../../../kubectl/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { downloadFile } from '../../model/download-file.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { createClient, errorText } from '../api.ts';
import { panelStyles } from '../object/panel-styles.ts';
import { type CommandResult, runInContainer } from './container-command.ts';
import { type DirectoryEntry, joinPath, listCommand, parseEntries } from './directory-entries.ts';
import { outputStyles } from './output-styles.ts';
import { decodeText } from './proxied-port.ts';

/** A file is shown up to this length. */
const shownMax = 256 * 1024;

interface ShownFile {
  /** Undefined: it is binary. */
  readonly text: string | undefined;
  readonly isCut: boolean;
}

/** The directories and files of a container, read by commands in it: its tools are needed, and the permission to exec. */
export class ContainerFiles extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    namespace: { attribute: false },
    pod: { attribute: false },
    container: { attribute: false },
    path: { attribute: false },
    file: { attribute: false },
    link: { attribute: false },
    entries: { state: true },
    shown: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare namespace: string;
  /** Its name. */
  declare pod: string;
  declare container: string;
  /** The directory. */
  declare path: string;
  /** The name of the shown file; empty: the directory is shown. */
  declare file: string;
  /** The address of a directory, or of a file in it. */
  declare link: (path: string, file?: string) => string;
  declare entries: readonly DirectoryEntry[] | undefined;
  declare shown: ShownFile | undefined;
  declare failure: string;
  #read = '';
  #life = new AbortController();

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    outputStyles,
    css`
      .path {
        flex: 1 1 12rem;
        font-family: var(--mono);
        overflow-wrap: anywhere;
      }
      .scroller {
        flex: 1;
        overflow: auto;
      }
      td {
        font-family: var(--mono);
        font-size: 0.78125rem;
      }
      .number {
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
      td a {
        display: inline-block;
        min-height: 1.5rem;
      }
    `,
  ];

  constructor() {
    super();
    this.entries = undefined;
    this.shown = undefined;
    this.failure = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
    this.#read = '';
  }

  override willUpdate(): void {
    const { namespace, pod, container, path, file } = this;
    const read = JSON.stringify([namespace, pod, container, path, file]);
    if (read === this.#read) return;
    this.#read = read;
    this.#load();
  }

  override render(): TemplateResult {
    const { path, file, failure } = this;
    return html`
      <div class="tools">
        <slot></slot>
        <span class="path" translate="no">${this.#crumbs()}</span>
        ${file === '' ? nothing : html`<button class="button" @click=${() => void this.#download(joinPath(path, file))}>${msg('Download')}</button>`}
        <button class="button" @click=${() => this.#load()}>${msg('Read again', { desc: 'a file or directory' })}</button>
      </div>
      ${failure === '' ? nothing : html`<p class="failure" role="alert" translate="no">${failure}</p>`}
      ${file === '' ? this.#directory() : this.#file()}
    `;
  }

  /** The parts of the path as links. */
  #crumbs(): TemplateResult {
    const parts = joinPath(this.path, this.file).split('/').slice(1);
    const links = parts.map((part, at) => {
      const isFile = this.file !== '' && at === parts.length - 1;
      return isFile ? html`/${part}` : html`/<a href=${this.link(`/${parts.slice(0, at + 1).join('/')}`)}>${part}</a>`;
    });
    return html`<a href=${this.link('/')}>${msg('root', { desc: 'the uppermost directory' })}</a>${parts[0] === '' ? '/' : links}`;
  }

  #directory(): TemplateResult | typeof nothing {
    const { entries, path } = this;
    if (entries === undefined) return this.failure === '' ? html`<p class="note" role="status">${msg('Loading…')}</p>` : nothing;
    if (entries.length === 0) return html`<p class="note" role="status">${msg('The directory is empty.')}</p>`;
    return html`
      <div class="scroller">
        <table aria-label=${msg(str`Files in ${path}`)}>
          <tr><th scope="col">${msg('Name')}</th><th scope="col">${msg('Permissions', { desc: 'of a file' })}</th><th scope="col" class="number">${msg('Bytes')}</th><th scope="col">${msg('Changed', { desc: 'when a file was changed' })}</th></tr>
          ${entries.map(
            (entry) => html`<tr translate="no">
              <td>${this.#name(entry)}</td>
              <td>${entry.mode}</td>
              <td class="number">${entry.bytes}</td>
              <td>${new Date(entry.changedMs).toISOString().replace('T', ' ').slice(0, 19)}</td>
            </tr>`,
          )}
        </table>
      </div>
    `;
  }

  #name({ name, type }: DirectoryEntry): TemplateResult | string {
    switch (type) {
      case 'directory':
        return html`<a href=${this.link(joinPath(this.path, name))}>${name}/</a>`;
      case 'file':
        return html`<a href=${this.link(this.path, name)}>${name}</a>`;
      case 'link':
        return html`<a href=${this.link(this.path, name)}>${name}</a> →`;
      case 'other':
        return name;
    }
  }

  #file(): TemplateResult | typeof nothing {
    const { shown, file } = this;
    if (shown === undefined) return this.failure === '' ? html`<p class="note" role="status">${msg('Loading…')}</p>` : nothing;
    if (shown.text === undefined) return html`<p class="note" role="status">${msg('The file is binary. Download it to open it.')}</p>`;
    return html`
      <pre tabindex="0" role="group" aria-label=${msg(str`Content of ${file}`)} translate="no">${shown.text}</pre>
      ${shown.isCut ? html`<p class="note" role="status">${msg(str`Only the first ${shownMax / 1024} KiB are shown.`)}</p>` : nothing}
    `;
  }

  #load(): void {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    Object.assign(this, { entries: undefined, shown: undefined, failure: '' });
    const load = this.file === '' ? this.#list(signal) : this.#show(joinPath(this.path, this.file), signal);
    void load.catch((error: unknown) => {
      if (!signal.aborted) this.failure = errorText(error);
    });
  }

  #run(command: readonly string[], signal: AbortSignal): Promise<CommandResult> {
    const { namespace, pod, container } = this;
    const connect = (life: AbortSignal): ApiClient => createClient(this.model, { signal: life, screen: 'explore' });
    return runInContainer(connect, { namespace, pod, container }, command, signal);
  }

  async #list(signal: AbortSignal): Promise<void> {
    const { stdout, stderr } = await this.#run(listCommand(this.path), signal);
    if (signal.aborted) return;
    this.failure = stderr.trim();
    const entries = parseEntries(new TextDecoder().decode(stdout));
    if (entries.length > 0 || stderr === '') this.entries = entries;
  }

  /** A link may lead to a directory. */
  async #show(path: string, signal: AbortSignal): Promise<void> {
    const isDirectory = (await this.#run(['test', '-d', path], signal)).exit === 0;
    if (signal.aborted) return;
    if (isDirectory) return location.replace(this.link(path));
    const { exit, stdout, stderr } = await this.#run(['head', '-c', String(shownMax + 1), path], signal);
    if (signal.aborted) return;
    this.failure = stderr.trim();
    if (exit !== 0) return;
    const isCut = stdout.length > shownMax;
    // The last character may be cut.
    const text = decodeText(isCut ? stdout.subarray(0, stdout.lastIndexOf(10, shownMax) + 1 || shownMax) : stdout);
    this.shown = { text, isCut };
  }

  async #download(path: string): Promise<void> {
    try {
      const { exit, stdout, stderr } = await this.#run(['cat', path], this.#life.signal);
      this.failure = stderr.trim();
      if (exit === 0) downloadFile(this.file, stdout, 'application/octet-stream');
    } catch (error) {
      this.failure = errorText(error);
    }
  }
}
