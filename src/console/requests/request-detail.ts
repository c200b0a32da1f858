import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { StageTrace } from '../../meta/index.ts';
import { defineElements } from '../define-elements.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import type { RequestRecord } from '../model/request-log.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { formatDuration } from '../terminal/command-block.ts';
import { tabList, tabStyles } from '../views/tab-list.ts';
import { maskSecrets, toClientGo, toCurl, toFetch, toKubectl, toPython } from './copies.ts';
import { detailStyles } from './detail-styles.ts';
import { parseApplyConflict, parseExpiredRevision } from './failure-details.ts';
import { conflictView, replayView, revisionRangeView } from './failure-views.ts';
import { suggestGrant } from './grant.ts';
import { formatJson } from './previous.ts';
import { canReplay, replay } from './replay.ts';
import { sourceLink } from './request-source.ts';
import { formatTime } from './requests-screen.ts';
import { describeStage, describeStatus } from './stage-texts.ts';
import { stateText } from './state-text.ts';
import { statusTone } from './status-tone.ts';

type Tab = 'pipeline' | 'request' | 'response' | 'diff' | 'audit' | 'as';
const tabs = (): readonly (readonly [Tab, string])[] => [
  ['pipeline', msg('Pipeline', { desc: 'the stages that a request goes through' })],
  ['request', msg('Request')],
  ['response', msg('Response')],
  ['diff', msg('Diff')],
  ['audit', msg('Audit')],
  ['as', msg('Copy as…', { desc: 'a request, as a command or as code' })],
];

