import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { ConsoleModel } from '../model/console-model.ts';
import { sharedStyles } from '../shared-styles.ts';
import { createClient, errorText } from './api.ts';
import { dialogStyles } from './dialog-styles.ts';
import { objectPath } from './object-path.ts';
import { deniedText, reviewSelfAccess } from './permissions.ts';
import type { ExplorePlace } from './place.ts';

/** The propagation policies with their descriptions. */
const policies = (): readonly (readonly [policy: string, about: string])[] => [
  ['Background', msg('dependents are deleted afterwards', { desc: 'what is deleted with the object' })],
  ['Foreground', msg('dependents are deleted first', { desc: 'what is deleted with the object' })],
  ['Orphan', msg('dependents are not deleted', { desc: 'what is deleted with the object' })],
];

/** The confirmation dialog of a delete. */
export class DeleteDialog extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    kind: { attribute: false },
    place: { attribute: false },
    refusal: { state: true },
    failure: { state: true },
    policy: { state: true },
  };
  declare model: ConsoleModel;
  declare kind: string;
  declare place: Omit<ExplorePlace, 'query'>;
  declare refusal: string;
  declare failure: string;
  declare policy: string;

  static override styles: CSSResultGroup = [
    sharedStyles,
    dialogStyles,
    css`
      fieldset {
        display: grid;
        gap: 0.25rem;
        margin: 0;
        padding: 0;
        border: 0;
      }
      label {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        min-height: 1.75rem;
      }
      input {
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
    `,
  ];

  constructor() {
    super();
    this.refusal = '';
    this.failure = '';
    this.policy = 'Background';
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
    const attributes = { ...this.place, verb: 'delete' };
    void reviewSelfAccess(this.model, attributes).then(({ allowed }) => {
      if (!allowed) this.refusal = deniedText(this.model.context.user, attributes);
    });
  }

  override render(): TemplateResult {
    return html`
      <dialog aria-labelledby="title" @close=${() => this.remove()}>
        <h2 id="title">${this.#question()}</h2>
        <fieldset aria-label=${msg('Deletion propagation', { desc: 'with an object that is deleted' })}>
          ${policies().map(
            ([policy, about]) => html`
              <label>
                <input
                  type="radio"
                  name="policy"
                  .checked=${policy === this.policy}
                  @change=${() => {
                    this.policy = policy;
                  }}
                />
                <span><span translate="no">${policy}</span> <span class="note">${about}</span></span>
              </label>
            `,
          )}
        </fieldset>
        ${this.refusal === '' ? nothing : html`<p class="note" id="why">${this.refusal}</p>`}
        ${this.failure === '' ? nothing : html`<p class="failure" role="alert">${this.failure}</p>`}
        <div class="buttons">
          <button class="button" autofocus @click=${this.#close}>${msg('Cancel')}</button>
          <button class="button danger" ?disabled=${this.refusal !== ''} aria-describedby=${this.refusal === '' ? nothing : 'why'} @click=${this.#delete}>
            ${msg('Delete')}
          </button>
        </div>
      </dialog>
    `;
  }

  #question(): string {
    const { kind } = this;
    const { name, namespace } = this.place;
    return namespace === '' ? msg(str`Delete ${kind} ${name}?`) : msg(str`Delete ${kind} ${name} in ${namespace}?`);
  }

  readonly #close = (): void => this.renderRoot.querySelector('dialog')?.close();

  readonly #delete = async (): Promise<void> => {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: this.policy };
    try {
      await createClient(this.model, { screen: 'explore' }).text('DELETE', objectPath(this.place), { body });
      this.#close();
    } catch (error) {
      this.failure = errorText(error);
    }
  };
}
