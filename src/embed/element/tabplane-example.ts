import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { errorMessage } from '../../env/index.ts';
import { type ExampleSettings, parseSettings, SettingsError } from '../settings.ts';
import type { Example, ExampleResult } from '../story/index.ts';
import { codeOf, languageOf, textOf } from './code-block.ts';
import type { Run } from './engine-client.ts';
import { documentedOutput } from './enhance-page.ts';
import type { ExampleElement } from './example-element.ts';
import { type ExamplePage, storyExamples, storyKey } from './example-page.ts';
import { highlight } from './highlight.ts';
import { type MessageName, type Translate, translateTo } from './messages.ts';
import { type OutputChunk, renderResult } from './result-view.ts';
import { exampleStyles } from './styles.ts';

interface Status {
  readonly name: MessageName;
  readonly value: string | number;
  readonly isBad: boolean;
}

const idle: Status = { name: 'example', value: '', isBad: false };
/** Longer links do not work in all browsers. */
const linkMaxLength = 32_000;

/** A code block that runs. Its content is the block, which stays visible until the reader edits it. */
export abstract class TabplaneExample extends HTMLElement implements ExampleElement {
  abstract readonly page: ExamplePage;
  readonly #root = this.attachShadow({ mode: 'open' });
  #status: Status = idle;
  #chunks: OutputChunk[] = [];
  #result: ExampleResult | undefined;
  #run: Run | undefined;
  /** The edited code; undefined: the block is shown. */
  #edited: string | undefined;
  #link: string | undefined;
  #isShown = false;

