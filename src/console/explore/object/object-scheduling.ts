import { msg, str } from '@lit/localize';
import {
  type CSSResultGroup,
  css,
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { type SchedulingExplanation, type SchedulingMessage, schedulingChannelName } from '../../../client/index.ts';
import { metadataOf } from '../../../kubectl/index.ts';
import { formatHumanDuration, type JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { linkToPlace } from '../place.ts';
import { panelStyles } from './panel-styles.ts';

/** The last decision of the scheduler about a pod: the plugin that refused each node, or the scores. Empty when none is known. */
export class ObjectScheduling extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    object: { attribute: false },
    explanation: { state: true },
  };
  declare model: ConsoleModel;
  declare object: JsonObject;
  declare explanation: SchedulingExplanation | undefined;
  #channel: BroadcastChannel | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    css`
      :host {
        padding: 0;
      }
      h3:first-child {
        margin-block-start: 1.25rem;
      }
      h4 {
        margin: 0.75rem 0 0.375rem;
        color: var(--muted);
        font-size: var(--small-size);
      }
      p {
        margin: 0 0 0.375rem;
        font-size: 0.8125rem;
        overflow-wrap: anywhere;
      }
      td.number,
      th.number {
        text-align: end;
        font-variant-numeric: tabular-nums;
      }
      .scores td:first-child {
        white-space: nowrap;
      }
      .chosen {
        background: var(--good-soft);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.updateComplete.then(() => this.#query());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#channel?.close();
    this.#channel = undefined;
  }

  /** The scheduler writes each decision to the status of the pod. */
  override updated(changed: PropertyValues<this>): void {
    if (changed.has('object')) this.#query();
  }

  override render(): TemplateResult | typeof nothing {
    const { explanation } = this;
    if (explanation === undefined || explanation.uid !== metadataOf(this.object)['uid']) return nothing;
    const { message, refusals } = explanation;
    return html`
      <h3>${msg('Scheduling', { desc: 'the decision of the scheduler about a pod' })}</h3>
      <p>${this.#outcome(explanation)} <span class="note">${this.#attempt(explanation)}</span></p>
      ${message === '' ? nothing : html`<p class="mono" translate="no">${message}</p>`}
      ${refusals.length === 0 ? nothing : this.#refusals(explanation)}
      ${this.#scores(explanation)}
    `;
  }

  #outcome({ node, nominatedNode, scores }: SchedulingExplanation): TemplateResult {
    if (node === undefined) {
      const chip = html`<span class="chip warn">${msg('No node fits')}</span>`;
      return nominatedNode === undefined ? chip : html`${chip} ${msg(html`Preemption nominated ${nodeLink(nominatedNode)}.`)}`;
    }
    if (scores.length === 0) return msg(html`${nodeLink(node)} is the only node that fits.`);
    return msg(html`${nodeLink(node)} has the highest score.`);
  }

  #attempt({ attempt, timeMs }: SchedulingExplanation): string {
    const age = formatHumanDuration(this.model.env.clock.nowMs() - timeMs);
    return msg(str`Attempt ${attempt}, ${age} ago`);
  }

  #refusals({ refusals }: SchedulingExplanation): TemplateResult {
    return html`
      <h4 id="refusals">${msg('Nodes that do not fit')}</h4>
      <div class="scroller">
        <table aria-labelledby="refusals">
          <tr><th scope="col">${msg('Node')}</th><th scope="col">${msg('Plugin', { desc: 'of the scheduler' })}</th><th scope="col">${msg('Reason')}</th></tr>
          ${refusals.map(
            ({ node, plugin, reasons }) => html`<tr translate="no">
              <td>${nodeLink(node)}</td>
              <td>${plugin}</td>
              <td>${reasons.join(', ')}</td>
            </tr>`,
          )}
        </table>
      </div>
    `;
  }

  #scores({ node: chosen, scores }: SchedulingExplanation): TemplateResult | typeof nothing {
    const [first] = scores;
    if (first === undefined) return nothing;
    const plugins = Object.keys(first.byPlugin);
    return html`
      <h4 id="scores">${msg('Scores by plugin, with their weights')}</h4>
      <div class="scroller">
        <table class="scores" aria-labelledby="scores">
          <tr><th scope="col">${msg('Node')}</th><th scope="col" class="number">${msg('Total')}</th>${plugins.map((plugin) => html`<th scope="col" class="number" translate="no">${plugin}</th>`)}</tr>
          ${scores.map(
            ({ node, total, byPlugin }) => html`<tr translate="no" class=${node === chosen ? 'chosen' : nothing}>
              <td>${nodeLink(node)}</td>
              <td class="number">${total}</td>
              ${plugins.map((plugin) => html`<td class="number">${byPlugin[plugin]}</td>`)}
            </tr>`,
          )}
        </table>
      </div>
    `;
  }

  #query(): void {
    if (!this.isConnected) return;
    const { namespace, name, uid } = metadataOf(this.object);
    const query: SchedulingMessage = { kind: 'query', pod: `${namespace}/${name}`, uid: String(uid) };
    this.#channel ??= this.#openChannel();
    this.#channel.postMessage(query);
  }

  #openChannel(): BroadcastChannel {
    const channel = new BroadcastChannel(schedulingChannelName(this.model.connection.baseUrl));
    channel.addEventListener('message', ({ data }: MessageEvent<SchedulingMessage>) => {
      if (data.kind === 'explanation' && data.explanation.uid === metadataOf(this.object)['uid']) this.explanation = data.explanation;
    });
    return channel;
  }
}

function nodeLink(name: string): TemplateResult {
  return html`<a translate="no" href=${linkToPlace({ version: 'v1', resource: 'nodes', name })}>${name}</a>`;
}
