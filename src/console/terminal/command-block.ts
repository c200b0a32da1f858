import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { Terminal } from '../../shell/index.ts';
import { defineElements } from '../define-elements.ts';
import type { Command, CommandView } from '../model/commands.ts';
import type { Workspace } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import type { RequestRecord } from '../model/request-log.ts';
import { stateText } from '../requests/state-text.ts';
import { statusTone } from '../requests/status-tone.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import type { BlockTerminal } from './block-terminal.ts';
import type { Suggestion } from './did-you-mean.ts';
import { OutputView } from './output-view.ts';
import type { StoredBlock } from './stored-blocks.ts';

/** Maximum number of request chips; the rest is shown as a count. */
const chipsMax = 3;

/** One command and its output. Fires `rerun` and `insert` with its line, and `ended` when done. */
export class CommandBlock extends LitElement implements CommandView {
  static override properties: PropertyDeclarations = {
    command: { attribute: false },
    paused: { state: true },
    copied: { state: true },
    tabled: { state: true },
    suggestions: { state: true },
  };
  declare command: Command;
  /** The cluster in which the command runs. */
  declare place: Workspace;
  declare paused: boolean;
  declare copied: string;
  /** Whether the tables behind the output are shown. */
  declare tabled: boolean;
  /** Suggested corrections of a failed command. */
  declare suggestions: readonly Suggestion[];
  #output: OutputView | undefined;
  #buffered: [string, 'out' | 'err'][] = [];
  #terminal: BlockTerminal | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        margin-block-end: 0.875rem;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        overflow: clip;
      }
      header {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem 0.5rem;
        padding: 0.375rem 0.5rem 0.375rem 0.75rem;
        background: var(--raised);
        border-block-end: 1px solid var(--line);
      }
      :host([empty]) header {
        border-block-end: 0;
      }
      .line {
        flex: 1 1 14rem;
        min-width: 0;
        margin: 0;
        font: 500 var(--text-size) / 1.5 var(--mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .prompt {
        color: var(--accent);
        user-select: none;
      }
      .marks {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 0.25rem;
      }
      .time {
        color: var(--faint);
        font-size: var(--small-size);
        font-variant-numeric: tabular-nums;
      }
      pre {
        margin: 0;
        padding: 0.5rem 0.75rem 0.625rem;
        font-size: 0.8125rem;
        line-height: 1.5;
        overflow-x: auto;
        tab-size: 8;
      }
      :host([empty]) pre {
        display: none;
      }
      .part {
        display: block;
        white-space: pre;
      }
      del {
        color: var(--muted);
      }
      del::after {
        display: inline-block;
        margin-inline-start: 2ch;
        color: var(--warn);
        content: attr(data-beside);
        font-family: var(--font);
      }
      .meant {
        margin: 0;
        padding: 0 0.75rem 0.5rem;
        color: var(--muted);
        font-size: var(--small-size);
      }
      .meant .quiet {
        color: var(--accent);
        font-family: var(--mono);
        text-decoration: underline;
      }
      .full {
        content-visibility: auto;
      }
      .err {
        color: var(--muted);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      :host([failed]) .err {
        color: var(--bad);
      }
      @media (pointer: coarse) {
        .marks .quiet {
          min-width: 0;
          padding-inline: 0.5rem;
        }
      }
      .spinner {
        width: 0.75rem;
        height: 0.75rem;
        border: 2px solid var(--line-strong);
        border-block-start-color: var(--accent);
        border-radius: 50%;
        animation: var(--spin, turn) 0.8s linear infinite;
      }
      @keyframes turn {
        to {
          transform: rotate(1turn);
        }
      }
    `,
  ];

  constructor() {
    super();
    this.paused = false;
    this.copied = '';
    this.tabled = false;
    this.suggestions = [];
    this.setAttribute('empty', '');
  }

  /** The output as plain text. */
  get outputText(): string {
    this.#output?.flush();
    return this.renderRoot.querySelector('pre')?.textContent ?? '';
  }

  /** The block for a reload of the page. Undefined while the command runs. */
  get stored(): StoredBlock | undefined {
    const { line, prompt, exit, ms } = this.command;
    if (exit === undefined) return undefined;
    this.#output?.flush();
    return { line, prompt, exit, ms, output: this.#output?.runs ?? this.#buffered.map(([text, stream]) => [stream, text]) };
  }

  get lineCount(): number {
    return (this.#output?.lines ?? 0) + (this.#terminal?.view.lines ?? 0);
  }

  readonly terminal: Terminal = {
    open: async (mode) => {
      const { openBlockTerminal } = await import('./block-terminal.ts');
      this.#output?.startPart();
      this.#terminal = openBlockTerminal(this.renderRoot, mode, this.#onGrown);
      return this.#terminal;
    },
  };

  write(text: string, stream: 'out' | 'err'): void {
    if (this.#terminal?.isOpen) this.#terminal.view.write(text);
    else if (this.#output === undefined) this.#buffered.push([text, stream]);
    else this.#output.write(text, stream);
  }

  markDeleted(revision: string): void {
    const time = new Date().toLocaleTimeString();
    this.#output?.strike(msg(str`deleted ${time} · rev ${revision}`));
  }

  changed(): void {
    if (this.command.state === 'done') {
      this.toggleAttribute('failed', this.command.exit !== 0);
      if (this.#output !== undefined) this.#output.paused = false;
      this.#output?.flush();
      this.dispatchEvent(new CustomEvent('ended', { bubbles: true, composed: true }));
    }
    this.requestUpdate();
  }

  override render(): TemplateResult {
    const { line, prompt, state, exit } = this.command;
    return html`
      <article aria-label=${msg(str`Command ${line}`)}>
        <header>
          <p class="line"><span class="prompt">${prompt} ❯ </span><span class="typed">${line}</span></p>
          <div class="marks">
            ${this.#chips()}
            ${state === 'done' ? html`<span class="time">${formatDuration(this.command.ms)}</span>` : nothing}
            ${state === 'done' ? exitChip(exit) : html`<span class="chip info"><span class="spinner"></span>${stateText(state)}</span>`}
            ${this.#actions()}
          </div>
        </header>
        <pre></pre>
        ${this.suggestions.length === 0 ? nothing : this.#suggestions()}
        ${this.tabled ? html`<tp-table .records=${this.#tables}></tp-table>` : nothing}
      </article>
    `;
  }

  #suggestions(): TemplateResult {
    const buttons = this.suggestions.map(
      ({ words, line }) => html`<button class="quiet" title=${line} @click=${() => this.#fire('insert', line)}>${words}</button>`,
    );
    return html`<p class="meant">${msg(html`Did you mean ${buttons}?`)}</p>`;
  }

  override firstUpdated(): void {
    const pre = this.renderRoot.querySelector('pre');
    if (pre === null) return;
    // Makes a wide output focusable, so that the keyboard can scroll it. The width is known after rendering.
    const reach = (): void => {
      if (pre.scrollWidth > pre.clientWidth) pre.tabIndex = 0;
    };
    new ResizeObserver(reach).observe(pre);
    this.#output = new OutputView(pre, () => {
      reach();
      this.#onGrown();
    });
    for (const [text, stream] of this.#buffered.splice(0)) this.#output.write(text, stream);
    if (this.command.state !== 'done') return;
    // Of an earlier visit.
    this.toggleAttribute('failed', this.command.exit !== 0);
    this.#output.flush();
  }

  readonly #onGrown = (): void => {
    if (this.hasAttribute('empty')) this.requestUpdate();
    this.removeAttribute('empty');
    this.dispatchEvent(new CustomEvent('grown', { bubbles: true, composed: true }));
  };

  #chips(): TemplateResult {
    const shown = this.command.requests.slice(-chipsMax);
    const rest = this.command.requests.length - shown.length;
    return html`
      ${rest > 0 ? html`<a class="chip" href=${routeTo('requests')}>+${rest}</a>` : nothing}
      ${shown.map(requestChip)}
    `;
  }

  #actions(): TemplateResult {
    const running = this.command.state === 'running';
    return html`
      ${running && this.command.requests.some(({ state }) => state === 'streaming') ? this.#pauseButton() : nothing}
      <button class="quiet" @click=${() => this.#copy('output', this.outputText)} ?hidden=${this.hasAttribute('empty')}>
        ${this.copied === 'output' ? msg('copied') : msg('copy')}
      </button>
      ${this.#tables.length > 0 ? html`<button class="quiet" aria-pressed=${this.tabled} @click=${this.#table}>${msg('as table', { desc: 'shows an output as a table' })}</button>` : nothing}
      <button class="quiet" title=${msg('Copy link to command')} @click=${() => this.#copy('link', this.#link)}>
        ${this.copied === 'link' ? msg('copied') : msg('link', { desc: 'copies a link to a command' })}
      </button>
      <button class="quiet" @click=${() => this.#fire('insert')}>${msg('edit', { desc: 'puts a command into the line again' })}</button>
      <button class="quiet" @click=${() => this.#fire('rerun')} ?hidden=${this.command.state !== 'done'}>${msg('rerun', { desc: 'runs a command again' })}</button>
    `;
  }

  /** Complete responses of kind Table. */
  get #tables(): readonly RequestRecord[] {
    return this.command.requests.filter(({ state, responseBody }) => state === 'done' && /^\{"kind":"Table".*\}\s*$/s.test(responseBody));
  }

  readonly #table = async (): Promise<void> => {
    const { TableView } = await import('./table-view.ts');
    defineElements({ 'tp-table': TableView });
    this.tabled = !this.tabled;
    await this.updateComplete;
    this.dispatchEvent(new CustomEvent('grown', { bubbles: true, composed: true }));
  };

  get #link(): string {
    // The cluster of the reader has the same API group names.
    const { names, id } = this.place;
    return location.href.replace(/#.*|$/, routeTo('console', '', { line: this.command.line, ...(id === '' ? {} : { names }) }));
  }

  #pauseButton(): TemplateResult {
    const toggle = (): void => {
      this.paused = !this.paused;
      if (this.#output === undefined) return;
      this.#output.paused = this.paused;
      if (!this.paused) this.#output.flush();
    };
    return html`<button class="quiet" aria-pressed=${this.paused} @click=${toggle}>${this.paused ? msg('resume', { desc: 'with an output that was paused' }) : msg('pause', { desc: 'an output' })}</button>`;
  }

  #fire(type: 'insert' | 'rerun', line: string = this.command.line): void {
    this.dispatchEvent(new CustomEvent(type, { detail: line, bubbles: true, composed: true }));
  }

  async suggest(model: ConsoleModel): Promise<void> {
    const [{ suggestCorrections }, { createFailureHelp }] = await Promise.all([import('./did-you-mean.ts'), import('./failure-help.ts')]);
    const help = createFailureHelp(model, this.command.line, this.outputText);
    if (help !== undefined) this.renderRoot.querySelector('article')?.append(help);
    this.suggestions = await suggestCorrections(model, this.command.line, this.outputText);
  }

  async #copy(what: string, text: string): Promise<void> {
    await navigator.clipboard.writeText(text);
    this.copied = what;
    setTimeout(() => {
      this.copied = '';
    }, 1_500);
  }
}

function requestChip({ id, method, status, state }: RequestRecord): TemplateResult {
  const label = status === 0 ? '…' : state === 'streaming' ? `${status} ⇣` : String(status);
  return html`<a class="chip ${statusTone(status)}" href=${routeTo('requests', id)} title=${msg('Show this request')}>${method} ${label}</a>`;
}

function exitChip(exit: number | undefined): TemplateResult | typeof nothing {
  if (exit === undefined || exit === 0) return nothing;
  return html`<span class="chip bad">${msg(str`exit ${exit}`, { desc: 'the exit code of a command' })}</span>`;
}

export function formatDuration(ms: number): string {
  if (ms < 1) return '<1 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
