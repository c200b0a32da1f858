import { html, nothing, render, type TemplateResult } from 'lit/html.js';
import { errorMessage } from '../../env/index.ts';
import {
  codeOf,
  documentedOutput,
  type ExamplePage,
  type ExampleView,
  type ExampleViews,
  type TabplaneExample,
  textOf,
} from '../element/index.ts';
import type { Example, ExampleResult } from '../story/index.ts';
import type { EngineClient, Run } from './engine-client.ts';
import { highlight } from './highlight.ts';
import { type MessageName, type Translate, translateOf } from './messages.ts';
import { type OutputChunk, renderResult } from './result-view.ts';
import { readSettings, storyExamples, storyKey, validSettings } from './story-settings.ts';
import { viewStyles } from './styles.ts';

/** What the views of a page share. */
export interface ViewPage extends ExamplePage {
  readonly engine: EngineClient;
  /** Absolute URL of the page that opens links. */
  readonly playgroundUrl: string;
}

export function openViews(page: ViewPage): ExampleViews {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(viewStyles);
  return {
    startEngine: () => page.engine.start(),
    open(example, root) {
      root.adoptedStyleSheets.push(sheet);
      return new RenderedView(page, example, root);
    },
  };
}

interface Status {
  readonly name: MessageName;
  readonly value: string | number;
  readonly isBad: boolean;
}

const idle: Status = { name: 'example', value: '', isBad: false };
/** Longer links do not work in all browsers. */
const linkMaxLength = 32_000;

/** A view that lit renders. The block stays visible until the reader edits it. */
class RenderedView implements ExampleView {
  readonly #page: ViewPage;
  readonly #element: TabplaneExample;
  readonly #root: ShadowRoot;
  #status: Status = idle;
  #chunks: OutputChunk[] = [];
  #result: ExampleResult | undefined;
  #run: Run | undefined;
  /** The edited code; undefined: the block is shown. */
  #edited: string | undefined;
  #link: string | undefined;
  #isShown = false;

