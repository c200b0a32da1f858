import { msg, str } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type ApiClient, itemsOf, metadataOf, nameOf } from '../../../kubectl/index.ts';
import type { JsonObject } from '../../../meta/index.ts';
import type { networkingv1 } from '../../../schema/api/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { createClient, errorText } from '../api.ts';
import { panelStyles } from '../object/panel-styles.ts';
import { linkToPlace } from '../place.ts';
import {
  type ConnectionTarget,
  explainConnection,
  type NamespaceObjects,
  type PolicyExplanation,
  runningPods,
  targetsOf,
} from './connections.ts';
import { runInContainer } from './container-command.ts';
import { chosenContainer, type Pod } from './containers.ts';

/** The result of an attempt to connect. */
interface Probe {
  readonly outcome: 'open' | 'closed' | 'unknown';
  /** The message of the program that connected, or the error of the API. */
  readonly message: string;
}

/** The pods and the targets that are tried, and what the policies decide about each pair. */
interface Connections {
  readonly pods: readonly Pod[];
  readonly targets: readonly ConnectionTarget[];
  /** By the names of the pod and the target. */
  readonly explanations: ReadonlyMap<string, PolicyExplanation>;
  /** Whether the namespace has more pods or targets. */
  readonly isCut: boolean;
}

/** Limit of the pods and of the targets. */
const shownMax = 20;
/** Attempts at the same time. */
const parallelProbes = 4;
const timeoutSeconds = '2';

/** Which pods of a namespace reach which pods and Services: each pod connects by `nc`, and network policies explain the result. */
export class NetworkView extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    namespace: { attribute: false },
    connections: { state: true },
    probes: { state: true },
    running: { state: true },
    failure: { state: true },
  };
  declare model: ConsoleModel;
  declare namespace: string;
  declare connections: Connections | undefined;
  /** By the names of the pod and the target. */
  declare probes: ReadonlyMap<string, Probe>;
  declare running: boolean;
  declare failure: string;
  #life = new AbortController();

  static override styles: CSSResultGroup = [
    sharedStyles,
    panelStyles,
    css`
      p {
        margin: 0 0 0.75rem;
      }
      thead tr:last-child > th {
        border-block-end: 1px solid var(--line);
        font-family: var(--mono);
      }
      tbody th {
        color: var(--text);
        font-family: var(--mono);
      }
      td .note {
        display: block;
      }
    `,
  ];

  constructor() {
    super();
    this.connections = undefined;
    this.probes = new Map();
    this.running = false;
    this.failure = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#life.abort();
    this.running = false;
  }

  override render(): TemplateResult {
    const { connections, failure, running } = this;
    return html`
      <p>${msg('Each running pod tries to connect to the ports of the pods and Services of its namespace, by the program nc in its container. Network policies explain the result.')}</p>
      <div class="tools">
        <button class="button primary" ?disabled=${running} @click=${() => void this.#check()}>${msg('Check connections')}</button>
        <span class="note" role="status">${running ? msg('Connecting…') : nothing}</span>
      </div>
      ${failure === '' ? nothing : html`<p class="note" role="alert" translate="no">${failure}</p>`}
      ${connections === undefined ? nothing : this.#matrix(connections)}
    `;
  }

  #matrix({ pods, targets, explanations, isCut }: Connections): TemplateResult {
    if (pods.length === 0 || targets.length === 0)
      return html`<p class="note">${msg('No running pods, or no ports that are declared.')}</p>`;
    const { namespace } = this;
    return html`
      <div class="scroller" tabindex="0" role="group" aria-label=${msg(str`Connections in ${namespace}`)}>
        <table aria-label=${msg(str`Connections in ${namespace}`)}>
          <thead><tr><th scope="col">${msg('From', { desc: 'the pod that connects' })}</th>${targets.map(({ name }) => html`<th scope="col" translate="no">${name}</th>`)}</tr></thead>
          <tbody>
            ${pods.map(
              (pod) => html`<tr>
                <th scope="row" translate="no">${nameOf(pod)}</th>
                ${targets.map((target) => html`<td>${this.#cell(keyOf(pod, target), explanations)}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      ${isCut ? html`<p class="note">${msg(str`Only the first ${shownMax} pods and ports are shown.`)}</p>` : nothing}
    `;
  }

  #cell(key: string, explanations: Connections['explanations']): TemplateResult {
    const [probe, explanation] = [this.probes.get(key), explanations.get(key)];
    return html`${probe === undefined ? '…' : probeChip(probe)}<span class="note">${explanation ? this.#reason(explanation) : nothing}</span>`;
  }

  #reason({ isAllowed, policies }: PolicyExplanation): TemplateResult | string {
    if (policies.length === 0) return msg('no policy');
    const links = policies.map((name) => html`<a translate="no" href=${this.#policyLink(name)}>${name}</a> `);
    return isAllowed ? msg(html`allowed by ${links}`) : msg(html`denied by ${links}`);
  }

  #policyLink(name: string): string {
    const group = this.model.product.rename('networking.k8s.io');
    return linkToPlace({ group, version: 'v1', resource: 'networkpolicies', namespace: this.namespace, name });
  }

  async #check(): Promise<void> {
    this.#life.abort();
    this.#life = new AbortController();
    const { signal } = this.#life;
    Object.assign(this, { running: true, failure: '', probes: new Map() });
    try {
      const connections = connectionsOf(await this.#readObjects(signal));
      this.connections = connections;
      await this.#probeAll(connections, signal);
    } catch (error) {
      if (!signal.aborted) this.failure = errorText(error);
    }
    if (!signal.aborted) this.running = false;
  }

  async #readObjects(signal: AbortSignal): Promise<NamespaceObjects> {
    const client = createClient(this.model, { signal, screen: 'explore' });
    const path = `namespaces/${encodeURIComponent(this.namespace)}`;
    const group = this.model.product.rename('networking.k8s.io');
    const read = (url: string): Promise<JsonObject> => client.read('GET', url);
    const [pods, services, policies, namespace] = await Promise.all([
      read(`/api/v1/${path}/pods`),
      read(`/api/v1/${path}/services`),
      read(`/apis/${group}/v1/${path}/networkpolicies`),
      read(`/api/v1/${path}`),
    ]);
    const labels = metadataOf(namespace)['labels'];
    return {
      pods: itemsOf(pods),
      services: itemsOf(services),
      policies: itemsOf(policies) as readonly object[] as readonly networkingv1.NetworkPolicy[],
      namespaceLabels: (labels ?? {}) as Record<string, string>,
    };
  }

  async #probeAll({ pods, targets }: Connections, signal: AbortSignal): Promise<void> {
    const waiting = pods.flatMap((pod) => targets.map((target) => [pod, target] as const));
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
        const probe = await this.#probe(...next, signal);
        if (!signal.aborted) this.probes = new Map([...this.probes, [keyOf(...next), probe]]);
      }
    };
    await Promise.all(Array.from({ length: parallelProbes }, work));
  }

  async #probe(pod: Pod, { address, port }: ConnectionTarget, signal: AbortSignal): Promise<Probe> {
    const container = chosenContainer(pod, '')?.name ?? '';
    const command = ['nc', '-z', '-v', '-w', timeoutSeconds, address, String(port)];
    try {
      const name = { namespace: this.namespace, pod: nameOf(pod), container };
      const connect = (life: AbortSignal): ApiClient => createClient(this.model, { signal: life, screen: 'explore' });
      const { exit, stderr } = await runInContainer(connect, name, command, signal);
      return exit === 0 ? { outcome: 'open', message: '' } : { outcome: 'closed', message: failureOf(stderr) };
    } catch (error) {
      return { outcome: 'unknown', message: errorText(error) };
    }
  }
}

