import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { announce } from '../announce.ts';
import type { Command } from '../model/commands.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { shortenPath } from '../model/identities.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { CommandBlock } from './command-block.ts';
import type { CommandLine } from './command-line.ts';
import { readNote, writeNote } from './session-notes.ts';
import { readBlocks, type StoredBlock, writeBlocks } from './stored-blocks.ts';

/** Maximum number of blocks. Older ones are removed, like a terminal's scrollback. */
const blocksMax = 500;

/** The console: a log of blocks and the command line. */
export class TerminalScreen extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false } };
  declare model: ConsoleModel;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  #following = true;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: flex;
        flex-direction: column;
        min-height: 0;
        height: 100%;
      }
      .log {
        flex: 1;
        min-height: 0;
        padding: 1rem clamp(0.5rem, 2vw, 1.5rem) 0.25rem;
        overflow-y: auto;
        overscroll-behavior: contain;
      }
      .log:focus-visible {
        outline-offset: -2px;
      }
      .inner,
      tp-command-line,
      .hint,
      .editing {
        width: 100%;
        max-width: 72rem;
        margin-inline: auto;
      }
      .foot {
        padding: 0.5rem clamp(0.5rem, 2vw, 1.5rem) 0.75rem;
      }
      .hint {
        display: var(--hints, flex);
        flex-wrap: wrap;
        gap: 0 1rem;
        align-items: center;
        justify-content: space-between;
        margin-block: 0.25rem 0;
        color: var(--faint);
        font-size: var(--small-size);
      }
      kbd {
        padding: 0 0.25rem;
        border: 1px solid var(--line);
        border-radius: 3px;
        background: var(--surface);
        font: inherit;
      }
      .editing {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem 0.75rem;
        align-items: center;
        margin-block: 0 0.5rem;
        color: var(--warn);
      }
      .own {
        margin: 0 0 1rem;
        color: var(--muted);
      }
      @media (max-width: 40rem) {
        .hint {
          display: none;
        }
      }
    `,
  ];

  constructor() {
    super();
    this.addEventListener('run', (event) => this.run(detailOf(event)));
    this.addEventListener('rerun', (event) => this.run(detailOf(event)));
    this.addEventListener('insert', (event) => this.insert(detailOf(event)));
    this.addEventListener('draft', (event) => writeNote('draft', this.model.workspace.id, detailOf(event)));
    this.addEventListener('clear', () => this.#clear());
    this.addEventListener('ended', (event) => this.#onEnded(event));
    this.addEventListener('released', () => this.focus());
    this.addEventListener('interrupt', () => this.model.interrupt());
    this.addEventListener('grown', () => this.#follow());
  }

  run(line: string): void {
    const block = this.#newBlock(this.model.newCommand(line));
    this.#addBlock(block);
    this.#following = true;
    this.#follow();
    const noted = this.#noteRunning(line);
    void this.model.run(block.command, block).then(noted);
  }

  override focus(): void {
    this.#commandLine?.focus();
  }

  /** Downloads commands and outputs as Markdown. */
  async downloadTranscript(): Promise<void> {
    const { downloadTranscript } = await import('./transcript.ts');
    downloadTranscript(this.renderRoot.querySelectorAll<CommandBlock>('tp-command-block'));
  }

  override render(): TemplateResult {
    return html`
      <div class="log" role="log" aria-live="off" aria-label=${msg('Console output')} tabindex="0" @scroll=${this.#scrolled}>
        <div class="inner">${this.#intro()}<div id="blocks"></div></div>
      </div>
      <div class="foot">
        ${this.#openEditor()}
        <tp-command-line .model=${this.model}></tp-command-line>
        <p class="hint"><span>${msg(html`<kbd>Tab</kbd> completes · <kbd>↑</kbd> history · <kbd>Ctrl</kbd> <kbd>R</kbd> searches it · <kbd>Esc</kbd> <kbd>Tab</kbd> exits input`)}</span>${this.#isLesson ? nothing : html`<button class="quiet" @click=${this.#toStart}>${msg('Start page')}</button>`}</p>
      </div>
    `;
  }

  override firstUpdated(): void {
    const line = this.#commandLine;
    this.model.onClear = () => this.#clear();
    const { id } = this.model.workspace;
    const draft = readNote('draft', id);
    void line?.updateComplete.then(() => {
      if (draft !== '') line.line = draft;
      // Lessons retain the focus, because their text comes first.
      if (this.model.workspace.kind !== 'lesson') line.focus();
    });
    for (const block of readBlocks(id)) this.#showStored(block);
    for (const ended of readNote('running', id).split('\n')) if (ended !== '') this.#showEnded(ended);
    writeNote('running', id, '');
  }

  get #commandLine(): CommandLine | null {
    return this.renderRoot.querySelector<CommandLine>('tp-command-line');
  }

  get #isLesson(): boolean {
    return this.model.workspace.kind === 'lesson';
  }

  #intro(): TemplateResult {
    return this.#isLesson
      ? html`<p class="own">${msg('This cluster belongs to the lesson.')}</p>`
      : html`<tp-start .model=${this.model}></tp-start>`;
  }

  /** Shown while a command waits for its editor, which may be on another screen. */
  #openEditor(): TemplateResult | typeof nothing {
    const { editing } = this.model;
    if (editing === undefined || this.#isLesson) return nothing;
    const name = shortenPath(editing.path);
    return html`
      <p class="editing" role="status">
        <span>${msg(html`The editor of <code>${name}</code> is open. Commands wait until it is closed.`)}</span>
        <a class="button" href=${routeTo('files', editing.path)}>${msg('Back to the editor')}</a>
        <button class="button" @click=${() => editing.done(false)}>${msg('Close without saving')}</button>
      </p>
    `;
  }

  readonly #toStart = (): void => {
    this.#following = false;
    this.renderRoot.querySelector('.log')?.scrollTo({ top: 0 });
  };

  /** Inserts a line without running it: pressing Enter is part of learning. */
  insert(line: string): void {
    const commandLine = this.#commandLine;
    if (commandLine === null) return;
    commandLine.line = line;
    commandLine.focus();
  }

  /** Focuses the block of a command, if it still exists. */
  show(id: number): void {
    const blocks = [...this.renderRoot.querySelectorAll<CommandBlock>('tp-command-block')];
    const block = blocks.find(({ command }) => command.id === id);
    if (block === undefined) return;
    this.#following = false;
    block.tabIndex = -1;
    block.focus();
  }

  #newBlock(command: Command): CommandBlock {
    return Object.assign(new CommandBlock(), { place: this.model.workspace, command });
  }

  #addBlock(block: CommandBlock): void {
    const blocks = this.renderRoot.querySelector('#blocks');
    blocks?.append(block);
    if (blocks !== null && blocks.childElementCount > blocksMax) blocks.firstElementChild?.remove();
  }

  #clear(): void {
    const blocks = this.renderRoot.querySelectorAll<CommandBlock>('tp-command-block');
    for (const block of blocks) if (block.command.state === 'done') block.remove();
    this.#store();
  }

  /** Stores the finished commands with their output, so that they survive a reload. */
  #store(): void {
    const blocks = [...this.renderRoot.querySelectorAll<CommandBlock>('tp-command-block')];
    writeBlocks(
      this.model.workspace.id,
      blocks.flatMap(({ stored }) => stored ?? []),
    );
  }

  #showStored({ output, ...done }: StoredBlock): void {
    const block = this.#newBlock({ ...this.model.newCommand(done.line), ...done, state: 'done' });
    for (const [stream, text] of output) block.write(text, stream);
    this.#addBlock(block);
  }

  /** Stores running commands, so that the page can report them as interrupted after a reload. */
  #noteRunning(line: string): () => void {
    const flat = line.replaceAll('\n', ' ');
    const { id } = this.model.workspace;
    writeNote('running', id, `${readNote('running', id)}${flat}\n`);
    return () => writeNote('running', id, readNote('running', id).replace(`${flat}\n`, ''));
  }

  #showEnded(line: string): void {
    const block = this.#newBlock({ ...this.model.newCommand(line), state: 'done', exit: 130 });
    block.write(`${msg('ended by a page reload')}\n`, 'err');
    this.#addBlock(block);
    // The page may have closed before the history was stored.
    if (this.model.history.lines.at(-1) !== line) void this.model.history.add(line);
  }

  /** Announces the result and suggests corrections of a failed command. */
  #onEnded(event: Event): void {
    const block = event.composedPath().find((target) => target instanceof CommandBlock);
    if (!(block instanceof CommandBlock)) return;
    const lines = block.lineCount;
    const { exit = 0 } = block.command;
    if (exit === 1) void block.suggest(this.model);
    this.#store();
    announce(this, lines === 1 ? msg(str`exit ${exit}, 1 line`) : msg(str`exit ${exit}, ${lines} lines`));
  }

  readonly #scrolled = (event: Event): void => {
    const log = event.currentTarget as HTMLElement;
    this.#following = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  };

  #follow(): void {
    if (!this.#following) return;
    requestAnimationFrame(() => {
      const log = this.renderRoot.querySelector('.log');
      if (log !== null) log.scrollTop = log.scrollHeight;
    });
  }
}

function detailOf(event: Event): string {
  return event instanceof CustomEvent && typeof event.detail === 'string' ? event.detail : '';
}
