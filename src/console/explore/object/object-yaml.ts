import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type ApiResource, formatGroupVersion, readYaml } from '../../../kubectl/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import { defineElements } from '../../define-elements.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { createClient, errorText } from '../api.ts';
import { type Draft, draftKey, isDraft } from '../drafts.ts';
import type { CodeEditor, FieldCause } from '../editor/code-editor.ts';
import type { ServerKnowledge } from '../editor/completion.ts';
import { objectPath } from '../object-path.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { typesOf } from '../resource-types.ts';
import { type Change, diffObjects, pathText } from '../save/changes.ts';
import { MergeDialog } from '../save/merge-dialog.ts';
import { isConflict, mergeTexts } from '../save/merge-texts.ts';
import { ReviewDialog } from '../save/review-dialog.ts';
import { changedManagers } from './managed-fields.ts';
import { revisionOf } from './object-informer.ts';
import { omitManagedFields, omitServerFields } from './omit-fields.ts';

/** The object and text at the start of editing. */
type Base = Draft;

/**
 * The YAML editor of an object. Changes on the server never overwrite the draft: they are reported, and merged on request or
 * after a save conflict. The draft is stored until it is saved or discarded, also across reloads.
 */
export class ObjectYaml extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    type: { attribute: false },
    place: { attribute: false },
    object: { attribute: false },
    deleted: { attribute: false },
    mayUpdate: { attribute: false },
    print: { attribute: false },
    ready: { state: true },
    base: { state: true },
    dirty: { state: true },
    managed: { state: true },
    message: { state: true },
    failure: { state: true },
    dialogOpen: { state: true },
  };
  declare model: ConsoleModel;
  declare type: ApiResource;
  declare place: ExplorePlace;
  declare object: JsonObject;
  declare deleted: boolean;
  declare mayUpdate: boolean;
  declare print: ((value: Json) => string) | undefined;
  /** Whether the editor and the stored draft are loaded. */
  declare ready: boolean;
  declare base: Base | undefined;
  declare dirty: boolean;
  /** Whether managedFields are shown. */
  declare managed: boolean;
  declare message: string;
  declare failure: string;
  /** Whether a dialog is open. */
  declare dialogOpen: boolean;
  #draft: Base | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: grid;
        grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr);
        min-height: 0;
        height: 100%;
      }
      .tools,
      .news {
        display: flex;
        flex-wrap: wrap;
        gap: 0.375rem 0.75rem;
        align-items: center;
        padding: 0.375rem 0.75rem;
        border-block-end: 1px solid var(--line);
      }
      .news {
        background: var(--warn-soft);
        color: var(--warn);
      }
      .news.failure {
        background: var(--bad-soft);
        color: var(--bad);
      }
      .news:empty {
        display: none;
      }
      .status {
        flex: 1;
        color: var(--muted);
        font-size: var(--small-size);
      }
      label {
        display: inline-flex;
        gap: 0.375rem;
        align-items: center;
        min-height: 1.75rem;
      }
      input[type='checkbox'] {
        width: 1.125rem;
        height: 1.125rem;
        accent-color: var(--accent);
      }
      tp-code-editor {
        grid-row: 3;
      }
    `,
  ];

  constructor() {
    super();
    this.ready = false;
    this.dirty = false;
    this.managed = false;
    this.message = '';
    this.failure = '';
    this.dialogOpen = false;
  }

  override firstUpdated(): void {
    void Promise.all([import('../editor/code-editor.ts'), this.model.store.get(draftKey(this.place))]).then(([{ CodeEditor }, draft]) => {
      defineElements({ 'tp-code-editor': CodeEditor });
      if (isDraft(draft)) this.#draft = draft;
      this.ready = true;
    });
  }

  /** Updates the text with the object while there are no edits. */
  override willUpdate(): void {
    if (this.print === undefined || !this.ready) return;
    if (this.base === undefined && this.#draft !== undefined) {
      const { object } = this.#draft;
      this.base = { object, text: this.#textOf(object) };
      this.dirty = true;
      this.message = msg('Your unsaved text was restored.');
    } else if (!this.dirty && isNewer(this.object, this.base?.object)) this.base = { object: this.object, text: this.#textOf(this.object) };
  }

  override render(): TemplateResult {
    const { base } = this;
    const { name } = this.place;
    if (base === undefined) return html`<p class="tools" role="status">${msg('Opening the editor…')}</p>`;
    return html`
      <div class="tools">
        <button class="button primary" ?disabled=${!this.dirty || this.deleted || !this.mayUpdate} @click=${this.#review}>${msg('Review and save')}</button>
        <button class="button" ?disabled=${!this.dirty} @click=${this.#discard}>${msg('Discard changes')}</button>
        <span class="status" role="status">${this.dirty ? this.message || msg('changed, not saved') : this.message}</span>
        <label><input type="checkbox" .checked=${this.managed} @change=${this.#toggleManaged} /> <code>managedFields</code></label>
      </div>
      ${this.#updateNotice(base)}
      <tp-code-editor .knowledge=${this.#knowledge} label=${msg(str`YAML of ${name}`)} ?locked=${this.deleted || !this.mayUpdate} ?inert=${this.dialogOpen} @edited=${this.#edited}></tp-code-editor>
    `;
  }

  override updated(changed: Map<string, unknown>): void {
    const { base, editor } = this;
    if (base === undefined || editor === null) return;
    if (this.#draft !== undefined) {
      editor.text = this.#draft.text;
      this.#draft = undefined;
    } else if (changed.has('base') && !this.dirty) editor.text = base.text;
    const isFirst = changed.has('base') && changed.get('base') === undefined;
    if (this.place.query['edit'] !== undefined && isFirst) void editor.updateComplete.then(() => editor.focus());
  }

  get editor(): CodeEditor | null {
    return this.renderRoot.querySelector<CodeEditor>('tp-code-editor');
  }

  get #knowledge(): ServerKnowledge {
    const types = typesOf(this.model);
    return { schemas: types.schemas, types: () => types.types };
  }

  #updateNotice(base: Base): TemplateResult | typeof nothing {
    if (this.failure !== '') return html`<div class="news failure" role="alert">${this.failure}</div>`;
    if (!this.dirty) return nothing;
    if (this.deleted)
      return html`<div class="news" role="status">${msg('The object was deleted. Your changes are not lost; you can create a copy from the console.')}</div>`;
    const changes = diffObjects(omitServerFields(base.object), omitServerFields(this.object));
    if (changes.length === 0) return nothing;
    return html`
      <div class="news" role="status">
        <span>${changeText(base.object, this.object, changes)}</span>
        <a class="button" href=${linkToPlace({ ...this.place, query: { tab: 'diff', left: revisionOf(base.object), right: 'now' } })}>${msg('Show')}</a>
        <button class="button" @click=${this.#merge}>${msg('Merge')}</button>
      </div>
    `;
  }

  #textOf(object: JsonObject): string {
    return this.print?.(this.managed ? object : omitManagedFields(object)) ?? '';
  }

  readonly #edited = ({ detail: text }: CustomEvent<string>): void => {
    const { base } = this;
    if (base === undefined) return;
    this.dirty = text !== base.text;
    this.message = '';
    this.failure = '';
    void this.#saveDraft(text).then(() => {
      if (this.dirty && this.editor?.text === text) this.message = msg('changed, not saved; draft stored in this browser');
    });
  };

  async #saveDraft(text: string): Promise<void> {
    const { base } = this;
    if (this.dirty && base !== undefined) await this.model.store.set(draftKey(this.place), { object: base.object, text });
    else await this.model.store.delete(draftKey(this.place));
  }

  /** Replaces the base of the draft. */
  #rebase(object: JsonObject, text: string): void {
    const { editor } = this;
    this.base = { object, text: this.#textOf(object) };
    if (editor !== null) editor.text = text;
    this.dirty = text !== this.base.text;
    void this.#saveDraft(text);
  }

  readonly #discard = (): void => this.#rebase(this.object, this.#textOf(this.object));

  readonly #toggleManaged = (): void => {
    const { base, editor } = this;
    if (base === undefined || editor === null) return;
    this.managed = !this.managed;
    const parts = mergeTexts(base.text, editor.text, this.#textOf(base.object));
    this.#rebase(base.object, parts.map((part) => (isConflict(part) ? part.mine : part)).join(''));
  };

  readonly #merge = (): void => {
    const { base, editor, object } = this;
    if (base === undefined || editor === null) return;
    const parts = mergeTexts(base.text, editor.text, this.#textOf(object));
    const revision = revisionOf(object);
    const merged = (text: string): void => {
      this.#rebase(object, text);
      this.message = msg(str`Merged with revision ${revision}.`);
    };
    if (!parts.some(isConflict)) {
      merged(parts.join(''));
      return;
    }
    const dialog = new MergeDialog();
    Object.assign(dialog, { parts, revision });
    dialog.addEventListener('merged', (event) => merged((event as CustomEvent<string>).detail));
    this.#openDialog(dialog);
  };

  readonly #review = async (): Promise<void> => {
    const { base, editor, print } = this;
    if (base === undefined || editor === null || print === undefined) return;
    try {
      const mine = await readObject(editor.text);
      const { schemas } = typesOf(this.model);
      const schema = await schemas.findSchema(formatGroupVersion(this.type), this.type.kind).catch(() => undefined);
      const dialog = new ReviewDialog();
      const saving = { type: this.type, place: this.place, base: base.object, mine, live: this.object, schema };
      Object.assign(dialog, { model: this.model, print, saving });
      dialog.addEventListener('saved', (event) => this.#saved((event as CustomEvent<JsonObject>).detail));
      dialog.addEventListener('refused', (event) => editor.markCauses((event as CustomEvent<readonly FieldCause[]>).detail));
      dialog.addEventListener('outdated', () => void this.#outdated());
      this.#openDialog(dialog);
    } catch (error) {
      this.failure = errorText(error);
    }
  };

  #openDialog(dialog: HTMLElement): void {
    this.dialogOpen = true;
    dialog.addEventListener('left', () => {
      this.dialogOpen = false;
    });
    this.renderRoot.append(dialog);
  }

  #saved(object: JsonObject): void {
    const uid = (one: JsonObject): unknown => (isJsonObject(one['metadata']) ? one['metadata']['uid'] : undefined);
    if (uid(object) !== uid(this.object)) {
      const { name, namespace } = object['metadata'] as { name: string; namespace?: string };
      this.#discard();
      location.hash = linkToPlace({ ...this.place, name, namespace: namespace ?? '' });
      return;
    }
    this.#rebase(object, this.#textOf(object));
    const revision = revisionOf(object);
    this.message = msg(str`Saved as revision ${revision}.`);
    void this.updateComplete.then(() => this.editor?.focus());
  }

  /** After a save conflict, merges the current object into the draft. */
  async #outdated(): Promise<void> {
    try {
      this.object = await createClient(this.model).read('GET', objectPath(this.place));
      this.#merge();
    } catch (error) {
      this.failure = errorText(error);
    }
  }
}

/** Parses the only document of a text. @throws Error with the parser's message */
async function readObject(text: string): Promise<JsonObject> {
  const documents = text.split(/^---[ \t]*$/m).filter((one) => one.replace(/#.*$/gm, '').trim() !== '');
  if (documents.length > 1)
    throw new Error(msg('The editor saves one object. Create the documents after --- in the console with kubectl apply -f.'));
  const value = await readYaml(documents[0] ?? '');
  if (!isJsonObject(value)) throw new Error(msg('This is not an object.'));
  return value;
}

/** The saved object may be newer than the latest watch event. */
function isNewer(object: JsonObject, than: JsonObject | undefined): boolean {
  return than === undefined || (object !== than && Number(revisionOf(object)) >= Number(revisionOf(than)));
}

/** Describes a change on the server by its first fields. */
function changeText(base: JsonObject, object: JsonObject, changes: readonly Change[]): string {
  const [revision, manager] = [revisionOf(object), changedManagers(base, object) || msg('someone', { desc: 'an unknown user' })];
  const named = changes.slice(0, 3);
  const fields = named.map(({ path }) => pathText(path)).join(', ');
  const more = changes.length - named.length;
  return more === 0
    ? msg(str`Changed to rev ${revision} by ${manager}: ${fields}`)
    : msg(str`Changed to rev ${revision} by ${manager}: ${fields} and ${more} more`);
}
