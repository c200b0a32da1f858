import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { metav1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { type ExplorePlace, linkToPlace } from '../explore/place.ts';
import type { RequestRecord } from '../model/request-log.ts';
import { sharedStyles } from '../shared-styles.ts';

/** The Table response behind a command's output, with links to its objects. Fires `insert` with a line for the console. */
export class TableView extends LitElement {
  static override properties: PropertyDeclarations = { records: { attribute: false } };
  /** Requests with Table responses. */
  declare records: readonly RequestRecord[];

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        /* Hidden text scrolls with the table. */
        position: relative;
        overflow-x: auto;
        border-block-start: 1px solid var(--line);
      }
      table {
        width: 100%;
        border-collapse: collapse;
        font: 0.8125rem/1.5 var(--mono);
      }
      th,
      td {
        padding: 0.125rem 0.75rem;
        text-align: start;
        white-space: nowrap;
      }
      th {
        color: var(--muted);
        font-weight: 600;
      }
      tr:hover td,
      tr:focus-within td {
        background: var(--raised);
      }
    `,
  ];

  override render(): TemplateResult {
    return html`${this.records.map((record) => this.#table(record))}`;
  }

  #table({ target, responseBody }: RequestRecord): TemplateResult {
    const type = parseTarget(target);
    const { columnDefinitions, rows }: Decoded<metav1.Table> = JSON.parse(responseBody) ?? {};
    if (type === undefined) return html``;
    const shown = (columnDefinitions ?? []).map(({ name = '', priority }, at) => ({ name, at, priority }));
    const columns = shown.filter(({ priority }) => priority === 0);
    return html`
      <table aria-label=${type.resource}>
        <thead>
          <tr>
            ${columns.map(({ name }) => html`<th scope="col">${name}</th>`)}
            <th scope="col"><span class="hidden-text">${msg('Actions')}</span></th>
          </tr>
        </thead>
        <tbody>
          ${rows?.map((row) => this.#row(row, type, columns))}
        </tbody>
      </table>
    `;
  }

  #row(row: Decoded<metav1.TableRow>, type: ResourceRef, columns: readonly { readonly at: number }[]): TemplateResult {
    const cells = row.cells ?? [];
    const { metadata }: Decoded<metav1.PartialObjectMetadata> = row.object ?? {};
    const place = { ...type, namespace: metadata?.namespace ?? '', name: metadata?.name ?? String(cells[0]) };
    const { name } = place;
    const yaml = linkToPlace({ ...place, query: { tab: 'yaml' } });
    const describe = (): void => {
      const full = type.group === '' ? type.resource : `${type.resource}.${type.group}`;
      const line = `kubectl describe ${full} ${place.name}${place.namespace === '' ? '' : ` -n ${place.namespace}`}`;
      this.dispatchEvent(new CustomEvent('insert', { detail: line, bubbles: true, composed: true }));
    };
    const key = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || (event.key !== 'y' && event.key !== 'd')) return;
      event.preventDefault();
      if (event.key === 'y') (event.currentTarget as HTMLElement).querySelector<HTMLElement>('a.quiet')?.click();
      else describe();
    };
    return html`
      <tr @keydown=${key}>
        ${columns.map(({ at }) => html`<td>${at === 0 ? html`<a href=${linkToPlace(place)}>${String(cells[0])}</a>` : String(cells[at] ?? '')}</td>`)}
        <td>
          <a class="quiet" href=${yaml} aria-label=${msg(str`YAML of ${name}`)} title="y">${msg('YAML')}</a>
          <button class="quiet" aria-label=${msg(str`Describe ${name}`)} title="d" @click=${describe}>${msg('describe', { desc: 'an object' })}</button>
        </td>
      </tr>
    `;
  }
}

type ResourceRef = Pick<ExplorePlace, 'group' | 'version' | 'resource'>;

/** `/apis/apps/v1/namespaces/shop/deployments?limit=500` */
function parseTarget(target: string): ResourceRef | undefined {
  const found = /^\/(?:api|apis\/([^/]+))\/([^/]+)\/(?:namespaces\/[^/]+\/)?([^/?]+)/.exec(target);
  if (!found) return undefined;
  const [, group = '', version = '', resource = ''] = found;
  return { group, version, resource };
}
