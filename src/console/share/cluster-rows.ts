import { msg, str } from '@lit/localize';
import { type CSSResultGroup, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { isProductName, type ProductName, productNames } from '../../meta/index.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { sharedStyles } from '../shared-styles.ts';
import { promptUser } from '../views/prompt-dialog.ts';
import { ClusterList } from './cluster-list.ts';
import { clustersStyles } from './clusters-styles.ts';
import { factsText } from './facts-text.ts';
import type { NamedCluster } from './named-clusters.ts';
import { namesAbout, namesHeading } from './names-texts.ts';
import { openClusterModel, readyCluster } from './open-cluster.ts';

/** A message below the list. */
export interface Notice {
  readonly text: string;
  readonly bad: boolean;
  readonly undo?: () => Promise<void>;
}

const nameMax = 60;

/**
 * The clusters of this browser: opens, creates, renames, duplicates and deletes them. Fires `open-place` with a console's model,
 * `leave-place`, and `notice`.
 */
export class ClusterRows extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    options: { attribute: false },
    named: { state: true },
    facts: { state: true },
  };
  declare model: ConsoleModel;
  declare options: ConsoleOptions;
  declare named: readonly NamedCluster[];
  /** Texts by cluster id, for the clusters that have been read. */
  declare facts: ReadonlyMap<string, string>;
  #list: ClusterList | undefined;

  static override styles: CSSResultGroup = [sharedStyles, clustersStyles];

  constructor() {
    super();
    this.named = [];
    this.facts = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.refresh());
  }

  get #clusters(): ClusterList {
    this.#list ??= new ClusterList(this.options);
    return this.#list;
  }

  override render(): TemplateResult {
    const current = this.model.workspace.id;
    const other = productNames.find((names) => names !== this.options.names && !this.named.some(({ id }) => id === names));
    return html`
      <ul>
        <li>
          ${this.#name(html`${msg('My cluster')}`, '', this.options.names)}
          ${current === '' ? openChip() : html`<button class="button" @click=${this.#leave}>${msg('Open')}</button>`}
        </li>
        ${other === undefined ? nothing : this.#readyRow(other)} ${this.named.map((cluster) => this.#row(cluster, cluster.id === current))}
      </ul>
      <button class="button" @click=${() => this.#run(() => this.#create())}>${msg('New cluster')}</button>
    `;
  }

  /** Reads the clusters again. */
  async refresh(): Promise<void> {
    this.named = await this.#clusters.all();
    // In sequence, because each is read completely.
    for (const id of ['', ...this.named.map(({ id }) => id)]) {
      if (!this.isConnected) return;
      const text = await this.#clusters.facts(id).then(factsText, ({ message }: Error) => msg(str`cannot be read: ${message}`));
      this.facts = new Map([...this.facts, [id, text]]);
    }
  }

  #name(name: TemplateResult, id: string, names: ProductName): TemplateResult {
    const facts = this.facts.get(id);
    return html`<span class="name">${name} <span class="chip" translate="no" title=${namesAbout(names)}>${names}</span> ${facts === undefined ? nothing : html`<small>${facts}</small>`}</span>`;
  }

  /** The cluster with the other names, before it is first opened. */
  #readyRow(names: ProductName): TemplateResult {
    const { name } = readyCluster(this.options, names);
    const open = async (): Promise<void> => {
      const model = await openClusterModel(this.options, names);
      if (model !== undefined) this.#fire('open-place', model);
    };
    return html`
      <li>
        <span class="name">${name} <span class="chip" translate="no" title=${namesAbout(names)}>${names}</span> <small>${msg('empty; created when you open it')}</small></span>
        <button class="button" @click=${() => this.#run(open)}>${msg('Open')}</button>
      </li>
    `;
  }

  #row(cluster: NamedCluster, current: boolean): TemplateResult {
    const { name } = cluster;
    const rename = async (): Promise<void> => {
      const field = { label: msg('Name'), value: name, maxLength: nameMax };
      const answer = await promptUser({ title: msg('Rename the cluster'), action: msg('Rename'), field });
      if (answer !== undefined) await this.#clusters.rename(cluster, answer.text);
    };
    const remove = async (): Promise<void> => {
      const undo = await this.#clusters.remove(cluster);
      this.#notify({ text: msg(str`${name} is deleted.`), bad: false, undo });
    };
    return html`
      <li>
        ${this.#name(html`<span translate="no">${name}</span>`, cluster.id, cluster.names)}
        ${current ? openChip() : html`<button class="button" @click=${() => this.#run(() => this.#show(cluster))}>${msg('Open')}</button>`}
        <button class="quiet" @click=${() => this.#run(rename)}>${msg('rename')}</button>
        <button class="quiet" @click=${() => this.#run(async () => void (await this.#clusters.duplicate(cluster)))}>${msg('duplicate')}</button>
        <button class="quiet" ?disabled=${current} @click=${() => this.#run(remove)}>${msg('delete')}</button>
      </li>
    `;
  }

  async #create(): Promise<void> {
    const number = this.named.filter(({ id }) => !isProductName(id)).length + 2;
    // The names of the open cluster come first.
    const { names } = this.model.workspace;
    const options = [names, ...productNames.filter((other) => other !== names)].map((value) => ({
      value,
      title: namesHeading(value),
      about: namesAbout(value),
    }));
    const answer = await promptUser({
      title: msg('New cluster'),
      action: msg('Create'),
      field: { label: msg('Name'), value: msg(str`Cluster ${number}`), maxLength: nameMax },
      choice: { label: msg('API group names'), options },
    });
    if (answer === undefined) return;
    await this.#show(await this.#clusters.create({ name: answer.text, names: isProductName(answer.option) ? answer.option : names }));
  }

  async #show(cluster: NamedCluster): Promise<void> {
    this.#fire('open-place', await this.#clusters.open(cluster));
  }

  async #run(work: () => Promise<void>): Promise<void> {
    this.#notify(undefined);
    try {
      await work();
    } catch (error) {
      this.#notify({ text: error instanceof Error ? error.message : String(error), bad: true });
    }
    await this.refresh();
  }

  readonly #leave = (): void => {
    this.#fire('leave-place');
  };

  #notify(notice: Notice | undefined): void {
    this.#fire('notice', notice);
  }

  #fire(type: string, detail?: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

function openChip(): TemplateResult {
  return html`<span class="chip good">${msg('open', { desc: 'the cluster is open' })}</span>`;
}
