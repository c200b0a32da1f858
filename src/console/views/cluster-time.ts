import { msg } from '@lit/localize';
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
import { changeClusterTime, followTime } from '../../client/index.ts';
import { errorMessage, maxSpeed, type TimeChange, type TimeState } from '../../env/index.ts';
import type { ConsoleModel } from '../model/console-model.ts';
import { ModelWatcher } from '../model-watcher.ts';
import { sharedStyles } from '../shared-styles.ts';

const stepMs = 10_000;
const speeds: readonly number[] = [0, 1, maxSpeed];

/** Pauses, steps and accelerates the cluster. Empty for remote servers, whose time cannot be changed. */
export class ClusterTime extends LitElement {
  static override properties: PropertyDeclarations = { model: { attribute: false }, problem: { state: true } };
  declare model: ConsoleModel;
  /** The message of the last failed change. */
  declare problem: string;
  readonly watcher: ModelWatcher = new ModelWatcher(this, () => this.model);
  #following = new AbortController();
  #followed: ConsoleModel | undefined;
  #cancelStepEnd = (): void => undefined;

  static override styles: CSSResultGroup = [
    sharedStyles,
    css`
      :host {
        display: flex;
        gap: 0.25rem;
      }
      .button {
        padding: 0 0.375rem;
      }
      .button,
      select {
        font-size: 0.8125rem;
      }
      select {
        padding: 0 0.25rem;
      }
      @media (max-width: 48rem) {
        select {
          width: 3rem;
        }
      }
      select.changed {
        border-color: var(--warn);
        background: var(--warn-soft);
        color: var(--warn);
      }
    `,
  ];

  constructor() {
    super();
    this.problem = '';
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('model')) this.#follow();
    this.#updateAtStepEnd();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#cancelStepEnd();
    this.#following.abort();
    this.#followed = undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { time } = this.model;
    if (time === undefined) return nothing;
    const isStepping = this.#stepEndMs(time) > 0;
    const speed = time.untilMs === undefined ? time.speed : 0;
    const step = (): void => void this.#change({ stepMs });
    return html`
      ${this.problem === '' ? nothing : html`<span class="chip warn" role="alert">${this.problem}</span>`}
      ${speed === 0 ? html`<button class="button" ?disabled=${isStepping} title=${msg('Run the cluster for 10 seconds of its time')} @click=${step}>${msg('+10 s')}</button>` : nothing}
      <select class=${speed === 1 ? '' : 'changed'} aria-label=${msg("Speed of the cluster's time")} title=${msg("Speed of the cluster's time")} @change=${this.#choose}>
        ${speeds.map((value) => html`<option value=${value} .selected=${value === speed}>${value === 0 ? msg('paused') : `${value}×`}</option>`)}
      </select>
    `;
  }

  readonly #choose = (event: Event): void => {
    void this.#change({ speed: Number((event.target as HTMLSelectElement).value) });
  };

  async #change(change: TimeChange): Promise<void> {
    try {
      await changeClusterTime(this.model.connection.api, change);
      this.problem = '';
    } catch (error) {
      this.problem = errorMessage(error);
    }
  }

  /** Milliseconds of this host until a step ends; not positive: no step is running. */
  #stepEndMs({ untilMs = 0, speed }: TimeState): number {
    return (untilMs - this.model.env.clock.nowMs()) / Math.max(speed, 1);
  }

  #updateAtStepEnd(): void {
    this.#cancelStepEnd();
    const { time, env } = this.model;
    const endMs = time === undefined ? 0 : this.#stepEndMs(time);
    this.#cancelStepEnd = endMs > 0 ? env.clock.schedule(endMs, () => this.requestUpdate()) : (): void => undefined;
  }

  #follow(): void {
    const { model } = this;
    if (model === undefined || model === this.#followed) return;
    this.#followed = model;
    this.#following.abort();
    this.#following = new AbortController();
    const { api } = model.connection;
    void followTime({ api, clock: model.env.clock }, (time) => model.setTime(time), this.#following.signal);
  }
}
