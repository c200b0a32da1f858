import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type Json, type JsonObject, StatusError } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { diffStyles, diffView } from '../../views/diff-view.ts';
import { createClient, errorText, fieldManager } from '../api.ts';
import { dialogStyles } from '../dialog-styles.ts';
import type { FieldCause } from '../editor/code-editor.ts';
import { fieldOwners, managersOf, pathKey } from '../object/managed-fields.ts';
import { omitServerFields, omitVolatileFields } from '../object/omit-fields.ts';
import { findRetainedRemovals } from './apply-configuration.ts';
import { type Change, diffObjects, pathText } from './changes.ts';
import { ResultDialog } from './result-dialog.ts';
import { createSaveRequest, isRenamed, type SaveContext, type SaveRequest, type Strategy, strategies } from './strategies.ts';

/** The result of a dry run: the object or the error. */
interface SaveResult {
  readonly object?: JsonObject;
  readonly error?: unknown;
  readonly warnings: readonly string[];
}

/**
 * Reviews a save: changes, dry run, warnings and field owners. Nothing is written before the user confirms.
 * Fires `saved` with the object, `outdated` after a conflict, and `refused` with the errors of fields when the user continues to edit.
 */
export class ReviewDialog extends ResultDialog {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    saving: { attribute: false },
    print: { attribute: false },
    strategy: { state: true },
    force: { state: true },
    answer: { state: true },
    busy: { state: true },
  };
  declare model: ConsoleModel;
  declare saving: Omit<SaveContext, 'force'>;
  declare print: (value: Json) => string;
  declare strategy: Strategy;
  declare force: boolean;
  declare answer: SaveResult | undefined;
  declare busy: boolean;
  #dryRunId = 0;

  static override styles: CSSResultGroup = [
    sharedStyles,
    dialogStyles,
    diffStyles,
    css`
      dialog {
        width: min(64rem, calc(100vw - 1rem));
      }
      h3 {
        margin: 0.875rem 0 0.375rem;
        font-size: 0.8125rem;
      }
      fieldset {
        display: grid;
        gap: 0.125rem;
        margin: 0;
        padding: 0;
        border: 0;
      }
      label {
        display: flex;
        gap: 0.5rem;
        align-items: center;
        min-height: 1.625rem;
      }
      input {
        flex: none;
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
      .diff {
        max-height: 32vh;
        margin-block-end: 0.5rem;
      }
      ul {
        margin: 0;
        padding-inline-start: 1.125rem;
      }
      .warning {
        padding: 0.375rem 0.75rem;
        border-radius: var(--radius-small);
        background: var(--warn-soft);
        color: var(--warn);
      }
    `,
  ];

  constructor() {
    super();
    this.strategy = 'patch';
    this.force = false;
    this.busy = false;
  }

  override firstUpdated(): void {
    this.renderRoot.querySelector('dialog')?.showModal();
    if (isRenamed(this.saving)) this.strategy = 'create';
    void this.#dryRun();
  }

  override render(): TemplateResult {
    const { base, mine, place } = this.saving;
    const { name } = place;
    const changes = this.#changes;
    const nothingToSave = changes.length === 0 && this.strategy !== 'create';
    return html`
      <dialog aria-labelledby="title" @close=${this.leave}>
        <h2 id="title">${msg(str`Save ${name}?`)}</h2>
        ${diffView(this.print(omitServerFields(base)), this.print(omitServerFields(mine)), msg('Your changes'))}
        ${this.#owners(changes)}
        <h3 id="how">${msg('How to save')}</h3>
        <fieldset aria-labelledby="how">${strategies().map((one) => this.#strategy(one))}</fieldset>
        ${this.#force()}
        <div role="status">${nothingToSave ? html`<p class="note">${msg('No changes to save.')}</p>` : this.#preview()}</div>
        <div class="buttons">
          <button class="button" @click=${this.#continueEditing}>${msg('Keep editing')}</button>
          <button class="button primary" ?disabled=${nothingToSave || this.busy || this.answer?.object === undefined} @click=${this.#save}>${msg('Save')}</button>
        </div>
      </dialog>
    `;
  }

  get #changes(): readonly Change[] {
    const { base, mine } = this.saving;
    return diffObjects(omitServerFields(base), omitServerFields(mine));
  }

  #strategy([strategy, name, about]: readonly [Strategy, string, string]): TemplateResult {
    const another = isRenamed(this.saving);
    const choose = (): void => {
      this.strategy = strategy;
      void this.#dryRun();
    };
    return html`
      <label>
        <input type="radio" name="strategy" .checked=${strategy === this.strategy} ?disabled=${another && strategy !== 'create'} @change=${choose} />
        <span>${name} <span class="note">${about}</span></span>
      </label>
    `;
  }

  /** The owners of the changed fields, and the fields that apply does not remove. */
  #owners(changes: readonly Change[]): TemplateResult | typeof nothing {
    const { live } = this.saving;
    const managers = managersOf(live);
    const owners = fieldOwners(live, managers);
    const owned = changes.flatMap(({ path }) => {
      const otherOwners = [...new Set((owners.get(pathKey(path)) ?? []).map((at) => managers[at]?.name ?? ''))].filter(
        (name) => name !== fieldManager,
      );
      const [field, names] = [pathText(path), otherOwners.join(', ')];
      return otherOwners.length === 0 ? [] : [html`<li>${msg(html`<code>${field}</code> is owned by ${names}`)}</li>`];
    });
    const staying = this.strategy === 'apply' ? findRetainedRemovals(live, changes, fieldManager) : [];
    return html`
      ${owned.length === 0 ? nothing : html`<h3>${msg('Field owners')}</h3><ul>${owned}</ul>`}
      ${staying.map(({ path }) => {
        const field = pathText(path);
        return html`<p class="warning">${msg(html`Apply does not remove <code>${field}</code> because other managers own it. Use patch or replace to remove it.`)}</p>`;
      })}
    `;
  }

  /** Shown after a conflict, also when the checkbox is cleared again. */
  #force(): TemplateResult | typeof nothing {
    const causes = this.answer?.error instanceof StatusError ? (this.answer.error.details?.causes ?? []) : [];
    const conflict = causes.some(({ reason }) => reason === 'FieldManagerConflict');
    if (this.strategy !== 'apply' || !(conflict || this.force)) return nothing;
    const change = (): void => {
      this.force = !this.force;
      void this.#dryRun();
    };
    return html`
      <label><input type="checkbox" .checked=${this.force} @change=${change} /> ${msg('Force: take ownership of these fields')}</label>
      <p class="note">${msg('Or keep editing: remove the field, or set it to its current value to share ownership.')}</p>
    `;
  }

  #preview(): TemplateResult {
    const { answer } = this;
    if (answer === undefined) return html`<p class="note">${msg('Loading the preview…')}</p>`;
    const warnings = answer.warnings.map((text) => html`<p class="warning">${msg(str`Warning: ${text}`)}</p>`);
    if (answer.object === undefined) return html`${warnings} ${this.#refusal(answer.error)}`;
    const before = this.strategy === 'create' ? '' : this.print(omitVolatileFields(this.saving.live));
    return html`
      ${warnings}
      <h3>${msg('Preview (server dry run)')}</h3>
      ${diffView(before, this.print(omitVolatileFields(answer.object)), msg('Preview (server dry run)'))}
    `;
  }

  #refusal(error: unknown): TemplateResult {
    const causes = fieldCauses(error);
    const failure = errorText(error);
    if (isConflictError(error, this.strategy)) {
      return html`
        <p class="warning">${msg(str`Someone else saved first: ${failure}`)}</p>
        <button class="button" @click=${() => this.close(new CustomEvent('outdated', { detail: failure }))}>${msg('Merge with the current version')}</button>
      `;
    }
    if (causes.length === 0) return html`<div class="failure">${failure}</div>`;
    return html`
      <div class="failure">
        ${failure.replace(/ is invalid: .*$/s, ' is invalid:')}
        <ul>${causes.map(({ field, message }) => html`<li><code>${field}</code> ${message}</li>`)}</ul>
      </div>
      <p class="note">${msg('Keep editing to see these fields marked.')}</p>
    `;
  }

  /** Sends a dry run. Only the result of the latest one is used. */
  async #dryRun(): Promise<void> {
    const dryRunId = ++this.#dryRunId;
    this.answer = undefined;
    const answer = await this.#send(createSaveRequest(this.strategy, { ...this.saving, force: this.force }), true);
    if (dryRunId === this.#dryRunId) this.answer = answer;
  }

  async #send({ method, path, body, contentType, query }: SaveRequest, dry: boolean): Promise<SaveResult> {
    const warnings: string[] = [];
    const client = createClient(this.model, { onWarning: (text) => warnings.push(text), ...(dry ? {} : { screen: 'explore' }) });
    try {
      const object = await client.read(method, path, { body, contentType, query: dry ? { ...query, dryRun: 'All' } : query });
      return { object, warnings };
    } catch (error) {
      return { error, warnings };
    }
  }

  readonly #continueEditing = (): void => {
    const causes = fieldCauses(this.answer?.error);
    this.close(causes.length > 0 ? new CustomEvent('refused', { detail: causes }) : undefined);
  };

  readonly #save = async (): Promise<void> => {
    this.busy = true;
    const answer = await this.#send(createSaveRequest(this.strategy, { ...this.saving, force: this.force }), false);
    this.busy = false;
    if (answer.object !== undefined) this.close(new CustomEvent('saved', { detail: answer.object }));
    else if (isConflictError(answer.error, this.strategy)) this.close(new CustomEvent('outdated', { detail: errorText(answer.error) }));
    else this.answer = answer;
  };
}

/** The errors of single fields in an error of the server. */
function fieldCauses(error: unknown): readonly FieldCause[] {
  const causes = error instanceof StatusError ? (error.details?.causes ?? []) : [];
  return causes.flatMap(({ field, message, reason }) =>
    field === undefined || reason === 'FieldManagerConflict' ? [] : [{ field, message: message ?? '' }],
  );
}

/** Whether the object, or a field tested by the patch, changed in the meantime. */
function isConflictError(error: unknown, strategy: Strategy): boolean {
  if (!(error instanceof StatusError)) return false;
  if (strategy === 'replace') return error.code === 409;
  return strategy === 'patch' && error.code === 422 && /json patch|test/i.test(error.message);
}
