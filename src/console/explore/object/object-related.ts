import { msg } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { metadataOf } from '../../../kubectl/index.ts';
import { type JsonObject, objectsAt } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { createClient } from '../api.ts';
import { linkToPlace } from '../place.ts';
import { panelStyles } from './panel-styles.ts';
import { type RelatedQuery, referencesOf, relatedQueries, stateOf } from './related-objects.ts';

interface RelatedRow {
  readonly resource: string;
  readonly name: string;
  readonly state: string;
  readonly link: string;
}

const rowsMax = 20;

/** The objects below an object, such as the pods of a Deployment, and those that it refers to. */
export class ObjectRelated extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    object: { attribute: false },
    rows: { state: true },
  };
  declare model: ConsoleModel;
  declare object: JsonObject;
  declare rows: readonly RelatedRow[];
  #read = '';

  static override styles: CSSResultGroup = [sharedStyles, panelStyles];

  constructor() {
    super();
    this.rows = [];
  }

  /** Reads again with every change of the object, which has the number of its replicas. */
  override willUpdate(): void {
    const { uid, resourceVersion } = metadataOf(this.object);
    const read = `${String(uid)} ${String(resourceVersion)}`;
    if (read === this.#read) return;
    this.#read = read;
    void this.#readRelated().then((rows) => {
      if (read === this.#read) this.rows = rows;
    });
  }

  override render(): TemplateResult | typeof nothing {
    const rows = [...this.#references(), ...this.rows];
    if (rows.length === 0) return nothing;
    return html`
      <h3>${msg('Related objects')}</h3>
      <table aria-label=${msg('Related objects')}>
        ${rows.slice(0, rowsMax).map(({ resource, name, state, link }) => html`<tr translate="no"><td>${resource}</td><td><a href=${link}>${name}</a></td><td>${state}</td></tr>`)}
      </table>
    `;
  }

  get #namespace(): string {
    return String(metadataOf(this.object)['namespace'] ?? '');
  }

  #references(): readonly RelatedRow[] {
    return referencesOf(this.object).map(([resource, name]) => {
      const namespace = resource === 'nodes' ? '' : this.#namespace;
      return { resource, name, state: '', link: linkToPlace({ version: 'v1', resource, namespace, name }) };
    });
  }

  async #readRelated(): Promise<readonly RelatedRow[]> {
    const queries = relatedQueries(this.object, this.model.product.rename('discovery.k8s.io'));
    // Without access to a type, its objects are left out.
    const lists = await Promise.all(queries.map((query) => this.#list(query).catch(() => [])));
    return lists.flat();
  }

  async #list({ group, version, resource, labelSelector }: RelatedQuery): Promise<readonly RelatedRow[]> {
    const namespace = this.#namespace;
    const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
    const list = await createClient(this.model).read('GET', path, { query: { labelSelector, limit: String(rowsMax) } });
    return objectsAt(list, 'items').map((object) => {
      const name = String(metadataOf(object)['name']);
      return { resource, name, state: stateOf(object), link: linkToPlace({ group, version, resource, namespace, name }) };
    });
  }
}
