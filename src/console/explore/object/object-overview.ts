import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { formatHumanDuration, isJsonObject, type Json, type JsonObject, objectsAt, recordAt } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { ownersOf } from '../owners.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { typesOf } from '../resource-types.ts';
import { flatFields } from './flat-fields.ts';
import { panelStyles } from './panel-styles.ts';

/** The state of an object first: replicas, conditions, related objects; then its fields, metadata and events. */
export class ObjectOverview extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    object: { attribute: false },
    place: { attribute: false },
  };
  declare model: ConsoleModel;
  declare object: JsonObject;
  declare place: ExplorePlace;

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    css`
      dl {
        display: grid;
        grid-template-columns: fit-content(50%) minmax(0, 1fr);
        margin: 0;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--surface);
        overflow: hidden;
      }
      dt,
      dd {
        min-width: 0;
        margin: 0;
        padding: 0.25rem 0.75rem;
        border-block-end: 1px solid var(--line);
        font-size: 0.8125rem;
        overflow-wrap: anywhere;
      }
      dt {
        color: var(--muted);
      }
      dt:last-of-type,
      dd:last-of-type {
        border-block-end: 0;
      }
      dd {
        font-family: var(--mono);
        font-size: 0.78125rem;
      }
      .replicas {
        display: flex;
        flex-wrap: wrap;
        gap: 0.375rem;
        margin: 0;
      }
      tp-object-related,
      tp-object-events {
        padding: 0;
      }
      tp-object-related {
        margin-block-start: 1.25rem;
      }
      .labels {
        display: flex;
        flex-wrap: wrap;
        gap: 0.25rem;
      }
      .chip {
        height: auto;
        min-height: 1.25rem;
        white-space: normal;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render(): TemplateResult {
    const { object } = this;
    const metadata = recordAt(object, 'metadata');
    const rest = Object.entries(object).filter(
      ([name]) => !['apiVersion', 'kind', 'metadata', 'status', 'data', 'stringData', 'binaryData'].includes(name),
    );
    const status = recordAt(object, 'status');
    return html`
      ${this.#replicas()} ${this.#conditions()} ${this.#scheduling()} ${this.#data()}
      <tp-object-related .model=${this.model} .object=${object}></tp-object-related>
      ${rest.map(([name, value]) => this.#section(name, value))} ${this.#section('status', omitConditions(status))} ${this.#about(metadata)}
      <h3>${msg('Events')}</h3>
      <tp-object-events .model=${this.model} .object=${object}></tp-object-events>
    `;
  }

  /** How many replicas are wanted, ready and up to date. */
  #replicas(): TemplateResult | typeof nothing {
    const wanted = recordAt(this.object, 'spec')['replicas'];
    const status = recordAt(this.object, 'status');
    if (typeof wanted !== 'number' || status['observedGeneration'] === undefined) return nothing;
    const ready = Number(status['readyReplicas'] ?? 0);
    const counts: readonly (readonly [string, Json | undefined])[] = [
      [msg('up to date'), status['updatedReplicas']],
      [msg('available'), status['availableReplicas']],
    ];
    return html`
      <p class="replicas">
        <span class="chip ${ready === wanted ? 'good' : 'warn'}">${msg(str`${ready} of ${wanted} replicas ready`)}</span>
        ${counts.map(([name, count]) => (count === undefined ? nothing : html`<span class="chip">${String(count)} ${name}</span>`))}
      </p>
    `;
  }

  #about(metadata: JsonObject): TemplateResult {
    const created = String(metadata['creationTimestamp'] ?? '');
    const age = formatHumanDuration(this.model.env.clock.nowMs() - Date.parse(created));
    const owners = ownersOf(metadata, typesOf(this.model));
    const rows: [string, unknown][] = [
      [msg('Kind'), `${this.object['kind']} (${this.object['apiVersion']})`],
      [
        msg('Created', { desc: 'before a time' }),
        created === '' ? '' : msg(str`${created} · ${age} ago`, { desc: 'a time, and how long ago it was' }),
      ],
      [msg('Deletion requested', { desc: 'before a time' }), String(metadata['deletionTimestamp'] ?? '')],
      [msg('Finalizers'), Array.isArray(metadata['finalizers']) ? metadata['finalizers'].join(', ') : ''],
      [msg('UID'), String(metadata['uid'] ?? '')],
      [msg('Generation'), String(metadata['generation'] ?? '')],
      [
        msg('Owned by'),
        owners.length === 0
          ? ''
          : owners.map(
              ({ kind, name, place }) =>
                html`${place === undefined ? `${kind} ${name}` : html`<a href=${linkToPlace(place)}>${kind} ${name}</a>`} `,
            ),
      ],
      [msg('Labels'), chips(metadata['labels'])],
      [msg('Annotations'), annotations(metadata['annotations'])],
    ];
    const known = rows.filter(([, value]) => value !== '');
    return html`<h3>${msg('Object')}</h3>
      <dl>${known.map(([name, value]) => html`<dt>${name}</dt><dd translate="no">${value}</dd>`)}</dl>`;
  }

  #conditions(): TemplateResult | typeof nothing {
    const conditions = objectsAt(recordAt(this.object, 'status'), 'conditions');
    if (conditions.length === 0) return nothing;
    const text = (one: JsonObject, name: string): string => String(one[name] ?? '');
    return html`
      <h3>${msg('Conditions')}</h3>
      <div class="scroller">
        <table>
          <tr><th scope="col">${msg('Type')}</th><th scope="col">${msg('Status')}</th><th scope="col">${msg('Since')}</th><th scope="col">${msg('Reason')}</th><th scope="col">${msg('Message')}</th></tr>
          ${conditions.map(
            (one) => html`<tr translate="no">
              <td>${text(one, 'type')}</td>
              <td>${text(one, 'status')}</td>
              <td>${this.#since(text(one, 'lastTransitionTime'))}</td>
              <td>${text(one, 'reason')}</td>
              <td>${text(one, 'message')}</td>
            </tr>`,
          )}
        </table>
      </div>
    `;
  }

  #scheduling(): TemplateResult | typeof nothing {
    if (this.object['kind'] !== 'Pod' || this.object['apiVersion'] !== 'v1') return nothing;
    return html`<tp-object-scheduling .model=${this.model} .object=${this.object}></tp-object-scheduling>`;
  }

  #since(time: string): string {
    return time === '' ? '' : formatHumanDuration(this.model.env.clock.nowMs() - Date.parse(time));
  }

  /** Shows only the length of a Secret's values. */
  #data(): TemplateResult | typeof nothing {
    const secret = this.object['kind'] === 'Secret';
    const entries = ['data', 'stringData', 'binaryData'].flatMap((name) => {
      const data = this.object[name];
      return isJsonObject(data) ? Object.entries(data) : [];
    });
    if (entries.length === 0) return nothing;
    const shown = (value: Json | undefined): string => (secret ? lengthText(String(value)) : String(value));
    return html`<h3>${msg('Data', { desc: 'of a ConfigMap or Secret' })}</h3><dl translate="no">${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${shown(value)}</dd>`)}</dl>`;
  }

  #section(name: string, value: Json | undefined): TemplateResult | typeof nothing {
    if (value === undefined) return nothing;
    const fields = flatFields(value);
    if (fields.length === 0) return nothing;
    const title = name[0]?.toUpperCase() + name.slice(1);
    return html`<h3 translate="no">${title}</h3><dl translate="no">${fields.map(([path, text]) => html`<dt>${path || name}</dt><dd>${text}</dd>`)}</dl>`;
  }
}

/** The decoded length of a base64 value. */
function lengthText(base64: string): string {
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
  return bytes === 1 ? msg('1 byte') : msg(str`${bytes} bytes`);
}

function chips(labels: Json | undefined): TemplateResult | '' {
  if (!isJsonObject(labels)) return '';
  return html`<div class="labels">${Object.entries(labels).map(([name, value]) => html`<span class="chip">${name}=${String(value)}</span>`)}</div>`;
}

/** The annotation of `kubectl apply` repeats the object: it is folded. */
const lastApplied = /^kubectl\.(?:kubernetes\.io|svc)\/last-applied-configuration$/;

function annotations(all: Json | undefined): TemplateResult | '' {
  if (!isJsonObject(all)) return '';
  const entries = Object.entries(all);
  const shown = Object.fromEntries(entries.filter(([name]) => !lastApplied.test(name)));
  const folded = entries.filter(([name]) => lastApplied.test(name));
  return html`
    ${chips(shown)} ${folded.map(([name, value]) => html`<details><summary>${name}</summary><span class="chip">${String(value)}</span></details>`)}
  `;
}

function omitConditions(status: Json | undefined): Json | undefined {
  if (!isJsonObject(status)) return status;
  const { conditions: _, ...rest } = status;
  return rest;
}
