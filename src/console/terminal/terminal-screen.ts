import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import { announce } from '../announce.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { sharedStyles } from '../shared-styles.ts';
import { CommandBlock } from './command-block.ts';
import type { CommandLine } from './command-line.ts';
import { readNote, writeNote } from './session-notes.ts';

/** Maximum number of blocks. Older ones are removed, like a terminal's scrollback. */
const blocksMax = 500;

const suggestions = (): readonly (readonly [line: string, about: string])[] => [
  ['kubectl apply -f shop.yaml', msg('create the sample shop from your home folder')],
  ['kubectl get all -n shop', msg('see what was created')],
  ['kubectl auth can-i delete pods --as alice', msg('check access of users')],
  ['kubectl explain deployment.spec.strategy', msg('read about a field')],
];

/** The console: a log of blocks and the command line. */
export class TerminalScreen extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, empty: { state: true } };
  declare model: ConsoleModel;
  declare empty: boolean;
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
      tp-command-line {
        width: 100%;
        max-width: 72rem;
        margin-inline: auto;
      }
      .foot {
        padding: 0.5rem clamp(0.5rem, 2vw, 1.5rem) 0.75rem;
      }
      .hint {
        display: var(--hints, block);
        margin: 0.375rem 0.25rem 0;
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
      .own {
        margin: 0 0 1rem;
        color: var(--muted);
      }
      .welcome {
        max-width: 44rem;
        padding-block: clamp(0.5rem, 6vh, 4rem) 1rem;
      }
      .welcome h2 {
        margin: 0 0 0.375rem;
        font-size: 1.375rem;
        font-weight: 650;
        letter-spacing: -0.01em;
        text-wrap: balance;
      }
      .welcome p {
        margin: 0 0 1rem;
        color: var(--muted);
      }
      .welcome ul {
        display: grid;
        gap: 0.5rem;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .suggestion {
        display: grid;
        gap: 0.0625rem;
        width: 100%;
        padding: 0.5rem 0.75rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        text-align: start;
      }
      .suggestion:hover {
        border-color: var(--accent);
      }
      .suggestion code {
        color: var(--accent);
        font-size: 0.8125rem;
        font-weight: 500;
        overflow-wrap: anywhere;
      }
      .suggestion span {
        color: var(--muted);
        font-size: var(--small-size);
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
    this.empty = true;
    this.addEventListener('run', (event) => this.run(detailOf(event)));
    this.addEventListener('rerun', (event) => this.run(detailOf(event)));
    this.addEventListener('insert', (event) => this.insert(detailOf(event)));
    this.addEventListener('draft', (event) => writeNote('draft', this.model.workspace.id, detailOf(event)));
    this.addEventListener('clear', () => this.#clear());
    this.addEventListener('ended', (event) => this.#onEnded(event));
    this.addEventListener('grown', () => this.#follow());
  }

  run(line: string): void {
    const block = new CommandBlock();
    block.place = this.model.workspace;
    block.command = this.model.newCommand(line);
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
        <div class="inner">${this.empty ? this.#intro() : ''}<div id="blocks"></div></div>
      </div>
      <div class="foot">
        <tp-command-line .model=${this.model}></tp-command-line>
        <p class="hint">${msg(html`<kbd>Tab</kbd> completes · <kbd>↑</kbd> history · <kbd>Ctrl</kbd> <kbd>R</kbd> searches it · <kbd>Esc</kbd> <kbd>Tab</kbd> exits input`)}</p>
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
    for (const ended of readNote('running', id).split('\n')) if (ended !== '') this.#showEnded(ended);
    writeNote('running', id, '');
  }

  get #commandLine(): CommandLine | null {
    return this.renderRoot.querySelector<CommandLine>('tp-command-line');
  }

  #intro(): TemplateResult {
    if (this.model.workspace.kind !== 'lesson') return this.#welcome();
    return html`<p class="own">${msg('This cluster belongs to the lesson.')}</p>`;
  }

  #welcome(): TemplateResult {
    return html`
      <section class="welcome" aria-labelledby="welcome">
        <h2 id="welcome">${msg('A Kubernetes control plane in this tab')}</h2>
        <p>${msg('Nothing to install; no data leaves this browser. Each command shows its real HTTP requests.')}</p>
        <tp-cluster-choice .model=${this.model}></tp-cluster-choice>
        <ul>
          ${suggestions().map(
            ([line, about]) => html`
              <li>
                <button class="suggestion" @click=${() => this.insert(line)}><code>${line}</code><span>${about}</span></button>
              </li>
            `,
          )}
        </ul>
      </section>
    `;
  }

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

  #addBlock(block: CommandBlock): void {
    this.empty = false;
    const blocks = this.renderRoot.querySelector('#blocks');
    blocks?.append(block);
    if (blocks !== null && blocks.childElementCount > blocksMax) blocks.firstElementChild?.remove();
  }

  #clear(): void {
    const blocks = this.renderRoot.querySelectorAll<CommandBlock>('tp-command-block');
    for (const block of blocks) if (block.command.state === 'done') block.remove();
  }

  /** Stores running commands, so that the page can report them as interrupted after a reload. */
  #noteRunning(line: string): () => void {
    const flat = line.replaceAll('\n', ' ');
    const { id } = this.model.workspace;
    writeNote('running', id, `${readNote('running', id)}${flat}\n`);
    return () => writeNote('running', id, readNote('running', id).replace(`${flat}\n`, ''));
  }

  #showEnded(line: string): void {
    const block = new CommandBlock();
    block.place = this.model.workspace;
    block.command = { ...this.model.newCommand(line), state: 'done', exit: 130 };
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
