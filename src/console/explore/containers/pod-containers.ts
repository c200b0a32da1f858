import { msg } from '@lit/localize';
import { type CSSResultGroup, css, html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { nameOf } from '../../../kubectl/index.ts';
import type { JsonObject } from '../../../meta/index.ts';
import type { ConsoleModel } from '../../model/console-model.ts';
import { sharedStyles } from '../../shared-styles.ts';
import { podSelectorOf } from '../object/related-objects.ts';
import { objectPath } from '../object-path.ts';
import { type ExplorePlace, linkToPlace } from '../place.ts';
import { WatchedObjects } from '../watched-objects.ts';
import { chosenContainer, chosenPod, containersOf, type Pod, type PodContainer, portsOf } from './containers.ts';

/** A tab about one container: of the pod, or of a pod of the workload or Service, which the user chooses. The route has the choice. */
export class PodContainers extends LitElement {
  static override properties: PropertyDeclarations = {
    model: { attribute: false },
    object: { attribute: false },
    place: { attribute: false },
    tab: { attribute: false },
  };
  declare model: ConsoleModel;
  declare object: JsonObject;
  declare place: ExplorePlace;
  declare tab: 'logs' | 'terminal' | 'files' | 'ports' | 'network';
  #pods: WatchedObjects | undefined;
  #selector: string | undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: block;
        height: 100%;
      }
      label {
        display: inline-flex;
        gap: 0.375rem;
        align-items: center;
      }
      select {
        max-width: 14rem;
      }
      .note {
        padding: 0.75rem;
        color: var(--muted);
        font-size: var(--small-size);
      }
    `,
  ];

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#pods?.close();
    this.#pods = undefined;
    this.#selector = undefined;
  }

  /** The selector of a Service may change. */
  override willUpdate(): void {
    const selector = podSelectorOf(this.object);
    if (selector === this.#selector) return;
    this.#selector = selector;
    this.#pods?.close();
    this.#pods = undefined;
    if (selector === undefined || selector === '') return;
    const path = objectPath({ ...podPlace, namespace: this.place.namespace, name: '' });
    this.#pods = new WatchedObjects(this.model, { path, query: { labelSelector: selector } }, () => this.requestUpdate());
  }

  override render(): TemplateResult {
    const { model, place, tab } = this;
    if (tab === 'network') return html`<tp-network-view .model=${model} .namespace=${place.namespace || place.name}></tp-network-view>`;
    if (tab === 'ports' && this.object['kind'] === 'Service') return this.#port('services', this.object, html``);
    const pods = this.object['kind'] === 'Pod' ? [this.object] : this.#pods === undefined ? [] : this.#pods.objects;
    const failure = this.#pods?.failure ?? '';
    if (failure !== '') return html`<p class="note" role="alert">${failure}</p>`;
    if (pods === undefined) return html`<p class="note" role="status">${msg('Loading…')}</p>`;
    const { pod: podName = '', container: containerName = '' } = place.query;
    const pod = chosenPod(pods, podName);
    const container = pod && chosenContainer(pod, containerName);
    if (pod === undefined || container === undefined) return html`<p class="note" role="status">${msg('No pods.')}</p>`;
    const podChoice = this.#podChoice(pods, nameOf(pod));
    if (tab === 'ports') return this.#port('pods', pod, html`${podChoice}`);
    return this.#panel(pod, container, html`${podChoice} ${this.#containerChoice(pod, container.name)}`);
  }

  #port(resource: 'pods' | 'services', object: JsonObject, choices: TemplateResult): TemplateResult {
    const { model } = this;
    const { namespace } = this.place;
    return html`<tp-open-port .model=${model} .resource=${resource} .namespace=${namespace} .name=${nameOf(object)} .ports=${portsOf(object)}>${choices}</tp-open-port>`;
  }

  #panel(pod: Pod, container: PodContainer, choices: TemplateResult): TemplateResult {
    const { model, place } = this;
    const { namespace, query } = place;
    const link = (path: string, file?: string): string => {
      const { path: _, file: __, ...rest } = query;
      return linkToPlace({ ...place, query: { ...rest, path, ...(file === undefined ? {} : { file }) } });
    };
    switch (this.tab) {
      case 'files':
        return html`<tp-container-files .model=${model} .namespace=${namespace} .pod=${nameOf(pod)} .container=${container.name} .path=${query['path'] ?? '/'} .file=${query['file'] ?? ''} .link=${link}>${choices}</tp-container-files>`;
      case 'logs':
        return html`<tp-container-logs .model=${model} .namespace=${namespace} .pod=${nameOf(pod)} .container=${container}>${choices}</tp-container-logs>`;
      default:
        return html`<tp-container-terminal .model=${model} .namespace=${namespace} .pod=${nameOf(pod)} .container=${container}>${choices}</tp-container-terminal>`;
    }
  }

  #podChoice(pods: readonly Pod[], chosen: string): TemplateResult | typeof nothing {
    if (this.object['kind'] === 'Pod') return nothing;
    const names = pods.map((pod) => [nameOf(pod), `${nameOf(pod)} · ${pod.status?.phase ?? ''}`] as const);
    return this.#choice(msg('Pod'), names.sort(), chosen, (pod) => ({ pod }));
  }

  #containerChoice(pod: Pod, chosen: string): TemplateResult {
    const names = containersOf(pod).map(({ name, kind }) => [name, kind === 'regular' ? name : `${name} (${kind})`] as const);
    return this.#choice(msg('Container'), names, chosen, (container) => ({ ...this.#chosenPod, container }));
  }

  get #chosenPod(): Readonly<Record<string, string>> {
    const { pod } = this.place.query;
    return pod === undefined ? {} : { pod };
  }

  #choice(
    label: string,
    options: readonly (readonly [value: string, text: string])[],
    chosen: string,
    query: (value: string) => Readonly<Record<string, string>>,
  ): TemplateResult {
    const choose = (event: Event): void => {
      location.hash = linkToPlace({ ...this.place, query: { tab: this.tab, ...query((event.target as HTMLSelectElement).value) } });
    };
    return html`
      <label>
        ${label}
        <select @change=${choose}>
          ${options.map(([value, text]) => html`<option translate="no" value=${value} ?selected=${value === chosen}>${text}</option>`)}
        </select>
      </label>
    `;
  }
}

const podPlace = { group: '', version: 'v1', resource: 'pods' } as const;
