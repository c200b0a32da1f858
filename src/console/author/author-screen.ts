import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { errorMessage } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import type { ParsedLesson } from '../../tutorials/format/index.ts';
import { LessonRun } from '../../tutorials/index.ts';
import { defineElements } from '../define-elements.ts';
import { parseImportedLesson, saveImportedLesson } from '../learn/imported-lesson.ts';
import type { LessonScreen } from '../learn/lesson-screen.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import { openStore } from '../model/key-value-store.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { type LessonPlace, linkToLesson } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { type FolderHandle, type LessonFiles, readDrop, readTexts, readTree, watchFolder } from './lesson-files.ts';
import newLesson from './new-lesson.md?raw';
import { estimateReadingTime } from './reading-time.ts';

const draftKey = 'author-draft';
const newName = 'lesson.md';
const parseDelayMs = 300;

interface Draft {
  readonly name: string;
  readonly files: LessonFiles;
}

const template: Draft = { name: newName, files: new Map([[newName, newLesson]]) };

/** The lesson editor: the source, its problems, and a preview of the lesson. */
export class AuthorScreen extends LitElement {
  static override properties: PropertyDeclarations = {
    options: { attribute: false },
    draft: { state: true },
    parsed: { state: true },
    place: { state: true },
    folder: { state: true },
    failure: { state: true },
    notes: { state: true },
    hasEditor: { state: true },
    pane: { reflect: true },
  };
  declare options: ConsoleOptions;
  declare draft: Draft;
  declare parsed: ParsedLesson | undefined;
  declare place: LessonPlace | undefined;
  /** The name of the watched folder. */
  declare folder: string;
  declare failure: string;
  /** Parts of an imported scenario that the lesson does not have. */
  declare notes: readonly string[];
  /** Whether the editor could be loaded. Undefined until then. */
  declare hasEditor: boolean | undefined;
  declare pane: 'lesson' | 'console';
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.#run);
  #stopWatching: () => void = () => undefined;
  #cancelParse: () => void = () => undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template: auto minmax(0, 1fr) / minmax(0, 1fr);
        min-height: 0;
        border-inline-end: 1px solid var(--line);
      }
      :host([pane='console']) .panel {
        display: none;
      }
      .panel {
        max-height: 60vh;
        padding: 0.625rem 1rem;
        border-block-end: 1px solid var(--line);
        background: var(--raised);
        overflow-y: auto;
      }
      h2,
      p,
      ul {
        margin: 0 0 0.375rem;
      }
      h2 {
        font-size: 1.125rem;
      }
      .tools {
        display: flex;
        flex-wrap: wrap;
        gap: 0.375rem 0.75rem;
        align-items: center;
      }
      select {
        max-width: 16rem;
      }
      summary {
        min-height: 1.5rem;
        margin-block-start: 0.375rem;
      }
      .source {
        display: block;
        width: 100%;
        height: 14rem;
        margin-block: 0.375rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        resize: vertical;
        overflow: hidden;
      }
      textarea {
        padding: 0.5rem;
        font: 0.8125rem/1.5 var(--mono);
      }
      .imports {
        display: grid;
        gap: 0.375rem;
        justify-items: start;
      }
      .imports label {
        display: flex;
        flex-wrap: wrap;
        gap: 0 0.5rem;
      }
      ul {
        padding-inline-start: 1.25rem;
        font-size: 0.8125rem;
      }
      .states {
        padding: 0;
        list-style: none;
        overflow-wrap: anywhere;
      }
      .bad {
        color: var(--bad);
      }
      .good {
        color: var(--good);
      }
      tp-lesson {
        min-height: 0;
      }
      /* The lesson has a minimum height; the source is above it. */
      @media (max-width: 64rem) {
        :host([pane='lesson']) {
          display: block;
          overflow-y: auto;
        }
        :host([pane='lesson']) .panel {
          max-height: none;
        }
        .source {
          height: 20rem;
        }
        :host([pane='lesson']) tp-lesson {
          height: 100%;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.draft = template;
    this.parsed = undefined;
    this.place = undefined;
    this.folder = '';
    this.failure = '';
    this.notes = [];
    this.hasEditor = undefined;
    this.pane = 'lesson';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('pane', (event) => {
      if (event instanceof CustomEvent) this.pane = event.detail as 'lesson' | 'console';
    });
    // The lesson has a run then, which can be observed.
    this.addEventListener('open-place', () => this.requestUpdate());
    void this.#open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopWatching();
    this.#cancelParse();
  }

  override render(): TemplateResult {
    const { place, folder } = this;
    const { name } = this.draft;
    return html`
      <section class="panel" aria-label=${msg('Author')} @dragover=${(event: Event) => event.preventDefault()} @drop=${this.#drop}>
        <h2>${msg('Write a lesson')}</h2>
        ${this.#tools()}
        <details open>
          <summary>${folder === '' ? msg(str`Source of ${name}`) : msg(str`Source of ${name} in the folder ${folder}`)}</summary>
          ${this.#source()}
        </details>
        ${this.#facts()} ${this.#problems()} ${this.#states()}
      </section>
      ${place === undefined ? nothing : html`<tp-lesson .place=${place} .options=${this.options}></tp-lesson>`}
    `;
  }

  /** The project's editor. Without it, as in a page that is offline too early, a text field. */
  #source(): TemplateResult {
    const { name, files } = this.draft;
    const text = files.get(name) ?? '';
    const label = msg('Source', { desc: 'of a lesson' });
    const isLocked = this.folder !== '';
    if (this.hasEditor === undefined) return html`<p role="status">${msg('Opening the editor…')}</p>`;
    return this.hasEditor
      ? html`${keyed(name, html`<tp-lesson-editor class="source" label=${label} .text=${text} .problems=${this.parsed?.problems ?? []} ?locked=${isLocked} @edited=${({ detail }: CustomEvent<string>) => this.#edit(detail)}></tp-lesson-editor>`)}`
      : html`<textarea class="source" aria-label=${label} spellcheck="false" ?readonly=${isLocked} .value=${text} @input=${(event: Event) => this.#edit((event.target as HTMLTextAreaElement).value)}></textarea>`;
  }

  #tools(): TemplateResult {
    const names = [...this.draft.files.keys()].filter((name) => name.endsWith('.md')).sort();
    const pick = (event: Event): void => {
      const { files } = event.target as HTMLInputElement;
      if (files !== null) void this.#take(readTexts(files));
    };
    return html`
      <div class="tools">
        ${'showDirectoryPicker' in globalThis ? html`<button class="button" @click=${this.#pickFolder}>${msg('Watch a folder…')}</button>` : nothing}
        ${
          names.length < 2
            ? nothing
            : html`<label>
                ${msg('Lesson')}
                <select @change=${(event: Event) => this.#show({ ...this.draft, name: (event.target as HTMLSelectElement).value })}>
                  ${names.map((name) => html`<option ?selected=${name === this.draft.name}>${name}</option>`)}
                </select>
              </label>`
        }
        <button class="button" @click=${this.#startFromTemplate}>${msg('New from template')}</button>
        <button class="button" ?disabled=${this.#run === undefined} @click=${() => this.#run?.startOver()}>${msg('Restart the lesson')}</button>
        ${this.place === undefined ? nothing : html`<a href=${linkToLesson(this.place)}>${msg('Learner view')}</a>`}
      </div>
      <details>
        <summary>${msg('Import files')}</summary>
        <div class="imports">
          <label>${msg('Files of a lesson')} <input type="file" multiple accept=".md,.yaml,.yml,.json,.sh" @change=${pick} /></label>
          <label>${msg('The folder of a Killercoda scenario')} <input type="file" webkitdirectory @change=${this.#importScenario} /></label>
        </div>
      </details>
      ${this.notes.length === 0 ? nothing : html`<ul aria-label=${msg('Import notes')} translate="no">${this.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
      ${this.failure === '' ? nothing : html`<p class="bad" role="alert">${this.failure}</p>`}
    `;
  }

  #facts(): TemplateResult | typeof nothing {
    if (this.parsed === undefined) return nothing;
    const { lesson, problems } = this.parsed;
    const { words, minutes } = estimateReadingTime(lesson);
    const stated = lesson.minutes;
    const steps = lesson.steps.length;
    const wrong = problems.length;
    return html`
      <p role="status">
        ${
          wrong === 0
            ? msg(str`${words} words, about ${minutes} min (stated: ${stated}); ${steps} steps; no format errors.`)
            : msg(str`${words} words, about ${minutes} min (stated: ${stated}); ${steps} steps; format errors: ${wrong}.`)
        }
      </p>
    `;
  }

  #problems(): TemplateResult | typeof nothing {
    const { problems = [] } = this.parsed ?? {};
    if (problems.length === 0) return nothing;
    return html`<ul class="bad" id="wrong" aria-label=${msg('Problems')}>${problems.map(({ line, message }) => html`<li>${msg(str`Line ${line}: ${message}`)}</li>`)}</ul>`;
  }

  /** The checks of the open step. */
  #states(): TemplateResult | typeof nothing {
    const { states = [], step } = this.#run ?? {};
    if (states.length === 0) return nothing;
    const title = step?.title ?? '';
    return html`
      <p>${msg(str`Checks of “${title}” now:`)}</p>
      <ul class="states" aria-label=${msg('Checks now')}>
        ${states.map(
          ({ check, passed, seen, broken }) => html`
            <li>
              <span class=${passed ? 'good' : 'bad'}>${passed ? msg('✓ passes') : msg('✗ fails')}</span> <code>${check.source}</code>
              ${broken === '' ? html`<span translate="no">${seen}</span>` : html`<span class="bad" translate="no">${broken}</span>`}
            </li>
          `,
        )}
      </ul>
    `;
  }

  get #run(): LessonRun | undefined {
    const run = this.#lesson?.session?.run;
    return run instanceof LessonRun ? run : undefined;
  }

  get #lesson(): LessonScreen | null {
    return this.renderRoot?.querySelector<LessonScreen>('tp-lesson') ?? null;
  }

  async #open(): Promise<void> {
    void import('./lesson-editor.ts').then(
      ({ LessonEditor }) => {
        defineElements({ 'tp-lesson-editor': LessonEditor });
        this.hasEditor = true;
      },
      () => {
        this.hasEditor = false;
      },
    );
    const stored = (await (await openStore()).get(draftKey)) as Draft | undefined;
    await this.#show(stored?.files instanceof Map ? stored : this.draft);
  }

  /** Stores, parses and shows the draft. */
  async #show(draft: Draft): Promise<void> {
    this.draft = draft;
    await (await openStore()).set(draftKey, draft);
    this.parsed = await parseImportedLesson(draft, productByName(this.options.names));
    const place = await saveImportedLesson(draft.name, draft.files);
    if (this.place?.lesson === place.lesson) await this.#lesson?.reread();
    else this.place = place;
  }

  async #take(texts: Promise<LessonFiles>): Promise<void> {
    this.#stopWatching();
    this.folder = '';
    await this.#showFiles(await texts);
  }

  /** Does not change the open lesson. */
  async #showFiles(files: LessonFiles): Promise<void> {
    const names = [...files.keys()].filter((name) => name.endsWith('.md') && name !== 'track.md').sort();
    const name = names.includes(this.draft.name) ? this.draft.name : names[0];
    this.failure = name === undefined ? msg('These files contain no lesson (NAME.md).') : '';
    if (name !== undefined) await this.#show({ name, files });
  }

  #watchFolder(folder: FolderHandle): void {
    this.#stopWatching();
    this.folder = folder.name;
    this.#stopWatching = watchFolder(folder, this.options.env.clock, (files) => void this.#showFiles(files));
  }

  #edit(text: string): void {
    const draft = { ...this.draft, files: new Map([...this.draft.files, [this.draft.name, text]]) };
    this.draft = draft;
    this.#cancelParse();
    this.#cancelParse = this.options.env.clock.schedule(parseDelayMs, () => void this.#show(draft));
  }

  /** Replaces the draft, after a confirmation if it has other text. */
  readonly #startFromTemplate = async (): Promise<void> => {
    const { draft } = this;
    const isChanged = [...draft.files.values()].some((text) => text !== newLesson);
    if (isChanged) {
      const { promptUser } = await import('../views/prompt-dialog.ts');
      const question = {
        title: msg('Start a new lesson?'),
        text: msg(str`The template replaces ${draft.name}. Save its text first if you need it.`),
        action: msg('Replace the text'),
        isDangerous: true,
      };
      if ((await promptUser(question)) === undefined) return;
    }
    await this.#take(Promise.resolve(template.files));
  };

  readonly #pickFolder = async (): Promise<void> => {
    const { showDirectoryPicker } = globalThis as unknown as { showDirectoryPicker(): Promise<FolderHandle> };
    try {
      this.#watchFolder(await showDirectoryPicker.call(globalThis));
    } catch (error) {
      // The user closed the picker.
      if (!(error instanceof DOMException && error.name === 'AbortError')) this.failure = String(error);
    }
  };

  readonly #importScenario = async (event: Event): Promise<void> => {
    const { files } = event.target as HTMLInputElement;
    const { importScenario } = await import('../../tutorials/killercoda/index.ts');
    try {
      const imported = importScenario(await readTree(files ?? []));
      this.notes = imported.notes;
      await this.#take(Promise.resolve(imported.files));
    } catch (error) {
      this.failure = errorMessage(error);
    }
  };

  readonly #drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    if (event.dataTransfer === null) return;
    const content = await readDrop(event.dataTransfer);
    if ('values' in content && 'kind' in content) this.#watchFolder(content);
    else await this.#take(Promise.resolve(content));
  };
}