function connectionsOf(objects: NamespaceObjects): Connections {
  const [allPods, allTargets] = [runningPods(objects), targetsOf(objects)];
  const [pods, targets] = [allPods.slice(0, shownMax), allTargets.slice(0, shownMax)];
  // A Service whose endpoints are not known by a selector has no explanation.
  const explained = targets.filter(({ backends }) => backends.length > 0);
  return {
    pods,
    targets,
    explanations: new Map(
      pods.flatMap((pod) => explained.map((target) => [keyOf(pod, target), explainConnection(objects, pod, target)] as const)),
    ),
    isCut: allPods.length > shownMax || allTargets.length > shownMax,
  };
}

const keyOf = (pod: Pod, { name }: ConnectionTarget): string => `${nameOf(pod)} ${name}`;

/** `nc: 10.0.0.1 (10.0.0.1:80): Connection refused` without the address. */
function failureOf(stderr: string): string {
  const [line = ''] = stderr.trim().split('\n');
  return line.slice(line.lastIndexOf(': ') + 1).trim();
}

function probeChip({ outcome, message }: Probe): TemplateResult {
  switch (outcome) {
    case 'open':
      return html`<span class="chip good">${msg('connected', { desc: 'to a port' })}</span>`;
    case 'closed':
      return html`<span class="chip bad" translate="no">${message}</span>`;
    case 'unknown':
      return html`<span class="chip warn">${msg('cannot connect from there')}</span><span class="note" translate="no">${message}</span>`;
  }
}
