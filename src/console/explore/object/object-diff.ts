import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { metadataOf, readYaml } from '../../../kubectl/index.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { diffStyles, diffView } from '../../views/diff-view.ts';
import { errorText } from '../api.ts';
import { draftKey, isDraft } from '../drafts.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { type ObjectVersion, revisionOf } from './object-informer.ts';
import { omitServerMetadata, omitVolatileFields } from './omit-fields.ts';
import { listClusters, listNames, qualifiedName, readOtherObject } from './other-objects.ts';
import { panelStyles } from './panel-styles.ts';

/** The states of another object or cluster, and of the editor's draft. */
const otherObject = 'other';
const editorText = 'typed';

/** Compares two states, named in the route: revisions, the last-applied one, the draft, or another object of any cluster. */
export class ObjectDiff extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    versions: { attribute: false },
    object: { attribute: false },
    place: { attribute: false },
    print: { attribute: false },
    draft: { state: true },
    read: { state: true },
    clusters: { state: true },
    names: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare versions: readonly ObjectVersion[];
  declare object: JsonObject;
  declare place: ExplorePlace;
  declare print: ((value: Json) => string) | undefined;
  /** The draft, if it is an object. */
  declare draft: JsonObject | undefined;
  /** The other object. */
  declare read: JsonObject | undefined;
  declare clusters: readonly (readonly [id: string, name: string])[];
  declare names: readonly string[];
  declare failure: string;
  #otherKey = '';

  static override styles: CSSResultGroup = [sharedStyles, panelStyles, diffStyles];

  constructor() {
    super();
    this.clusters = [];
    this.names = [];
    this.failure = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#readDraft());
  }

  override willUpdate(): void {
    if (!this.#chosen.includes(otherObject)) return;
    const otherKey = JSON.stringify([this.#cluster, this.#of]);
    if (otherKey === this.#otherKey) return;
    this.#otherKey = otherKey;
    this.read = undefined;
    this.failure = '';
    void this.#readOther(otherKey);
  }

  override render(): TemplateResult {
    const states = this.#states();
    const [left, right] = this.#chosen;
    const [before, after] = [states.get(left), states.get(right)];
    const noise = this.place.query['noise'] !== undefined;
    return html`
      <div class="tools">
        ${this.#choice('left', msg('From', { desc: 'the older state of two' }), left, states)} ${this.#choice('right', msg('To', { desc: 'the newer state of two' }), right, states)}
        ${this.#chosen.includes(otherObject) ? this.#otherFields() : nothing}
        <label>
          <input type="checkbox" .checked=${noise} @change=${() => this.#set('noise', noise ? '' : '1')} />
          ${msg('include generation, resourceVersion and managedFields')}
        </label>
      </div>
      ${this.failure === '' ? nothing : html`<p class="note" role="alert">${this.failure}</p>`}
      ${before === undefined || after === undefined ? this.#unavailable() : this.#diff(before, after, noise)}
      ${states.has('last-applied') ? nothing : html`<p class="note">${msg('It was never applied with client-side kubectl apply, so there is no last-applied state.')}</p>`}
    `;
  }

  get #chosen(): readonly [left: string, right: string] {
    const { left = this.#before(), right = 'now' } = this.place.query;
    return [left, right];
  }

  /** `cluster` in the address is that of the screen. */
  get #cluster(): string {
    return this.place.query['in'] ?? this.model.workspace.id;
  }

  /** The name of the other object. Default: the same name. */
  get #of(): string {
    return this.place.query['of'] ?? qualifiedName(this.place);
  }

  #unavailable(): TemplateResult | typeof nothing {
    if (this.failure !== '') return nothing;
    const loading = this.#chosen.includes(otherObject) && this.read === undefined;
    return html`<p class="note" role="status">${loading ? msg('Loading…') : msg('This state is not available.')}</p>`;
  }

  /** Omits server metadata, which always differs between two objects. */
  #diff(before: JsonObject, after: JsonObject, noise: boolean): TemplateResult {
    const { print } = this;
    const { name } = this.place;
    if (print === undefined) return html`<p role="status">${msg('Loading…')}</p>`;
    const plain = this.#chosen.includes(otherObject) ? omitServerMetadata : omitVolatileFields;
    const text = (object: JsonObject): string => print(noise ? object : plain(object));
    return diffView(text(before), text(after), msg(str`Changes of ${name}`));
  }

  #states(): ReadonlyMap<string, JsonObject | undefined> {
    const states = new Map<string, JsonObject | undefined>([['now', this.object]]);
    const applied = parseLastApplied(this.object);
    if (applied !== undefined) states.set('last-applied', applied);
    if (this.draft !== undefined) states.set(editorText, this.draft);
    states.set(otherObject, this.read);
    for (const { revision, object } of [...this.versions].reverse()) states.set(revision, object);
    return states;
  }

  /** The version before the latest one. */
  #before(): string {
    const now = revisionOf(this.object);
    return this.versions.filter(({ revision }) => revision !== now).at(-1)?.revision ?? 'now';
  }

  #choice(name: string, label: string, chosen: string, states: ReadonlyMap<string, unknown>): TemplateResult {
    return html`
      <label>
        ${label}
        <select aria-label=${label} @change=${(event: Event) => this.#set(name, (event.target as HTMLSelectElement).value)}>
          ${[...states.keys()].map((key) => html`<option value=${key} ?selected=${key === chosen}>${stateText(key)}</option>`)}
        </select>
      </label>
    `;
  }

  #otherFields(): TemplateResult {
    const changed =
      (name: string) =>
      (event: Event): void =>
        this.#set(name, (event.target as HTMLInputElement).value.trim());
    return html`
      <label>
        ${msg('object', { desc: 'before its name' })}
        <input list="names" .value=${this.#of} autocomplete="off" spellcheck="false" @change=${changed('of')} />
      </label>
      <datalist id="names">${this.names.map((name) => html`<option value=${name}></option>`)}</datalist>
      <label>
        ${msg('of', { desc: 'between an object and its cluster' })}
        <select aria-label=${msg('Cluster')} @change=${(event: Event) => this.#set('in', (event.target as HTMLSelectElement).value, true)}>
          ${this.clusters.map(([id, name]) => html`<option translate="no" value=${id} ?selected=${id === this.#cluster}>${name}</option>`)}
        </select>
      </label>
    `;
  }

  #set(name: string, value: string, evenEmpty = false): void {
    const { [name]: _, ...rest } = this.place.query;
    location.hash = linkToPlace({ ...this.place, query: value === '' && !evenEmpty ? rest : { ...rest, [name]: value } });
  }

  async #readOther(otherKey: string): Promise<void> {
    const { model, place } = this;
    const [cluster, of] = [this.#cluster, this.#of];
    this.clusters = await listClusters(model);
    try {
      const read = await readOtherObject(model, place, cluster, of);
      if (otherKey === this.#otherKey) this.read = read;
    } catch (error) {
      if (otherKey === this.#otherKey) this.failure = errorText(error);
    }
    // Without permission to list, the name can still be typed.
    this.names = await listNames(model, place, cluster).catch(() => []);
  }

  async #readDraft(): Promise<void> {
    const draft = await this.model.store.get(draftKey(this.place));
    if (!isDraft(draft)) return;
    try {
      const value = await readYaml(draft.text);
      if (isJsonObject(value)) this.draft = { ...value, metadata: copyManagedFields(metadataOf(value), this.object) };
    } catch (error) {
      const cause = errorText(error);
      this.failure = msg(str`The text in the editor cannot be compared: ${cause}`);
    }
  }
}

/** The display text of a state. */
function stateText(state: string): string {
  if (state === otherObject) return msg('another object…');
  if (state === editorText) return msg('text in the editor');
  if (state === 'now') return msg('now', { desc: 'the state that an object has now' });
  return /^\d/.test(state) ? msg(str`revision ${state}`) : state;
}

/** The editor hides managedFields. */
function copyManagedFields(metadata: JsonObject, object: JsonObject): JsonObject {
  const { managedFields } = metadataOf(object);
  return managedFields === undefined || 'managedFields' in metadata ? metadata : { ...metadata, managedFields };
}

function parseLastApplied({ metadata }: JsonObject): JsonObject | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const [, text] =
    (isJsonObject(annotations) && Object.entries(annotations).find(([name]) => name.endsWith('/last-applied-configuration'))) || [];
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // A user may have written an invalid value.
    return undefined;
  }
}
