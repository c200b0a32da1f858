import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { readChunks } from '../../../client/index.ts';
import { StatusError } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { createClient, errorText } from '../api.ts';
import { panelStyles } from '../object/panel-styles.ts';
import type { PodContainer } from './containers.ts';
import { LogBuffer, logLimits } from './log-buffer.ts';
import { LogView } from './log-view.ts';
import { outputStyles } from './output-styles.ts';

/** Before a log that broke is requested again. */
const retryMs = 1_000;

type State = 'loading' | 'streaming' | 'waiting' | 'ended';
type Option = 'follow' | 'previous' | 'times' | 'wrap';

/** The log of a container, streamed. Only its newest lines are retained. */
export class ContainerLogs extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    namespace: { attribute: false },
    pod: { attribute: false },
    container: { attribute: false },
    options: { state: true },
    filter: { state: true },
    paused: { state: true },
    state: { state: true },
    failure: { state: true },
    counts: { state: true },
  };
  declare model: ConsoleModel;
  declare namespace: string;
  /** Its name. */
  declare pod: string;
  declare container: PodContainer;
  declare options: Readonly<Record<Option, boolean>>;
  declare filter: string;
  /** Whether new lines are held back. */
  declare paused: boolean;
  declare state: State;
  declare failure: string;
  declare counts: { readonly shown: number; readonly all: number; readonly dropped: number };
  #request = '';
  #life = new AbortController();
  #buffer = new LogBuffer();
  #view: LogView | undefined;
  #frame: number | undefined;
  #isAtEnd = true;

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    outputStyles,
    css`
      input[type='search'] {
        flex: 1 1 10rem;
        max-width: 24rem;
        min-height: 1.875rem;
        padding: 0 0.5rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
      }
      pre.wrap {
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .line {
        display: block;
        content-visibility: auto;
        contain-intrinsic-size: auto 1.5em;
      }
      pre:not(.times) time {
        display: none;
      }
      time {
        color: var(--muted);
      }
      mark {
        background: var(--warn-soft);
        color: inherit;
        outline: 1px solid var(--warn);
      }
    `,
  ];

  constructor() {
    super();
    this.options = { follow: true, previous: false, times: false, wrap: true };
    this.filter = '';
    this.paused = false;
    this.state = 'loading';
    this.failure = '';
    this.counts = { shown: 0, all: 0, dropped: 0 };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
    this.#request = '';
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  override render(): TemplateResult {
    return html`
      <div class="tools">
        <slot></slot>
        <input type="search" aria-label=${msg('Filter lines')} placeholder=${msg('Filter lines')} .value=${this.filter} @input=${this.#onFilter} />
        ${this.#checkbox('follow', msg('Follow', { desc: 'new lines of a log' }))}
        ${this.#checkbox('previous', msg('Previous instance', { desc: 'of a container' }))}
        ${this.#checkbox('times', msg('Timestamps'))} ${this.#checkbox('wrap', msg('Wrap lines'))}
        ${this.#isFollowing ? html`<button class="button" aria-pressed=${this.paused} @click=${this.#pause}>${msg('Pause', { desc: 'new lines of a log' })}</button>` : nothing}
      </div>
      ${this.failure === '' ? nothing : html`<p class="failure" role="alert" translate="no">${this.failure}</p>`}
      <pre
        role="log"
        aria-live="off"
        aria-label=${msg(str`Log of ${this.container.name}`)}
        tabindex="0"
        translate="no"
        class="${this.options.times ? 'times' : ''} ${this.options.wrap ? 'wrap' : ''}"
        @scroll=${this.#onScroll}
      ></pre>
      <p class="note" role="status">${this.#countText()} · ${this.#stateText()}</p>
    `;
  }

  /** Begins again when another log is chosen, and with every start of the container. */
  override updated(): void {
    const { namespace, pod, container, options, model } = this;
    const request = JSON.stringify([
      namespace,
      pod,
      container.name,
      container.instance,
      options.follow,
      options.previous,
      model.context.credentials,
    ]);
    // Lines that are wrapped in another way have another height.
    this.#scrollToEnd();
    if (request === this.#request || !this.isConnected) return;
    this.#request = request;
    this.#life.abort();
    this.#life = new AbortController();
    this.#buffer = new LogBuffer();
    this.#isAtEnd = true;
    this.paused = false;
    this.failure = '';
    this.#view ??= new LogView(this.renderRoot.querySelector('pre') as HTMLElement);
    this.#view.clear();
    this.#show();
    void this.#stream(this.#buffer, this.#life.signal);
  }

  #checkbox(option: Option, label: string): TemplateResult {
    const change = (event: Event): void => {
      this.options = { ...this.options, [option]: (event.target as HTMLInputElement).checked };
    };
    return html`<label><input type="checkbox" .checked=${this.options[option]} @change=${change} />${label}</label>`;
  }

  get #isFollowing(): boolean {
    return this.options.follow && !this.options.previous;
  }

  #countText(): string {
    const { shown, all, dropped } = this.counts;
    const count = shown === all ? msg(str`Lines: ${all}`) : msg(str`Lines: ${shown} of ${all}`);
    return dropped === 0 ? count : `${count} · ${msg(str`Older lines removed: ${dropped}`)}`;
  }

  #stateText(): string {
    if (this.paused) return msg('paused', { desc: 'a log' });
    switch (this.state) {
      case 'loading':
        return msg('Loading…');
      case 'streaming':
        return this.#isFollowing ? msg('following', { desc: 'a log' }) : msg('Loading…');
      case 'waiting':
        return msg('disconnected; trying again');
      case 'ended':
        return msg('end of the log');
    }
  }

  readonly #onFilter = (event: Event): void => {
    this.filter = (event.target as HTMLInputElement).value;
    this.#isAtEnd = true;
    this.#show();
  };

  readonly #pause = (): void => {
    this.paused = !this.paused;
    if (!this.paused) this.#schedule();
  };

  readonly #onScroll = (event: Event): void => {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget as HTMLElement;
    this.#isAtEnd = scrollHeight - scrollTop - clientHeight < 40;
  };

  #schedule(): void {
    if (this.paused) return;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      if (!this.paused) this.#show();
    });
  }

  #show(): void {
    const { lines, dropped } = this.#buffer;
    this.#view?.show(lines, dropped, this.filter);
    this.counts = { shown: this.#view?.count ?? 0, all: lines.length, dropped };
    this.#scrollToEnd();
  }

  #scrollToEnd(): void {
    const pre = this.renderRoot.querySelector('pre');
    if (pre && this.#isAtEnd) pre.scrollTop = pre.scrollHeight;
  }

  /** A log that breaks is continued from its last line; that of a running container does not end. */
  async #stream(buffer: LogBuffer, signal: AbortSignal): Promise<void> {
    this.state = 'loading';
    while (!signal.aborted) {
      try {
        await this.#read(buffer, signal);
        if (signal.aborted) return;
        if (!this.#isFollowing || !this.container.isRunning) return this.#end(buffer);
      } catch (error) {
        if (signal.aborted) return;
        this.failure = errorText(error);
        if (error instanceof StatusError) return this.#end(buffer);
      }
      this.state = 'waiting';
      buffer.resume();
      await this.model.env.clock.sleep(retryMs, signal).catch(() => undefined);
    }
  }

  #end(buffer: LogBuffer): void {
    buffer.end();
    this.state = 'ended';
    this.#schedule();
  }

  async #read(buffer: LogBuffer, signal: AbortSignal): Promise<void> {
    const query = {
      container: this.container.name,
      timestamps: 'true',
      follow: this.#isFollowing ? 'true' : undefined,
      previous: this.options.previous ? 'true' : undefined,
      ...(buffer.lastTime === '' ? { tailLines: String(logLimits.lines) } : { sinceTime: buffer.lastTime }),
    };
    const client = createClient(this.model, { signal, screen: 'explore' });
    const body = await client.body('GET', `/api/v1/namespaces/${this.namespace}/pods/${this.pod}/log`, { query });
    this.state = 'streaming';
    this.failure = '';
    const decoder = new TextDecoder();
    for await (const chunk of readChunks(body)) {
      if (signal.aborted) return;
      buffer.write(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
      this.#schedule();
    }
  }
}
