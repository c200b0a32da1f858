import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Completion } from '../../kubectl/index.ts';
import { announce } from '../announce.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { sharedStyles } from '../shared-styles.ts';
import { commandLineStyles } from './command-line-styles.ts';
import { type EditedLine, lineEdits } from './line-editing.ts';

/** Maximum number of candidates shown. */
const candidatesShown = 100;

/** Placeholder. Commands are not translated. */
const exampleLine = 'kubectl get ns';

interface Search {
  readonly text: string;
  readonly at: number | undefined;
}

/**
 * The line that is typed: editing keys, history, completion. Fires `run` with the line, `clear` for Ctrl-L.
 * Tab leaves an empty line, and any line after Esc, so that the keyboard is never caught here.
 */
export class CommandLine extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    completion: { state: true },
    chosen: { state: true },
    search: { state: true },
    pasted: { state: true },
  };
  declare model: ConsoleModel;
  declare completion: Completion | undefined;
  declare chosen: number;
  declare search: Search | undefined;
  declare pasted: string | undefined;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  #leaveOnTab = false;
  #historyAt: number | undefined;
  #draft = '';
  #completing = new AbortController();

  static override styles: CSSResultGroup = [sharedStyles, commandLineStyles];

  constructor() {
    super();
    this.completion = undefined;
    this.chosen = 0;
    this.search = undefined;
    this.pasted = undefined;
  }

  override focus(): void {
    this.#area.focus();
  }

  get line(): string {
    return this.#area.value;
  }

  set line(text: string) {
    this.#set({ text, cursor: text.length });
  }

  override render(): TemplateResult {
    const open = this.completion !== undefined && this.completion.candidates.length > 0;
    return html`
      ${open ? this.#list() : nothing} ${this.search === undefined ? nothing : this.#searchBar(this.search)}
      ${this.pasted === undefined ? nothing : this.#pasteBar(this.pasted)} ${this.#touchKeys()}
      <div class="box">
        <span class="prompt" aria-hidden="true" translate="no">${this.model.prompt} ❯</span>
        <textarea
          rows="1"
          spellcheck="false"
          autocapitalize="off"
          autocomplete="off"
          autocorrect="off"
          aria-label=${msg('Command')}
          aria-autocomplete="list"
          aria-controls=${open ? 'candidates' : nothing}
          aria-activedescendant=${open ? `candidate-${this.chosen}` : nothing}
          placeholder=${exampleLine}
          @keydown=${this.#onKeydown}
          @input=${this.#input}
          @paste=${this.#paste}
          @blur=${() => this.#closeCompletion()}
        ></textarea>
      </div>
    `;
  }

  override updated(): void {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  get #area(): HTMLTextAreaElement {
    const area = this.renderRoot.querySelector('textarea');
    if (area === null) throw new Error('the line is not rendered yet');
    return area;
  }

  #list(): TemplateResult {
    const candidates = this.completion?.candidates ?? [];
    return html`
      <ul class="list" id="candidates" role="listbox" aria-label=${msg('Completions')}>
        ${candidates.slice(0, candidatesShown).map(
          ({ text, about }, at) => html`
            <li
              id="candidate-${at}"
              role="option"
              aria-selected=${at === this.chosen ? 'true' : 'false'}
              @pointerdown=${(event: Event) => {
                event.preventDefault();
                this.#accept(at);
              }}
            >
              <span class="text">${text}</span><span class="about">${about}</span>
            </li>
          `,
        )}
      </ul>
    `;
  }

  #searchBar({ text, at }: Search): TemplateResult {
    const typed = text || '…';
    const none = text === '' ? msg('type to search') : msg('nothing found');
    const found = at === undefined ? none : this.model.history.lines[at];
    return html`<div class="bar"><span class="chip info">${msg(str`search: ${typed}`)}</span><code>${found}</code></div>`;
  }

  #pasteBar(text: string): TemplateResult {
    const count = text.split('\n').filter((line) => line.trim() !== '').length;
    return html`
      <div class="bar" role="group" aria-label=${msg('Pasted lines')}>
        <span>${count === 1 ? msg('1 line was pasted.') : msg(str`${count} lines were pasted.`)}</span>
        <button class="button primary" id="run-pasted" @click=${() => this.#runPasted(text)}>${msg('Run all', { desc: 'lines that were pasted' })}</button>
        <button class="button" @click=${() => this.#insertPasted(text)}>${msg('Insert', { desc: 'lines that were pasted' })}</button>
        <button class="button" @click=${() => this.#insertPasted('')}>${msg('Cancel')}</button>
      </div>
    `;
  }

  /** Keys that touch keyboards lack. */
  #touchKeys(): TemplateResult {
    const insert = (text: string) => () => {
      const { value, selectionStart } = this.#area;
      this.#set({ text: value.slice(0, selectionStart) + text + value.slice(selectionStart), cursor: selectionStart + text.length });
      this.focus();
    };
    return html`
      <div class="keys" role="group" aria-label=${msg('Extra keys')}>
        <button class="button" @click=${() => this.#complete()}><kbd>Tab</kbd></button>
        <button class="button" aria-label=${msg('Previous command')} @click=${() => this.#walk('older')}>↑</button>
        <button class="button" aria-label=${msg('Next command')} @click=${() => this.#walk('newer')}>↓</button>
        <button class="button" @click=${() => this.#interrupt()}><kbd>Ctrl-C</kbd></button>
        <button class="button primary" @click=${() => this.#enter()}>${msg('Run')}</button>
        ${['-', '/', '|', '"'].map((text) => html`<button class="button" @click=${insert(text)}>${text}</button>`)}
      </div>
    `;
  }

  readonly #onKeydown = (event: KeyboardEvent): void => {
    const handled = this.search !== undefined ? this.#searchKey(event) : this.#completionKey(event) || this.#lineKey(event);
    if (handled) event.preventDefault();
    else if (!['Tab', 'Shift', 'Escape'].includes(event.key)) this.#leaveOnTab = false;
  };

  #completionKey({ key, shiftKey }: KeyboardEvent): boolean {
    const count = Math.min(this.completion?.candidates.length ?? 0, candidatesShown);
    if (count === 0) return false;
    if (key === 'ArrowDown' || (key === 'Tab' && !shiftKey)) this.chosen = (this.chosen + 1) % count;
    else if (key === 'ArrowUp' || key === 'Tab') this.chosen = (this.chosen + count - 1) % count;
    else if (key === 'Enter' || key === 'ArrowRight') this.#accept(this.chosen);
    else if (key === 'Escape') this.#closeCompletion();
    else return false;
    return true;
  }

  #lineKey(event: KeyboardEvent): boolean {
    const { key, ctrlKey, altKey, metaKey, shiftKey } = event;
    if (metaKey) return false;
    const edit = lineEdits[`${ctrlKey ? 'Ctrl-' : ''}${altKey ? 'Alt-' : ''}${key.toLowerCase()}`];
    if (edit !== undefined && (ctrlKey || altKey)) {
      this.#set(edit(this.#edited()));
      return true;
    }
    if (ctrlKey) return this.#controlKey(key.toLowerCase());
    if (altKey) return false;
    if (key === 'Enter' && !shiftKey) return this.#enter();
    if (key === 'Tab' && !shiftKey) return this.#tab();
    if (key === 'Escape') this.#leaveOnTab = true;
    if (key === 'ArrowUp' && this.#onEdge('first')) return this.#walk('older');
    if (key === 'ArrowDown' && this.#onEdge('last')) return this.#walk('newer');
    return false;
  }

  #controlKey(key: string): boolean {
    if (key === 'c') return this.#copiesSelection() ? false : this.#interrupt();
    if (key === 'l') this.dispatchEvent(new CustomEvent('clear', { bubbles: true, composed: true }));
    else if (key === 'd' && this.line === '' && this.model.running !== undefined) this.model.interrupt();
    else if (key === 'r') this.search = { text: '', at: undefined };
    else return false;
    return true;
  }

  /** Whether Ctrl-C copies a selection, in the line or in an output. */
  #copiesSelection(): boolean {
    const { selectionStart, selectionEnd } = this.#area;
    return selectionStart !== selectionEnd || document.getSelection()?.type === 'Range';
  }

  #interrupt(): boolean {
    if (!this.model.interrupt()) this.line = '';
    return true;
  }

  #enter(): boolean {
    const { line } = this;
    if (this.model.shell.incomplete(line)) return false;
    this.#run(line);
    return true;
  }

  #run(line: string): void {
    this.#historyAt = undefined;
    this.#draft = '';
    this.#closeCompletion();
    this.line = '';
    this.#emitDraft();
    if (line.trim() !== '') this.dispatchEvent(new CustomEvent('run', { detail: line, bubbles: true, composed: true }));
  }

  #tab(): boolean {
    if (this.#leaveOnTab || this.line.trim() === '') {
      this.#leaveOnTab = false;
      return false;
    }
    void this.#complete();
    return true;
  }

  #onEdge(edge: 'first' | 'last'): boolean {
    const { text, cursor } = this.#edited();
    return edge === 'first' ? !text.slice(0, cursor).includes('\n') : !text.slice(cursor).includes('\n');
  }

  #walk(direction: 'older' | 'newer'): boolean {
    const { history } = this.model;
    if (this.#historyAt === undefined) this.#draft = this.line;
    const from = this.#historyAt ?? history.lines.length;
    const at = direction === 'older' ? history.older(this.#draft, from) : history.newer(this.#draft, from);
    if (at === undefined && direction === 'older') return true;
    this.#historyAt = at;
    this.line = at === undefined ? this.#draft : (history.lines[at] ?? '');
    return true;
  }

  #searchKey({ key, ctrlKey }: KeyboardEvent): boolean {
    const search = this.search ?? { text: '', at: undefined };
    const { history } = this.model;
    const seek = (text: string, from?: number): void => {
      const at = history.search(text, from);
      this.search = { text, at };
      announce(this, at === undefined ? msg('nothing found') : (history.lines[at] ?? ''));
    };
    if (key === 'Escape' || (ctrlKey && (key === 'g' || key === 'c'))) this.search = undefined;
    else if (ctrlKey && key === 'r') seek(search.text, search.at);
    else if (key === 'Backspace') seek(search.text.slice(0, -1));
    else if (key === 'Enter' || key === 'Tab' || key.startsWith('Arrow')) {
      if (search.at !== undefined) this.line = history.lines[search.at] ?? '';
      this.search = undefined;
    } else if (key.length === 1 && !ctrlKey) seek(search.text + key);
    else return false;
    return true;
  }

  async #complete(): Promise<void> {
    this.#completing.abort();
    this.#completing = new AbortController();
    const { signal } = this.#completing;
    const { text, cursor } = this.#edited();
    const completion = await this.model.complete(text, cursor, signal).catch(() => undefined);
    if (signal.aborted || this.line !== text) return;
    const candidates = completion?.candidates ?? [];
    const count = candidates.length;
    announce(this, count === 1 ? msg('1 completion') : msg(str`${count} completions`));
    if (completion === undefined || candidates.length === 0) return;
    const shared = commonPrefix(candidates.map((one) => one.text));
    const typed = text.slice(completion.from, cursor);
    this.completion = { ...completion, candidates };
    this.chosen = 0;
    if (candidates.length === 1) this.#accept(0);
    else if (shared.length > typed.length && shared.startsWith(typed)) {
      this.#replace(completion.from, shared);
    }
  }

  #accept(at: number): void {
    const { completion } = this;
    const chosen = completion?.candidates[at];
    this.#closeCompletion();
    if (completion === undefined || chosen === undefined) return;
    this.#replace(completion.from, /[=/:,]$/.test(chosen.text) ? chosen.text : `${chosen.text} `);
    this.focus();
  }

  #replace(from: number, by: string): void {
    const { text, cursor } = this.#edited();
    this.#set({ text: text.slice(0, from) + by + text.slice(cursor).replace(/^ /, by.endsWith(' ') ? '' : ' '), cursor: from + by.length });
  }

  #closeCompletion(): void {
    this.#completing.abort();
    this.completion = undefined;
  }

  readonly #input = (): void => {
    this.#historyAt = undefined;
    this.#closeCompletion();
    this.#emitDraft();
  };

  readonly #paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain').replace(/\r\n?/g, '\n').trimEnd() ?? '';
    // Inserts one command on several lines (a here-document, a continued line) unchanged.
    if (!text.includes('\n') || this.line.trim() !== '' || this.model.shell.incomplete(text.split('\n', 1)[0] ?? '')) return;
    event.preventDefault();
    this.pasted = text;
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('#run-pasted')?.focus());
  };

  #runPasted(text: string): void {
    this.pasted = undefined;
    this.focus();
    let pending = '';
    for (const line of text.split('\n')) {
      pending += pending === '' ? line : `\n${line}`;
      if (this.model.shell.incomplete(pending)) continue;
      this.#run(pending);
      pending = '';
    }
    if (pending !== '') this.#run(pending);
  }

  #insertPasted(text: string): void {
    this.pasted = undefined;
    this.line += text;
    this.focus();
  }

  #edited(): EditedLine {
    const { value, selectionStart } = this.#area;
    return { text: value, cursor: selectionStart };
  }

  #set({ text, cursor }: EditedLine): void {
    this.#area.value = text;
    this.#area.setSelectionRange(cursor, cursor);
    this.#emitDraft();
  }

  #emitDraft(): void {
    this.dispatchEvent(new CustomEvent('draft', { detail: this.line, bubbles: true, composed: true }));
  }
}

function commonPrefix(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  for (const text of texts) {
    while (!text.startsWith(first.slice(0, length))) length--;
  }
  return first.slice(0, length);
}
