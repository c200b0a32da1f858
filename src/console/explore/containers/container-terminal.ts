import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { runRemoteCommand } from '../../../kubectl/index.ts';
import { sourceOf } from '../../../shell/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { type BlockTerminal, openBlockTerminal } from '../../terminal/block-terminal.ts';
import { createClient, errorText } from '../api.ts';
import { panelStyles } from '../object/panel-styles.ts';
import type { PodContainer } from './containers.ts';
import { outputStyles } from './output-styles.ts';

/** A terminal in a container: of a new process, or of the container's own one. Each session is a request of `exec` or `attach`. */
export class ContainerTerminal extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    namespace: { attribute: false },
    pod: { attribute: false },
    container: { attribute: false },
    command: { state: true },
    running: { state: true },
    failure: { state: true },
    exit: { state: true },
  };
  declare model: ConsoleModel;
  declare namespace: string;
  /** Its name. */
  declare pod: string;
  declare container: PodContainer;
  declare command: string;
  declare running: boolean;
  declare failure: string;
  /** The exit code of the last session. */
  declare exit: number | undefined;
  #target = '';
  #session = new AbortController();
  #terminal: BlockTerminal | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    outputStyles,
    css`
      pre {
        position: relative;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      input {
        width: 10rem;
        min-height: 1.875rem;
        padding: 0 0.5rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        font-family: var(--mono);
      }
    `,
  ];

  constructor() {
    super();
    this.command = 'sh';
    this.running = false;
    this.failure = '';
    this.exit = undefined;
    // Ctrl-C of an attached container without a terminal.
    this.addEventListener('interrupt', () => this.#session.abort());
    this.addEventListener('released', () => void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#session.abort();
    this.#target = '';
  }

  override willUpdate(): void {
    const target = `${this.namespace} ${this.pod} ${this.container.name}`;
    if (this.#target !== '' && target !== this.#target) this.#reset();
    this.#target = target;
  }

  override render(): TemplateResult {
    const { running } = this;
    return html`
      <form class="tools" @submit=${this.#onSubmit}>
        <slot></slot>
        <label>
          ${msg('Command')}
          <input .value=${this.command} ?disabled=${running} spellcheck="false" autocapitalize="off" autocomplete="off" @input=${this.#onInput} />
        </label>
        <button class="button primary" ?disabled=${running}>${msg('Open', { desc: 'a terminal' })}</button>
        <button class="button" type="button" ?disabled=${running} @click=${() => this.#start('attach')}>${msg('Attach', { desc: 'to the process of a container' })}</button>
        ${running ? html`<button class="button" type="button" @click=${() => this.#session.abort()}>${msg('Disconnect')}</button>` : nothing}
      </form>
      ${this.failure === '' ? nothing : html`<p class="failure" role="alert" translate="no">${this.failure}</p>`}
      <pre role="group" aria-label=${msg(str`Terminal of ${this.container.name}`)} tabindex=${running ? nothing : '0'} translate="no"></pre>
      <p class="note" role="status">${this.#stateText()}</p>
    `;
  }

  #stateText(): string {
    if (this.running) return msg('connected; Shift+Tab leaves the terminal');
    return this.exit === undefined ? msg('not connected') : msg(str`exit ${this.exit}`, { desc: 'the exit code of a command' });
  }

  readonly #onInput = (event: Event): void => {
    this.command = (event.target as HTMLInputElement).value;
  };

  readonly #onSubmit = (event: Event): void => {
    event.preventDefault();
    this.#start('exec');
  };

  /** Another container was chosen. */
  #reset(): void {
    this.#session.abort();
    this.renderRoot.querySelector('pre')?.replaceChildren();
    this.failure = '';
    this.exit = undefined;
  }

  #start(subresource: 'exec' | 'attach'): void {
    if (this.running) return;
    this.#reset();
    this.#session = new AbortController();
    this.running = true;
    void this.#run(subresource, this.#session.signal);
  }

  async #run(subresource: 'exec' | 'attach', signal: AbortSignal): Promise<void> {
    const { namespace, pod } = this;
    const { name: container, stdin, tty } = this.container;
    const isExec = subresource === 'exec';
    const command = isExec ? this.command.trim().split(/\s+/) : [];
    const streams = { stdin: isExec || stdin, tty: isExec || (stdin && tty) };
    const decoder = new TextDecoder();
    const write = (chunk: string | Uint8Array): void =>
      this.#openTerminal(streams.tty).view.write(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    const input = { ...sourceOf(''), terminal: { open: async () => this.#openTerminal(streams.tty) } };
    const client = createClient(this.model, { signal, screen: 'explore' });
    const call = { api: async () => client, input, out: write, err: write, signal };
    try {
      const exit = await runRemoteCommand(call, { namespace, pod, subresource, container, command, ...streams });
      if (signal === this.#session.signal) this.exit = exit;
    } catch (error) {
      if (!signal.aborted) this.failure = errorText(error);
    }
    if (signal !== this.#session.signal) return;
    this.#terminal?.close();
    this.#terminal = undefined;
    this.running = false;
  }

  /** The terminal of the session. Without one, the output is shown in it too. */
  #openTerminal(tty: boolean): BlockTerminal {
    this.#terminal ??= openBlockTerminal(this.renderRoot, tty ? 'raw' : 'lines', () => this.#scrollToEnd());
    return this.#terminal;
  }

  #scrollToEnd(): void {
    const pre = this.renderRoot.querySelector('pre');
    if (pre) pre.scrollTop = pre.scrollHeight;
  }
}
