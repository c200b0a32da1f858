import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type AuditLog, createAuditLog } from '../../client/index.ts';
import { errorMessage } from '../../env/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { downloadFile } from '../model/download-file.ts';
import { sharedStyles } from '../shared-styles.ts';
import { clustersStyles } from './clusters-styles.ts';

/** The audit policy of the open cluster, and its events as a file. Empty for a remote server. */
export class AuditSettings extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    policy: { state: true },
    message: { state: true },
    bad: { state: true },
  };
  declare model: ConsoleModel;
  /** The active policy; undefined when unknown. */
  declare policy: string | undefined;
  declare message: string;
  declare bad: boolean;

  static override styles: CSSResultGroup = [sharedStyles, clustersStyles];

  constructor() {
    super();
    this.policy = undefined;
    this.message = '';
    this.bad = false;
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (changed.has('model')) void this.#read();
  }

  get #log(): AuditLog {
    return createAuditLog((request) => this.model.connection.api(request));
  }

  override render(): TemplateResult | typeof nothing {
    const { policy } = this;
    const { name } = this.model.workspace;
    if (policy === undefined) return nothing;
    return html`
      <section aria-labelledby="audit">
        <h2 id="audit">${msg(str`Audit of ${name}`)}</h2>
        <p>${policy === '' ? msg('Auditing is off.') : msg('The policy selects the recorded requests and their level of detail.')} ${msg('Audit events are held in memory and shown under Requests.')}</p>
        <textarea
          rows="8"
          spellcheck="false"
          class="mono"
          aria-label=${msg('Audit policy')}
          aria-invalid=${this.message !== '' && this.bad ? 'true' : 'false'}
          aria-describedby="status"
          .value=${policy}
        ></textarea>
        <div class="buttons">
          <button class="button primary" @click=${() => this.#set(this.#area?.value, msg('The policy is active.'))}>${msg('Use this policy')}</button>
          <button class="button" @click=${() => this.#set(undefined, msg('The default policy is active.'))}>${msg('Reset to default')}</button>
          <button class="button" ?disabled=${policy === ''} @click=${() => this.#set('', msg('Auditing is off.'))}>${msg('Turn off', { desc: 'stops the audit' })}</button>
          <button class="button" @click=${this.#download}>${msg('Download events')}</button>
        </div>
        <div id="status" class=${this.message === '' ? '' : this.bad ? 'notice bad' : 'notice'} role="status">${this.message}</div>
      </section>
    `;
  }

  get #area(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  async #read(): Promise<void> {
    this.message = '';
    try {
      this.policy = await this.#log.policy();
    } catch {
      // A remote server has flags for this.
      this.policy = undefined;
    }
  }

  async #set(text: string | undefined, done: string): Promise<void> {
    try {
      this.policy = await this.#log.setPolicy(text);
      // Also resets an edited text when the policy is unchanged.
      if (this.#area) this.#area.value = this.policy;
      this.message = done;
      this.bad = false;
    } catch (error) {
      this.message = errorMessage(error);
      this.bad = true;
    }
  }

  readonly #download = async (): Promise<void> => {
    downloadFile(`${this.model.workspace.name}.audit.log`, await this.#log.lines(), 'application/x-ndjson');
  };
}
