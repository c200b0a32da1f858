import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../../model/console-model.ts';
import { downloadFile } from '../../model/download-file.ts';
import { statusTone } from '../../requests/status-tone.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { createClient, errorText } from '../api.ts';
import { panelStyles } from '../object/panel-styles.ts';
import { outputStyles } from './output-styles.ts';
import type { FromPortFrame, PortRequest, PortResponse, ToPortFrame } from './port-messages.ts';
import { documentOf, type PortExchange, portOrigin, proxyPath, sendToPort, statusMessage, targetOf } from './proxied-port.ts';

/**
 * The pages of a port of a pod or Service, in a frame without an origin. The console sends the requests of the frame, to this port only,
 * through the API's proxy: the frame has no credentials.
 */
export class OpenPort extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    resource: { attribute: false },
    namespace: { attribute: false },
    name: { attribute: false },
    ports: { attribute: false },
    port: { state: true },
    path: { state: true },
    exchange: { state: true },
    frame: { state: true },
    loading: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare resource: 'pods' | 'services';
  declare namespace: string;
  declare name: string;
  /** The declared ports. Others can be entered. */
  declare ports: readonly string[];
  /** The entered port; undefined: the first declared one. */
  declare port: string | undefined;
  /** Below the port. */
  declare path: string;
  /** The shown document. */
  declare exchange: PortExchange | undefined;
  /** Of the shown document. */
  declare frame: HTMLIFrameElement | undefined;
  declare loading: boolean;
  declare failure: string;
  #target = '';
  #life = new AbortController();

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    outputStyles,
    css`
      input {
        min-height: 1.875rem;
        padding: 0 0.5rem;
        border: 1px solid var(--line-strong);
        border-radius: var(--radius-small);
        background: var(--surface);
        font-family: var(--mono);
      }
      input[list] {
        width: 6rem;
      }
      .path {
        flex: 1 1 12rem;
      }
      .path input {
        flex: 1;
        min-width: 0;
      }
      iframe {
        flex: 1;
        min-height: 12rem;
        border: 1px solid var(--line);
        border-radius: var(--radius-small);
        /* Pages without colours of their own expect these. */
        background: #fff;
        color-scheme: light;
      }
    `,
  ];

  constructor() {
    super();
    this.ports = [];
    this.port = undefined;
    this.path = '/';
    this.exchange = undefined;
    this.frame = undefined;
    this.loading = false;
    this.failure = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
  }

  override willUpdate(): void {
    const target = `${this.resource} ${this.namespace} ${this.name}`;
    if (target === this.#target) return;
    this.#target = target;
    this.#life.abort();
    Object.assign(this, { port: undefined, path: '/', exchange: undefined, frame: undefined, loading: false, failure: '' });
  }

  override render(): TemplateResult {
    const { exchange, failure } = this;
    return html`
      <form class="tools" @submit=${this.#onSubmit}>
        <slot></slot>
        <label>
          ${msg('Port')}
          <input list="ports" required .value=${this.#chosenPort} autocomplete="off" @input=${this.#input('port')} />
        </label>
        <datalist id="ports">${this.ports.map((port) => html`<option value=${port}></option>`)}</datalist>
        <label class="path">${msg('Path', { desc: 'of a URL' })}<input .value=${this.path} spellcheck="false" autocomplete="off" @input=${this.#input('path')} /></label>
        <button class="button primary">${msg('Open', { desc: 'a page' })}</button>
      </form>
      ${failure === '' ? nothing : html`<p class="failure" role="alert" translate="no">${failure}</p>`}
      ${exchange === undefined ? nothing : this.#document(exchange)}
      <p class="note" role="status">${this.#stateText(exchange)}</p>
    `;
  }

  get #chosenPort(): string {
    return this.port ?? this.ports[0] ?? '';
  }

  get #prefix(): string {
    const { resource, namespace, name } = this;
    return proxyPath({ resource, namespace, name, port: this.#chosenPort });
  }

  #document({ url, response }: PortExchange): TemplateResult {
    if (this.frame !== undefined) return html`${this.frame}`;
    const name = new URL(url).pathname.split('/').at(-1) || 'download';
    const download = (): void => downloadFile(name, response.body, 'application/octet-stream');
    return html`<p>${msg(str`A binary file of ${response.body.length} bytes.`)} <button class="button" @click=${download}>${msg('Download')}</button></p>`;
  }

  #stateText(exchange: PortExchange | undefined): TemplateResult | string {
    if (this.loading) return msg('Loading…');
    if (exchange === undefined) return '';
    const { status } = exchange.response;
    return html`<span class="chip ${statusTone(status)}">${status}</span> <span translate="no">${exchange.url.slice(portOrigin.length)}</span>`;
  }

  #input(property: 'port' | 'path') {
    return (event: Event): void => {
      this[property] = (event.target as HTMLInputElement).value;
    };
  }

  readonly #onSubmit = (event: Event): void => {
    event.preventDefault();
    const url = new URL(`${this.#prefix}/${this.path.replace(/^\/+/, '')}`, portOrigin).href;
    void this.#navigate({ method: 'GET', url, contentType: '', body: undefined });
  };

  async #navigate(request: PortRequest): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.loading = true;
    this.failure = '';
    try {
      const exchange = await this.#send(request, signal);
      if (signal.aborted) return;
      this.failure = statusMessage(exchange.response) ?? '';
      this.#show(this.failure === '' ? exchange : undefined);
    } catch (error) {
      if (signal.aborted) return;
      this.failure = errorText(error);
    }
    this.loading = false;
  }

  #show(exchange: PortExchange | undefined): void {
    this.exchange = exchange;
    const shown = exchange && documentOf(exchange);
    this.frame = shown === undefined ? undefined : this.#createFrame(exchange?.url ?? '', shown);
    if (exchange) this.path = exchange.url.slice(portOrigin.length + this.#prefix.length) || '/';
  }

  /** Each document has a new frame: the scripts of the last one end. */
  #createFrame(url: string, shown: string): HTMLIFrameElement {
    const { signal } = this.#life;
    const frame = document.createElement('iframe');
    frame.title = msg(str`Port ${this.#chosenPort} of ${this.name}`);
    frame.setAttribute('sandbox', 'allow-scripts allow-forms');
    frame.referrerPolicy = 'no-referrer';
    frame.src = 'port-frame.html';
    const open = (): void => {
      const { port1, port2 } = new MessageChannel();
      const post = (message: ToPortFrame): void => port1.postMessage(message);
      port1.onmessage = ({ data }: MessageEvent<FromPortFrame>) => {
        if (data.kind === 'navigate') this.#follow(data.request);
        else void this.#answer(data.request, signal).then((response) => post({ kind: 'response', id: data.id, response }));
      };
      // Its origin is opaque, so that it has no name.
      frame.contentWindow?.postMessage('', '*', [port2]);
      post({ kind: 'show', url, html: shown });
    };
    frame.addEventListener('load', open, { once: true });
    return frame;
  }

  #follow(request: PortRequest): void {
    if (targetOf(this.#prefix, request.url) !== undefined) return void this.#navigate(request);
    const { url } = request;
    this.failure = msg(str`${url} is not at this port.`);
  }

  async #answer(request: PortRequest, signal: AbortSignal): Promise<PortResponse> {
    try {
      return (await this.#send(request, signal)).response;
    } catch (error) {
      return { status: 0, contentType: '', body: new TextEncoder().encode(errorText(error)) };
    }
  }

  #send(request: PortRequest, signal: AbortSignal): Promise<PortExchange> {
    return sendToPort(createClient(this.model, { signal, screen: 'explore' }), this.#prefix, request);
  }
}
