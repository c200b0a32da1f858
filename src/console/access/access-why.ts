import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { errorText } from '../explore/api.ts';
import { panelStyles } from '../explore/object/panel-styles.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { sharedStyles } from '../shared-styles.ts';
import { accessStyles } from './access-styles.ts';
import { grantsTable, type SubjectGrant } from './grants-table.ts';
import { appliesToUser, findUserGrants, type Rbac, type ResourceAttributes, type UserInfo } from './rbac.ts';
import { type Decision, reviewAccess } from './reviews.ts';
import { findSimilarRules, grantCommands, type SimilarRule } from './similar-rules.ts';

/** The result of an access review, with the rules that allow it, or similar rules and commands that would. */
export class AccessWhy extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    rbac: { attribute: false },
    subject: { attribute: false },
    isSelf: { attribute: false },
    readError: { attribute: false },
    resourceAttributes: { attribute: false },
    decision: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare rbac: Rbac;
  declare subject: UserInfo;
  /** Whether the subject is the current user. */
  declare isSelf: boolean;
  /** The error of reading roles and bindings, or empty. */
  declare readError: string;
  declare resourceAttributes: ResourceAttributes;
  declare decision: Decision | undefined;
  declare failure: string;
  #reviewKey = '';

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
    const reviewKey = JSON.stringify([this.subject, this.resourceAttributes, this.rbac.bindings.length, this.rbac.roles.length]);
    if (reviewKey === this.#reviewKey || this.subject.user === '') return;
    this.#reviewKey = reviewKey;
    this.decision = undefined;
    this.failure = '';
    void reviewAccess(this.model, this.isSelf ? undefined : this.subject, this.resourceAttributes).then(
      (decision) => {
        if (reviewKey === this.#reviewKey) this.decision = decision;
      },
      (error: unknown) => {
        if (reviewKey === this.#reviewKey) this.failure = errorText(error);
      },
    );
  }

  override render(): TemplateResult {
    const { decision, failure } = this;
    if (failure !== '') return html`<p class="failure" role="alert">${failure}</p>`;
    if (decision === undefined) return html`<p class="note" role="status">${msg('Loading…')}</p>`;
    const { allowed, reason } = decision;
    const { readError } = this;
    return html`
      <p class="verdict" role="status">
        <span class="chip ${allowed ? 'good' : 'bad'}">${allowed ? msg('✓ allowed') : msg('✕ not allowed')}</span>
        <span>${this.#answer(allowed)}</span>
      </p>
      ${reason === '' ? nothing : html`<p class="note">${msg(str`Reason: ${reason}`)}</p>`} 
      ${readError !== '' ? html`<p class="note">${msg(str`The rules cannot be shown: ${readError}`)}</p>` : allowed ? this.#grants() : this.#similarRules()}
      ${allowed ? nothing : this.#grantCommands()}
    `;
  }

  #answer(allowed: boolean): string {
    const { user } = this.subject;
    const { verb, resource, subresource, namespace, name } = this.resourceAttributes;
    const request = `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`}${name === '' ? '' : ` ${name}`}`;
    if (namespace === '') return allowed ? msg(str`${user} can ${request}`) : msg(str`${user} cannot ${request}`);
    return allowed ? msg(str`${user} can ${request} in ${namespace}`) : msg(str`${user} cannot ${request} in ${namespace}`);
  }

  #grants(): TemplateResult {
    const grants = findUserGrants(this.rbac, this.subject, this.resourceAttributes).flatMap((grant) =>
      grant.binding.subjects.filter((subject) => appliesToUser(subject, this.subject)).map((subject): SubjectGrant => ({ subject, grant })),
    );
    if (grants.length === 0) return html`<p class="note">${msg('No RBAC rule allows this; another authorizer does.')}</p>`;
    return html`<h3>${msg('Allowed by these rules')}</h3>${grantsTable(grants, this.model.product)}`;
  }

  #similarRules(): TemplateResult {
    const near = findSimilarRules(this.rbac, this.subject, this.resourceAttributes);
    const { user } = this.subject;
    return html`
      <h3>${msg('Similar rules')}</h3>
      ${
        near.length === 0
          ? html`<p class="note">${msg(str`${user} has no similar rules.`)}</p>`
          : html`<ul>
              ${near.map(similarRuleView)}
            </ul>`
      }
    `;
  }

  #grantCommands(): TemplateResult {
    const commands = grantCommands(this.subject, this.resourceAttributes);
    return html`
      <h3>${msg('How to allow it')}</h3>
      <pre>${commands}</pre>
      <button class="button" @click=${() => this.model.onInsert(commands)}>${msg('Insert into the console', { desc: 'a command' })}</button>
    `;
  }
}

function similarRuleView({ rule, role, binding, missing }: SimilarRule): TemplateResult {
  const allows = `${rule.verbs.join(', ')} · ${rule.resources.join(', ')}`;
  const [first, second] = missing;
  const missingText = second === undefined ? first : msg(str`${first} and ${second}`, { desc: 'missing parts of a rule' });
  return html`<li>
    ${msg(html`<span class="mono">${allows}</span> of ${role}, by ${binding}: is missing ${missingText}`)}
  </li>`;
}