  constructor(page: ViewPage, example: TabplaneExample, root: ShadowRoot) {
    this.#page = page;
    this.#element = example;
    this.#root = root;
    const height = page.attributeOf(example, 'height');
    if (height !== null && CSS.supports('height', height)) example.style.setProperty('--tabplane-output-height', height);
    this.#update();
    if (this.#element.isEditable) this.#openEditor();
  }

  get value(): string {
    return this.#edited ?? this.#block();
  }

  async run(): Promise<boolean> {
    if (this.#run) return true;
    this.clear();
    this.#isShown = true;
    this.#setStatus('starting');
    try {
      this.#run = this.#page.engine.run(storyKey(this.#page, this.#element), this.#example(), (text, stream) =>
        this.#write({ text, stream }),
      );
      this.#update();
      this.#finish(await this.#run.result);
    } catch (error) {
      this.#setStatus('error', errorMessage(error), true);
    }
    this.#run = undefined;
    this.#update();
    return this.#status.name !== 'error';
  }

  async runUpToHere(): Promise<void> {
    const examples = storyExamples(this.#page, this.#element);
    if (examples.length === 0) {
      // Its run shows what is invalid.
      await this.run();
      return;
    }
    if (!(await this.#resetCluster())) return;
    for (const example of examples.slice(0, examples.indexOf(this.#element) + 1)) {
      if (!(await (await example.view()).run())) return;
    }
  }

  async reset(): Promise<void> {
    if (!(await this.#resetCluster())) return;
    this.#edited = undefined;
    this.#setStatus('resetDone');
    if (this.#element.isEditable) this.#openEditor();
  }

  /** Deletes the cluster and the output of its examples, whose code stays as the reader edited it. Returns false when it fails. */
  async #resetCluster(): Promise<boolean> {
    try {
      await this.#page.engine.reset(storyKey(this.#page, this.#element));
    } catch (error) {
      this.#setStatus('error', errorMessage(error), true);
      return false;
    }
    for (const example of storyExamples(this.#page, this.#element)) example.clear();
    return true;
  }

  edit(): void {
    this.#openEditor();
    this.#root.querySelector('textarea')?.focus();
  }

  clear(): void {
    this.#chunks = [];
    this.#result = undefined;
    this.#link = undefined;
    this.#isShown = false;
    this.#showDocumented(true);
    this.#setStatus('example');
  }

  /** What is documented holds for the block as it is, not for edited code. @throws SettingsError */
  #example(): Example {
    const settings = readSettings(this.#page, this.#element);
    const code = this.value;
    if (code !== this.#block()) return { settings: { ...settings, expect: undefined }, code, documentedOutput: undefined };
    const output = this.#documented;
    return { settings, code, documentedOutput: output === null ? undefined : textOf(codeOf(output) ?? output) };
  }

  #block(): string {
    const code = codeOf(this.#element);
    return code === null ? '' : textOf(code);
  }

  get #documented(): HTMLElement | null {
    return documentedOutput(this.#element);
  }

  /** Also where the page gives blocks a `display`, which has precedence over the one of `hidden`. */
  #showDocumented(isShown: boolean): void {
    const output = this.#documented;
    if (output === null) return;
    output.hidden = !isShown;
    if (isShown) output.style.removeProperty('display');
    else output.style.setProperty('display', 'none', 'important');
  }

  get #number(): number {
    return this.#page.examples().indexOf(this.#element) + 1;
  }

  get #translate(): Translate {
    return translateOf(this.#element);
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
    this.#showDocumented(false);
    const { exit, mismatch } = result;
    if (mismatch !== undefined && mismatch !== '') this.#setStatus('notAsExpected', mismatch, true);
    else if (mismatch === '') this.#setStatus('asExpected');
    else if (exit === 130) this.#setStatus('stopped');
    else if (exit === 0) this.#setStatus('finished');
    else this.#setStatus('failed', exit, true);
    this.#element.dispatchEvent(new CustomEvent('result', { detail: result, bubbles: true }));
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
    const isLater = storyExamples(this.#page, this.#element).indexOf(this.#element) > 0;
    return html`<div role="group" aria-label=${translate('example', this.#number)} part="example">
      ${this.#edited === undefined ? html`<slot></slot>` : this.#editor(this.#edited, translate)}
      <div class="bar" part="bar">
        ${isRunning ? this.#button('stop', () => this.#run?.stop(), 'primary') : this.#button('run', () => this.run(), 'primary')}
        ${isLater ? this.#button('runUpToHere', () => this.runUpToHere()) : nothing}
        ${this.#element.isReadonly || this.#edited !== undefined ? nothing : this.#button('edit', () => this.edit())}
        ${this.#isShown || this.#edited !== undefined ? this.#button('reset', () => this.reset()) : nothing}
        ${this.#result ? this.#playground(translate) : nothing}
        <span class=${isBad ? 'status bad' : 'status'} part="status" role="status">${name === 'example' ? nothing : translate(name, value)}</span>
      </div>
      ${this.#isShown ? renderResult({ chunks: this.#chunks, result: this.#result }, translate) : nothing}
    </div>`;
  }

  #button(name: MessageName, action: () => unknown, kind = ''): TemplateResult {
    const isWaiting = this.#run !== undefined && name !== 'stop';
    const click = (): unknown => (isWaiting ? undefined : action());
    // A button that is really disabled would lose the focus.
    return html`<button type="button" class=${kind} part="button ${name}" aria-disabled=${isWaiting} @click=${click}>${this.#translate(name)}</button>`;
  }

  #playground(translate: Translate): TemplateResult {
    if (this.#link === undefined) return this.#button('playground', () => this.#openPlayground());
    return html`<a class="link" part="button playground" href=${this.#link} target="_blank" rel="noopener">${translate('playground')} ↗</a>`;
  }

  /** The link stays, since a frame may not be allowed to open it. */
  async #openPlayground(): Promise<void> {
    try {
      const link = `${this.#page.playgroundUrl}#/s/${await this.#page.engine.link(storyKey(this.#page, this.#element))}`;
      if (link.length > linkMaxLength) return this.#setStatus('tooLong', '', true);
      this.#link = link;
      this.#update();
      this.#root.querySelector<HTMLAnchorElement>('a.link')?.click();
    } catch (error) {
      this.#setStatus('error', errorMessage(error), true);
    }
  }

  /** Replaces the block by an editor that looks like it. */
  #openEditor(): void {
    const look = this.#look();
    this.#edited = this.#block();
    this.#update();
    const editor = this.#root.querySelector<HTMLElement>('.editor');
    for (const [name, value] of Object.entries(look)) editor?.style.setProperty(name, value);
  }

  /** Tab leaves the editor, as everywhere else on the page. */
  #editor(code: string, translate: Translate): TemplateResult {
    const language = validSettings(this.#page, this.#element)?.language ?? 'sh';
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
    const code = codeOf(this.#element);
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