/** The details of a request: stages, request and response, and copies as commands or code. */
export class RequestDetail extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    record: { attribute: false },
    tab: { state: true },
    secrets: { state: true },
    copied: { state: true },
  };
  declare model: ConsoleModel;
  declare record: RequestRecord;
  declare tab: Tab;
  declare secrets: boolean;
  declare copied: string;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model.requests);

  static override styles: CSSResultGroup = [sharedStyles, tabStyles, detailStyles];

  constructor() {
    super();
    this.tab = 'pipeline';
    this.secrets = false;
    this.copied = '';
  }

  override render(): TemplateResult {
    const { method, target, status, ms, user, state, startMs, auditId, bytes } = this.record;
    return html`
      <header>
        <div class="title">
          <h3>${method} ${target}</h3>
          <a class="quiet close" href=${routeTo('requests')} aria-label=${msg('Close this request')}>✕</a>
        </div>
        <p class="facts">
          <span class="chip ${statusTone(status)}">${status === 0 ? msg('no response yet') : status}</span>
          <span>${formatTime(startMs)}</span><span>${state === 'done' ? formatDuration(ms) : stateText(state)}</span>
          ${user === '' ? nothing : html`<span>${msg(str`as ${user}`, { desc: 'the user of a request' })}</span>`}<span>${sourceLink(this.record)}</span>
          ${bytes > 0 ? html`<span>${bytesText(bytes)}</span>` : nothing}
          ${auditId === '' ? nothing : html`<span class="mono">${msg(str`audit ${auditId}`, { desc: 'the id in the audit log' })}</span>`}
        </p>
        ${tabList({ label: msg('About this request'), tabs: tabs(), chosen: this.tab, choose: this.#choose })}
      </header>
      <div role="tabpanel" id="panel" aria-labelledby="tab-${this.tab}" tabindex="0">${this.#panel()}</div>
    `;
  }

  readonly #choose = (tab: Tab): void => {
    this.tab = tab;
    // The panel stays empty until they are loaded.
    if (tab === 'diff' || tab === 'audit') void import('./lazy-tabs.ts').then(({ lazyTabElements }) => defineElements(lazyTabElements));
  };

  #panel(): TemplateResult {
    switch (this.tab) {
      case 'pipeline':
        return this.#pipeline();
      case 'request':
        return html`${this.#headers(this.record.requestHeaders)} ${this.#body(this.record.requestBody)}`;
      case 'response':
        return html`${this.#headers(this.record.responseHeaders)} ${this.#body(this.record.responseBody)}`;
      case 'diff':
        return html`<tp-request-diff .model=${this.model} .record=${this.record} .state=${this.record.state}></tp-request-diff>`;
      case 'audit':
        return html`<tp-request-audit .model=${this.model} .auditId=${this.record.auditId}></tp-request-audit>`;
      case 'as':
        return this.#copies();
      default:
        return this.tab satisfies never;
    }
  }

  #pipeline(): TemplateResult {
    const { stages, status } = this.record;
    const about = describeStatus(status);
    const total = stages.reduce((sum, { ms }) => sum + ms, 0);
    return html`
      ${about === '' ? nothing : html`<p class="explain">${about}</p>`}
      ${
        total > 0
          ? html`<div class="bar" role="img" aria-label=${stages.map(({ stage, ms }) => `${stage} ${ms} ms`).join(', ')}>
              ${stages.map(({ ms }) => html`<span .style=${`flex: ${Math.max(ms / total, 0.01)} 1 0`}></span>`)}
            </div>`
          : nothing
      }
      ${
        stages.length === 0
          ? html`<p>${msg('No stages were reported for this request.')}</p>`
          : html`<ol class="stages">
              ${stages.map((stage, at) => this.#stage(stage, status >= 400 && at === stages.length - 1))}
            </ol>`
      }
      ${this.#grant()} ${this.#errorDetails()}
      ${canReplay(this.record) ? replayView(this.#replay) : nothing}
    `;
  }

  #errorDetails(): TemplateResult | typeof nothing {
    const conflict = parseApplyConflict(this.record);
    if (conflict) return conflictView(conflict);
    const range = parseExpiredRevision(this.record, this.model.revision);
    return range ? revisionRangeView(range) : nothing;
  }

  readonly #replay = async (token: string): Promise<void> => {
    location.hash = routeTo('requests', await replay(this.model, this.record, token));
  };

  /** Only shown, since granting permissions needs a decision. */
  #grant(): TemplateResult | typeof nothing {
    const yaml = suggestGrant(this.record, this.model.product);
    if (yaml === undefined) return nothing;
    return html`
      <h4 class="grant">${msg('How to allow it')} ${this.#copyButton(msg('Copy role and binding'), yaml)}</h4>
      <pre tabindex="0">${yaml}</pre>
    `;
  }

  #stage({ stage, verdict, detail, ms }: StageTrace, last: boolean): TemplateResult {
    const refused = stage === 'refused' || /^(deny|denied|refused|rejected|failed|error)/i.test(verdict) || (last && verdict === '');
    const evidence = [verdict, detail].filter((text) => text !== '').join(' · ');
    return html`
      <li class="stage ${refused ? 'refused' : ''}">
        <span class="name">${stage}</span>
        <span class="evidence">${evidence}</span>
        <span class="ms">${ms < 0.05 ? '<0.1 ms' : `${ms.toFixed(1)} ms`}</span>
        <span class="about">${describeStage(stage)}</span>
      </li>
    `;
  }

  #headers(headers: RequestRecord['requestHeaders']): TemplateResult {
    if (headers.length === 0) return html`<p>${msg('Headers are recorded only for requests of this page.')}</p>`;
    const shown = (name: string, value: string): string =>
      name === 'authorization' && !this.secrets ? value.replace(/(?<= ).+/, '…') : value;
    return html`
      <table>
        <caption class="hidden-text">${msg('Headers')}</caption>
        <tbody>
          ${headers.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${shown(name, value)}</td></tr>`)}
        </tbody>
      </table>
    `;
  }

  #body(body: string): TemplateResult {
    if (body === '') return html`<p>${msg('No body.', { desc: 'of a request or a response' })}</p>`;
    const text = formatJson(this.secrets ? body : maskSecrets(body, this.record.target));
    return html`<h4>${msg('Body', { desc: 'of a request or a response' })} ${this.#copyButton(msg('Copy body'), text)}</h4><pre tabindex="0">${text}</pre>`;
  }

  #copies(): TemplateResult {
    const options = { baseUrl: this.model.connection.baseUrl, secrets: this.secrets };
    const kubectl = toKubectl(this.record, options);
    const all: (readonly [string, string])[] = [
      ['curl', toCurl(this.record, options)],
      ['fetch', toFetch(this.record, options)],
      ['client-go', toClientGo(this.record, options)],
      ['Python', toPython(this.record, options)],
    ];
    if (kubectl !== undefined) all.unshift(['kubectl', kubectl]);
    return html`
      <label>
        <input
          type="checkbox"
          .checked=${this.secrets}
          @change=${() => {
            this.secrets = !this.secrets;
          }}
        />
        ${msg('include tokens and secrets')}
      </label>
      ${all.map(([name, text]) => html`<h4>${name} ${this.#copyButton(msg(str`Copy ${name}`), text)}</h4><pre tabindex="0">${text}</pre>`)}
    `;
  }

  #copyButton(label: string, text: string): TemplateResult {
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(text);
      this.copied = label;
    };
    return html`<button class="quiet" aria-label=${label} @click=${copy}>${this.copied === label ? msg('copied') : msg('copy')}</button>`;
  }
}

function bytesText(bytes: number): string {
  const count = bytes.toLocaleString();
  return bytes === 1 ? msg('1 byte') : msg(str`${count} bytes`);
}
