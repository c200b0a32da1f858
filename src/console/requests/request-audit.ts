import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { createAuditLog } from '../../client/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../meta/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { routeTo } from '../routes.ts';
import { sharedStyles } from '../shared-styles.ts';
import { detailStyles } from './detail-styles.ts';

/** The audit events of one request, updated while it is shown. */
export class RequestAudit extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    auditId: { attribute: false },
    events: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare auditId: string;
  declare events: readonly JsonObject[];
  declare failure: boolean;
  #watch = new AbortController();

  static override styles: CSSResultGroup = [sharedStyles, detailStyles];

  constructor() {
    super();
    this.events = [];
    this.failure = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.#watchEvents();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#watch.abort();
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('auditId')) void this.#watchEvents();
  }

  override render(): TemplateResult {
    if (this.failure)
      return html`<p>${msg(html`Audit events of this server are not available here. With <code>--audit-log-path</code>, a server writes them to a file.`)}</p>`;
    const clusters = routeTo('clusters');
    const policy = html`<p>${msg(html`The <a href=${clusters}>audit policy</a> selects the recorded events.`)}</p>`;
    if (this.events.length === 0) return html`<p role="status">${msg('The audit log has no events for this request.')}</p>${policy}`;
    return html`${this.events.map(eventView)} ${policy}`;
  }

  async #watchEvents(): Promise<void> {
    this.#watch.abort();
    const following = new AbortController();
    this.#watch = following;
    this.events = [];
    this.failure = false;
    if (this.auditId === '') return;
    try {
      const log = createAuditLog((request) => this.model.connection.api(request));
      await log.watch(
        this.auditId,
        (event) => {
          if (!following.signal.aborted) this.events = [...this.events, event];
        },
        following.signal,
      );
    } catch {
      // Ended by an abort, or by a server without this path.
      if (!following.signal.aborted) this.failure = true;
    }
  }
}

function eventView(event: JsonObject): TemplateResult {
  const { stage, level, annotations, user, impersonatedUser } = event;
  const rows: readonly (readonly [string, Json | undefined])[] = [
    [msg('user', { desc: 'the sender of a request, before the name' }), nameOf(user)],
    [msg('acting as', { desc: 'the impersonated user, before the name' }), nameOf(impersonatedUser)],
    ...Object.entries(isJsonObject(annotations) ? annotations : {}),
  ];
  return html`
    <h4>${stage} <span class="chip">${level}</span></h4>
    <table>
      <caption class="hidden-text">${msg('Annotations')}</caption>
      <tbody>
        ${rows.map(([name, value]) => (value === undefined ? nothing : html`<tr><th scope="row">${name}</th><td>${value === '' ? msg('(empty)') : value}</td></tr>`))}
      </tbody>
    </table>
    <details><summary>${msg('Full event')}</summary><pre tabindex="0">${JSON.stringify(event, null, 2)}</pre></details>
  `;
}

function nameOf(user: Json | undefined): Json | undefined {
  return isJsonObject(user) ? user['username'] : undefined;
}
