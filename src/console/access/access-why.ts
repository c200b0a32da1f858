import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { failureText } from '../explore/api.ts';
import { panelStyles } from '../explore/object/panel-styles.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { sharedStyles } from '../shared-styles.ts';
import { accessStyles } from './access-styles.ts';
import { fixCommands, type NearRule, nearestRules } from './nearest-rules.ts';
import { type Asker, type Attempt, isMeant, type Rbac, waysOf } from './rbac.ts';
import { askServer, type Decision } from './reviews.ts';
import { type Way, waysTable } from './ways-table.ts';

/** One decision, by the server's own word, with the rules behind it, or those that nearly allow and what would. */
export class AccessWhy extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    rbac: { attribute: false },
    asker: { attribute: false },
    mine: { attribute: false },
    unread: { attribute: false },
    attempt: { attribute: false },
    decision: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare rbac: Rbac;
  declare asker: Asker;
  /** Whether one asks of oneself. */
  declare mine: boolean;
  /** Why the roles and bindings cannot be read; empty when they can. */
  declare unread: string;
  declare attempt: Attempt;
  declare decision: Decision | undefined;
  declare failure: string;
  #asked = '';

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    accessStyles,
    css`
      :host {
        padding: 0;
      }
    `,
  ];

  constructor() {
    super();
    this.failure = '';
  }

  override willUpdate(): void {
    const asked = JSON.stringify([this.asker, this.attempt, this.rbac.bindings.length, this.rbac.roles.length]);
    if (asked === this.#asked || this.asker.user === '') return;
    this.#asked = asked;
    this.decision = undefined;
    this.failure = '';
    void askServer(this.model, this.mine ? undefined : this.asker, this.attempt).then(
      (decision) => {
        if (asked === this.#asked) this.decision = decision;
      },
      (error: unknown) => {
        if (asked === this.#asked) this.failure = failureText(error);
      },
    );
  }

  override render(): TemplateResult {
    const { decision, failure } = this;
    if (failure !== '') return html`<p class="failure" role="alert">${failure}</p>`;
    if (decision === undefined) return html`<p class="note" role="status">${msg('Asking the server…')}</p>`;
    const { allowed, reason } = decision;
    const { unread } = this;
    return html`
      <p class="verdict" role="status">
        <span class="chip ${allowed ? 'good' : 'bad'}">${allowed ? msg('✓ allowed') : msg('✕ not allowed')}</span>
        <span>${this.#answer(allowed)}</span>
      </p>
      ${reason === '' ? nothing : html`<p class="note">${msg(str`The server says: ${reason}`)}</p>`} 
      ${unread !== '' ? html`<p class="note">${msg(str`By which rules cannot be told here: ${unread}`)}</p>` : allowed ? this.#ways() : this.#nearest()}
      ${allowed ? nothing : this.#fix()}
    `;
  }

  #answer(allowed: boolean): string {
    const { user } = this.asker;
    const { verb, resource, subresource, namespace, name } = this.attempt;
    const what = `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}${name === '' ? '' : ` ${name}`}`;
    if (namespace === '') return allowed ? msg(str`${user} may ${what}`) : msg(str`${user} may not ${what}`);
    return allowed ? msg(str`${user} may ${what} in ${namespace}`) : msg(str`${user} may not ${what} in ${namespace}`);
  }

  #ways(): TemplateResult {
    const ways = waysOf(this.rbac, this.asker, this.attempt).flatMap((path) =>
      path.binding.subjects.filter((subject) => isMeant(subject, this.asker)).map((subject): Way => ({ subject, path })),
    );
    if (ways.length === 0) return html`<p class="note">${msg('No role says so; the server has it from elsewhere.')}</p>`;
    return html`<h3>${msg('By these rules')}</h3>${waysTable(ways, this.model.product)}`;
  }

  #nearest(): TemplateResult {
    const near = nearestRules(this.rbac, this.asker, this.attempt);
    const { user } = this.asker;
    return html`
      <h3>${msg('The nearest rules')}</h3>
      ${
        near.length === 0
          ? html`<p class="note">${msg(str`None of the rules of ${user} comes near.`)}</p>`
          : html`<ul>
              ${near.map(nearRule)}
            </ul>`
      }
    `;
  }

  #fix(): TemplateResult {
    const commands = fixCommands(this.asker, this.attempt);
    return html`
      <h3>${msg('What would allow it')}</h3>
      <pre>${commands}</pre>
      <button class="button" @click=${() => this.model.onInsert(commands)}>${msg('Put it into the console', { desc: 'a command' })}</button>
    `;
  }
}

function nearRule({ rule, role, binding, lacks }: NearRule): TemplateResult {
  const allows = `${rule.verbs.join(', ')} · ${rule.resources.join(', ')}`;
  const [first, second] = lacks;
  const lacked = second === undefined ? first : msg(str`${first} and ${second}`, { desc: 'what a rule lacks' });
  return html`<li>
    ${msg(html`<span class="mono">${allows}</span> of ${role}, by ${binding}: lacks ${lacked}`)}
  </li>`;
}