  connectedCallback(): void {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(exampleStyles);
    this.#root.adoptedStyleSheets = [sheet];
    const height = this.#attribute('height');
    if (height !== null && CSS.supports('height', height)) this.style.setProperty('--tabplane-output-height', height);
    const theme = this.#attribute('theme');
    if (theme !== null) this.setAttribute('theme', theme);
    if (this.#attribute('load') === 'visible') this.#loadWhenVisible();
    this.#update();
    if (this.#isEditable) this.#edit();
  }

  /** The settings; undefined when they are invalid. */
  get settings(): ExampleSettings | undefined {
    try {
      return this.#parseSettings();
    } catch {
      // The error is shown when the example is run.
      return undefined;
    }
  }

  /** The cluster that its story shares. */
  get clusterId(): string | undefined {
    const cluster = this.settings?.cluster;
    return cluster === 'own' ? `own-${this.#number}` : cluster;
  }

  get value(): string {
    return this.#edited ?? this.#block();
  }

  async run(): Promise<void> {
    if (this.#run) return;
    this.clear();
    this.#isShown = true;
    this.#setStatus('starting');
    try {
      this.#run = this.page.engine.run(storyKey(this.page, this), this.#example(), (text, stream) => this.#write({ text, stream }));
      this.#update();
      this.#finish(await this.#run.result);
    } catch (error) {
      this.#setStatus('error', errorMessage(error), true);
    }
    this.#run = undefined;
    this.#update();
  }

  async runUpToHere(): Promise<void> {
    await this.reset();
    const examples = storyExamples(this.page, this);
    for (const example of examples.slice(0, examples.indexOf(this) + 1)) {
      await example.run();
      if (example.#status.name === 'error') return;
    }
  }

  async reset(): Promise<void> {
    const examples = storyExamples(this.page, this);
    try {
      await this.page.engine.reset(storyKey(this.page, this));
    } catch (error) {
      return this.#setStatus('error', errorMessage(error), true);
    }
    for (const example of examples) example.clear();
    this.#edited = undefined;
    this.#setStatus('resetDone');
    if (this.#isEditable) this.#edit();
  }

  clear(): void {
    this.#chunks = [];
    this.#result = undefined;
    this.#link = undefined;
    this.#isShown = false;
    if (this.#documented) this.#documented.hidden = false;
    this.#setStatus('example');
  }

  #attribute(name: string): string | null {
    return this.getAttribute(name) ?? this.page.defaultOf(name);
  }

  /** @throws SettingsError */
  #parseSettings(): ExampleSettings {
    const code = codeOf(this);
    if (code === null) throw new SettingsError('there is no code block in it');
    const language = languageOf(code, this);
    return parseSettings(language, (name) => (name === 'setup' ? this.#setup() : this.#attribute(name)));
  }

  /** What is documented holds for the block as it is, not for edited code. @throws SettingsError */
  #example(): Example {
    const settings = this.#parseSettings();
    const code = this.value;
    if (code !== this.#block()) return { settings: { ...settings, expect: undefined }, code, documentedOutput: undefined };
    const output = this.#documented;
    return { settings, code, documentedOutput: output === null ? undefined : textOf(codeOf(output) ?? output) };
  }

  /** The `setup` attribute has commands, or the id of an element with them: `#setup`. */
  #setup(): string | null {
    const setup = this.#attribute('setup');
    if (setup === null || !/^#[\w-]+$/.test(setup)) return setup;
    const element = this.ownerDocument.getElementById(setup.slice(1));
    if (element === null) throw new SettingsError(`there is no element ${setup}`);
    return element.textContent;
  }

  #block(): string {
    const code = codeOf(this);
    return code === null ? '' : textOf(code);
  }

  get #documented(): HTMLElement | null {
    return documentedOutput(this);
  }

  /** Whether the block is an editor from the start. */
  get #isEditable(): boolean {
    return this.hasAttribute('editable') && !this.hasAttribute('readonly');
  }

  get #number(): number {
    return this.page.examples().indexOf(this) + 1;
  }

  get #translate(): Translate {
    return translateTo(this.closest('[lang]')?.getAttribute('lang') ?? '');
  }

  #loadWhenVisible(): void {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      // A failure is shown when the reader runs an example.
      this.page.engine.start().catch(() => undefined);
    });
    observer.observe(this);
  }

  #write(chunk: OutputChunk): void {
    const last = this.#chunks.at(-1);
    if (last?.stream === chunk.stream) this.#chunks.splice(-1, 1, { ...last, text: last.text + chunk.text });
    else this.#chunks.push(chunk);
    this.#setStatus('running');
  }

  #finish(result: ExampleResult): void {
    this.#result = result;
    // The actual output is in its place.
    if (this.#documented) this.#documented.hidden = true;
    const { exit, mismatch } = result;
    if (mismatch !== undefined && mismatch !== '') this.#setStatus('notAsExpected', mismatch, true);
    else if (mismatch === '') this.#setStatus('asExpected');
    else if (exit === 130) this.#setStatus('stopped');
    else if (exit === 0) this.#setStatus('finished');
    else this.#setStatus('failed', exit, true);
    this.dispatchEvent(new CustomEvent('result', { detail: result, bubbles: true }));
  }

  #setStatus(name: MessageName, value: string | number = '', isBad = false): void {
    this.#status = { name, value, isBad };
    this.#update();
  }

  #update(): void {
    render(this.#template(), this.#root);
  }

  #template(): TemplateResult {
    const translate = this.#translate;
    const { name, value, isBad } = this.#status;
    const isRunning = this.#run !== undefined;
    const isLater = storyExamples(this.page, this).indexOf(this) > 0;
    return html`<div role="group" aria-label=${translate('example', this.#number)} part="example">
      ${this.#edited === undefined ? html`<slot></slot>` : this.#editor(this.#edited, translate)}
      <div class="bar" part="bar">
        ${isRunning ? this.#button('stop', () => this.#run?.stop(), 'primary') : this.#button('run', () => this.run(), 'primary')}
        ${isLater ? this.#button('runUpToHere', () => this.runUpToHere()) : nothing}
        ${this.hasAttribute('readonly') || this.#edited !== undefined ? nothing : this.#button('edit', () => this.#edit()?.focus())}
        ${this.#isShown || this.#edited !== undefined ? this.#button('reset', () => this.reset()) : nothing}
        ${this.#result ? this.#playground(translate) : nothing}
        <span class=${isBad ? 'status bad' : 'status'} part="status" role="status">${name === 'example' ? nothing : translate(name, value)}</span>
      </div>
      ${this.#isShown ? renderResult({ chunks: this.#chunks, result: this.#result }, translate) : nothing}
    </div>`;
  }

  #button(name: MessageName, action: () => unknown, kind = ''): TemplateResult {
    const isWaiting = this.#run !== undefined && name !== 'stop';
    return html`<button type="button" class=${kind} part="button ${name}" ?disabled=${isWaiting} @click=${() => void action()}>${this.#translate(name)}</button>`;
  }

  #playground(translate: Translate): TemplateResult {
    if (this.#link === undefined) return this.#button('playground', () => this.#openPlayground());
    return html`<a class="link" part="button playground" href=${this.#link} target="_blank" rel="noopener">${translate('playground')} ↗</a>`;
  }

  /** The link stays, since a frame may not be allowed to open it. */
  async #openPlayground(): Promise<void> {
    try {
      const link = `${this.page.playgroundUrl}#/s/${await this.page.engine.link(storyKey(this.page, this))}`;
      if (link.length > linkMaxLength) return this.#setStatus('tooLong', '', true);
      this.#link = link;
      this.#update();
      this.#root.querySelector<HTMLAnchorElement>('a.link')?.click();
    } catch (error) {
      this.#setStatus('error', errorMessage(error), true);
    }
  }

  /** Replaces the block by an editor that looks like it. */
  #edit(): HTMLTextAreaElement | null {
    const look = this.#look();
    this.#edited = this.#block();
    this.#update();
    const editor = this.#root.querySelector<HTMLElement>('.editor');
    for (const [name, value] of Object.entries(look)) editor?.style.setProperty(name, value);
    return this.#root.querySelector('textarea');
  }

  /** Tab leaves the editor, as everywhere else on the page. */
  #editor(code: string, translate: Translate): TemplateResult {
    const language = this.settings?.language ?? 'sh';
    const rows = code.split('\n').length;
    return html`<div class="editor" part="editor"><pre aria-hidden="true">${highlight(code, language)}
</pre><textarea rows=${rows} spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" translate="no" aria-label=${translate('code', this.#number)} aria-description=${translate('editorHint')} .value=${code} @input=${this.#onInput} @keydown=${this.#onKey}></textarea></div>`;
  }

  readonly #onInput = ({ target }: Event): void => {
    if (!(target instanceof HTMLTextAreaElement)) return;
    this.#edited = target.value;
    this.#update();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void this.run();
  };

  /** The styles of the block, which has them only while it is shown. */
  #look(): Readonly<Record<string, string>> {
    const code = codeOf(this);
    const block = code?.closest('pre');
    if (!code || !block) return {};
    const [text, box] = [getComputedStyle(code), getComputedStyle(block)];
    return {
      'font-family': text.fontFamily,
      'font-size': text.fontSize,
      'line-height': box.lineHeight,
      'letter-spacing': text.letterSpacing,
      'tab-size': text.tabSize,
      color: text.color,
      '--caret': text.color,
      padding: box.padding,
      'background-color': box.backgroundColor,
      border: box.border,
      'border-radius': box.borderRadius,
    };
  }
}
