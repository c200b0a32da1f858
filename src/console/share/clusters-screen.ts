import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { errorMessage } from '../../env/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { saveImportedLesson } from '../learn/imported-lesson.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { downloadFile } from '../model/download-file.ts';
import { homeDirectory, kubeconfigPath } from '../model/identities.ts';
import { linkToLesson } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { ClusterList } from './cluster-list.ts';
import type { ClusterRows, Notice } from './cluster-rows.ts';
import { clustersStyles } from './clusters-styles.ts';
import { importFile, printManifests } from './import-export.ts';
import { linkMaxLength } from './shared-cluster.ts';
import { writeSnapshot } from './snapshot-file.ts';
import type { FetchedFile } from './url-frame.ts';
import { isSecret } from './user-objects.ts';

/** The clusters of this browser, with import and export. Fires `open-place` with a console's model, and `transcript`. */
export class ClustersScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    options: { attribute: false },
    notice: { state: true },
    link: { state: true },
    withSecrets: { state: true },
    withFiles: { state: true },
    fetching: { state: true },
  };
  declare model: ConsoleModel;
  declare options: ConsoleOptions;
  declare notice: Notice | undefined;
  declare link: string;
  declare withSecrets: boolean;
  declare withFiles: boolean;
  /** Whether the frame that fetches a file from a URL is shown. */
  declare fetching: boolean;
  #list: ClusterList | undefined;

  static override styles: CSSResultGroup = [sharedStyles, clustersStyles];

  constructor() {
    super();
    this.notice = undefined;
    this.link = '';
    this.withSecrets = false;
    this.withFiles = false;
    this.fetching = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('paste', this.#onPaste);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('paste', this.#onPaste);
  }

  get #clusters(): ClusterList {
    this.#list ??= new ClusterList(this.options);
    return this.#list;
  }

  override render(): TemplateResult {
    return html`<div class="page">${this.#noticeBar()} ${this.#clustersPart()} ${this.#sharePart()} ${this.#filesPart()}<details><summary>${msg('Diagnostics')}</summary><tp-audit-settings .model=${this.model}></tp-audit-settings></details></div>`;
  }

  #noticeBar(): TemplateResult | typeof nothing {
    const { notice } = this;
    if (notice === undefined) return nothing;
    const undo = async (): Promise<void> => {
      await notice.undo?.();
      this.notice = undefined;
      await this.#refresh();
    };
    return html`<div class="notice ${notice.bad ? 'bad' : ''}" role="status">${notice.text} ${notice.undo ? html`<button class="button" @click=${undo}>${msg('Undo')}</button>` : nothing}</div>`;
  }

  #clustersPart(): TemplateResult {
    const show = ({ detail }: CustomEvent<Notice | null>): void => {
      // An event without a detail has null.
      this.notice = detail ?? undefined;
    };
    return html`
      <section aria-labelledby="named">
        <h2 id="named">${msg('Clusters')}</h2>
        <p>${msg('Each cluster is stored separately in this browser. Samples, links and lessons never change another cluster.')}</p>
        <tp-cluster-rows .model=${this.model} .options=${this.options} @notice=${show}></tp-cluster-rows>
      </section>
    `;
  }

  #sharePart(): TemplateResult {
    const { name } = this.model.workspace;
    return html`
      <section aria-labelledby="share">
        <h2 id="share">${msg(str`Share ${name}`)}</h2>
        <p>${msg('The link contains the objects. Nothing is uploaded; opening the link creates a new cluster.')}</p>
        ${this.#choices()}
        <div class="buttons">
          <button class="button primary" @click=${() => this.#run(() => this.#share())}>${msg('Create a link')}</button>
          ${this.link === '' ? nothing : html`<button class="button" @click=${this.#copyLink}>${msg('Copy')}</button>`}
        </div>
        ${this.link === '' ? nothing : this.#madeLink()}
      </section>
    `;
  }

  #madeLink(): TemplateResult {
    const { length } = this.link;
    const max = linkMaxLength;
    return html`
      <p role="status">
        ${msg(str`${length} characters.`)}
        ${length > max ? msg(str`Many chat tools truncate links after ${max} characters. Use a file instead.`) : ''}
      </p>
      <textarea readonly rows="3" aria-label=${msg('Link')} .value=${this.link}></textarea>
    `;
  }

  #choices(): TemplateResult {
    const files = (event: Event): void => {
      this.withFiles = (event.target as HTMLInputElement).checked;
    };
    const secrets = (event: Event): void => {
      this.withSecrets = (event.target as HTMLInputElement).checked;
    };
    return html`
      <div class="choices">
        <label><input type="checkbox" .checked=${this.withFiles} @change=${files} /> ${msg('include the files of the home folder')}</label>
        <label><input type="checkbox" .checked=${this.withSecrets} @change=${secrets} /> ${msg('include Secrets')}</label>
      </div>
    `;
  }

  #filesPart(): TemplateResult {
    const pick = (event: Event): void => {
      const input = event.target as HTMLInputElement;
      const [file] = input.files ?? [];
      if (file !== undefined) void this.#run(() => this.#import(file));
      input.value = '';
    };
    return html`
      <section aria-labelledby="files" @dragover=${(event: Event) => event.preventDefault()} @drop=${this.#drop}>
        <h2 id="files">${msg('Files')}</h2>
        <p>${msg('A snapshot contains everything, including UIDs and resource versions. You can apply manifests to any cluster.')}</p>
        <div class="buttons">
          <button class="button" @click=${() => this.#run(() => this.#exportSnapshot())}>${msg('Download snapshot')}</button>
          <button class="button" @click=${() => this.#run(() => this.#exportManifests())}>${msg('Download manifests')}</button>
          <button class="button" @click=${() => this.dispatchEvent(new CustomEvent('transcript', { bubbles: true, composed: true }))}>${msg('Download transcript')}</button>
          <button class="button" @click=${() => this.#run(() => this.#exportRequests())}>${msg('Download requests (HAR)')}</button>
        </div>
        <p class="open">${msg('Open a snapshot, manifests or a lesson: choose or drop a file, paste its text, or enter its URL.')}</p>
        <div class="buttons">
          <button class="button" aria-expanded=${this.fetching} @click=${this.#toggleFetching}>${msg('From a URL…')}</button>
          <input type="file" aria-label=${msg('File to open')} accept=".gz,.yaml,.yml,.json,.md" @change=${pick} />
        </div>
        ${this.fetching ? html`<tp-url-frame @fetched=${this.#onFetched}></tp-url-frame>` : nothing}
      </section>
    `;
  }

  async #refresh(): Promise<void> {
    await this.renderRoot.querySelector<ClusterRows>('tp-cluster-rows')?.refresh();
  }

  async #run(work: () => Promise<void>): Promise<void> {
    this.notice = undefined;
    try {
      await work();
    } catch (error) {
      this.notice = { text: errorMessage(error), bad: true };
    }
    await this.#refresh();
  }

  #open(model: ConsoleModel): void {
    this.dispatchEvent(new CustomEvent('open-place', { detail: model, bubbles: true, composed: true }));
  }

  async #objects(): Promise<readonly JsonObject[]> {
    const all = await this.#clusters.objectsOf(this.model);
    const secrets = all.filter(isSecret);
    if (secrets.length > 0 && !this.withSecrets) {
      const names = secrets.map(({ metadata }) => (metadata as JsonObject)['name']).join(', ');
      this.notice = { text: msg(str`Secrets not included: ${names}.`), bad: false };
    }
    return this.withSecrets ? all : all.filter((object) => !isSecret(object));
  }

  async #files(): Promise<Readonly<Record<string, string>>> {
    const { home } = this.model;
    const paths = home.paths().filter((path) => path.startsWith(homeDirectory) && path !== kubeconfigPath);
    return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await home.readText(path)])));
  }

  async #share(): Promise<void> {
    const objects = await this.#objects();
    const { name, names } = this.model.workspace;
    // With a library for compression, which only sharing needs.
    const { writeLink } = await import('./share-link.ts');
    const payload = writeLink({ name, names, objects, ...(this.withFiles ? { files: await this.#files() } : {}) });
    this.link = `${location.href.replace(/#.*$/, '')}#/s/${payload}`;
  }

  readonly #copyLink = async (): Promise<void> => {
    await navigator.clipboard.writeText(this.link);
    this.notice = { text: msg('Link copied.'), bad: false };
  };

  async #exportSnapshot(): Promise<void> {
    const { name, names, id } = this.model.workspace;
    const snapshot = { name, names, copy: await this.#clusters.copyOf(id), files: await this.#files() };
    downloadFile(`${name}.snapshot.gz`, await writeSnapshot(snapshot, this.withSecrets), 'application/gzip');
  }

  async #exportRequests(): Promise<void> {
    const { toHar } = await import('../requests/har.ts');
    const { requests, workspace, connection } = this.model;
    downloadFile(`${workspace.name}.har`, toHar(requests.records, connection.baseUrl, this.options.release), 'application/json');
  }

  async #exportManifests(): Promise<void> {
    downloadFile(`${this.model.workspace.name}.yaml`, await printManifests(await this.#objects()), 'application/yaml');
  }

  async #import(file: File): Promise<void> {
    if (file.name.endsWith('.md')) {
      location.hash = linkToLesson(await saveImportedLesson(file.name, new Map([[file.name, await file.text()]])));
      return;
    }
    const { name } = file;
    const { model, failures } = await importFile(file, this.#clusters);
    this.#open(model);
    this.notice = failures === '' ? { text: msg(str`${name} is open in a new cluster.`), bad: false } : { text: failures, bad: true };
  }

  readonly #drop = (event: DragEvent): void => {
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file !== undefined) void this.#run(() => this.#import(file));
  };

  readonly #toggleFetching = (): void => {
    this.fetching = !this.fetching;
  };

  readonly #onFetched = ({ detail: { name, bytes } }: CustomEvent<FetchedFile>): void => {
    this.fetching = false;
    void this.#run(() => this.#import(new File([bytes], name)));
  };

  /** Accepts manifests or a copied file. */
  readonly #onPaste = (event: ClipboardEvent): void => {
    const { clipboardData } = event;
    const [target] = event.composedPath();
    if (target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null) return;
    const text = clipboardData?.getData('text/plain') ?? '';
    const [file] = clipboardData?.files ?? [];
    if (file !== undefined) void this.#run(() => this.#import(file));
    else if (text.trim() !== '') void this.#run(() => this.#import(new File([text], 'pasted.yaml')));
  };
}
