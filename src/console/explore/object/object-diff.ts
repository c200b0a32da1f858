import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { isJsonObject, type Json, type JsonObject } from '../../../meta/index.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { diffStyles, diffView } from '../../views/diff-view.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { revisionOf, type Version } from './followed-object.ts';
import { withoutNoise } from './noise.ts';
import { panelStyles } from './panel-styles.ts';

/** Any two states of an object. Which ones stands in the address. */
export class ObjectDiff extends LitElement {
  static override properties: PropertyDeclarations = {
    versions: { attribute: false },
    object: { attribute: false },
    place: { attribute: false },
    print: { attribute: false },
  };
  declare versions: readonly Version[];
  declare object: JsonObject;
  declare place: ExplorePlace;
  declare print: ((value: Json) => string) | undefined;

  static override styles: CSSResultGroup = [sharedStyles, panelStyles, diffStyles];

  override render(): TemplateResult {
    const states = this.#states();
    const { left = this.#before(), right = 'now', noise } = this.place.query;
    const [before, after] = [states.get(left), states.get(right)];
    return html`
      <div class="tools">
        ${this.#choice('left', 'From', left, states)} ${this.#choice('right', 'to', right, states)}
        <label>
          <input type="checkbox" .checked=${noise !== undefined} @change=${() => this.#set('noise', noise === undefined ? '1' : '')} />
          generation, resourceVersion and managedFields too
        </label>
      </div>
      ${before === undefined || after === undefined ? html`<p class="note" role="status">This state is not known here.</p>` : this.#diff(before, after, noise !== undefined)}
      ${states.has('last-applied') ? nothing : html`<p class="note">It was never applied by kubectl's client side, so there is no last-applied state.</p>`}
    `;
  }

  #diff(before: JsonObject, after: JsonObject, noise: boolean): TemplateResult {
    const { print } = this;
    if (print === undefined) return html`<p role="status">Loading…</p>`;
    const text = (object: JsonObject): string => print(noise ? object : withoutNoise(object));
    return diffView(text(before), text(after), `Changes of ${this.place.name}`);
  }

  #states(): ReadonlyMap<string, JsonObject> {
    const states = new Map<string, JsonObject>([['now', this.object]]);
    const applied = lastApplied(this.object);
    if (applied !== undefined) states.set('last-applied', applied);
    for (const { revision, object } of [...this.versions].reverse()) states.set(revision, object);
    return states;
  }

  /** The state before the newest one. */
  #before(): string {
    const now = revisionOf(this.object);
    return this.versions.filter(({ revision }) => revision !== now).at(-1)?.revision ?? 'now';
  }

  #choice(name: string, label: string, chosen: string, states: ReadonlyMap<string, JsonObject>): TemplateResult {
    return html`
      <label>
        ${label}
        <select @change=${(event: Event) => this.#set(name, (event.target as HTMLSelectElement).value)}>
          ${[...states.keys()].map((key) => html`<option value=${key} ?selected=${key === chosen}>${/^\d/.test(key) ? `revision ${key}` : key}</option>`)}
        </select>
      </label>
    `;
  }

  #set(name: string, value: string): void {
    const { [name]: _, ...rest } = this.place.query;
    location.hash = linkToPlace({ ...this.place, query: value === '' ? rest : { ...rest, [name]: value } });
  }
}

function lastApplied({ metadata }: JsonObject): JsonObject | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const [, text] =
    (isJsonObject(annotations) && Object.entries(annotations).find(([name]) => name.endsWith('/last-applied-configuration'))) || [];
  if (typeof text !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Somebody wrote it by hand.
    return undefined;
  }
}
