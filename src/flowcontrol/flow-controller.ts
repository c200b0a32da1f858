import type { Attributes } from '../authz/index.ts';
import type { Clock } from '../env/index.ts';
import type { ApiObject } from '../meta/index.ts';
import { divideSeats } from './divide-seats.ts';
import { type Flow, FlowIndex } from './flow-index.ts';
import { PriorityLevel } from './priority-level.ts';

/** Period after which levels lend and borrow seats by their demand. Cf. borrowingAdjustmentPeriod. */
const periodMs = 10_000;

/** A quarter of the time limit of requests. Cf. k8s.io/apiserver endpoints/filters/priority-and-fairness.go. */
const waitLimitMs = 15_000;

export interface FlowControllerOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'schedule'>;
  /** Requests that are executed at once: `--max-requests-inflight` and `--max-mutating-requests-inflight` together. */
  readonly serverSeats: number;
}

/** API Priority and Fairness: limits the concurrency of each priority level, and queues requests above it fairly. */
export class FlowController {
  readonly #clock: FlowControllerOptions['clock'];
  readonly #serverSeats: number;
  readonly #index = new FlowIndex();
  readonly #levels = new Map<string, PriorityLevel>();
  #dividedMs: number | undefined;

  constructor({ clock, serverSeats }: FlowControllerOptions) {
    this.#clock = clock;
    this.#serverSeats = serverSeats;
  }

  /** Sorted by name. */
  get levels(): readonly PriorityLevel[] {
    return [...this.#levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Undefined: it was deleted. */
  changeSchema(name: string, object: ApiObject | undefined): void {
    this.#index.changeSchema(name, object);
  }

  /** Undefined: it was deleted. */
  changeLevel(name: string, object: ApiObject | undefined): void {
    this.#index.changeLevel(name, object);
    if (object) {
      const level = this.#levels.get(name) ?? new PriorityLevel(name, this.#clock);
      this.#levels.set(name, level);
      level.configure(object);
    } else this.#levels.delete(name);
    this.#dividedMs = undefined;
  }

  /** The flow of a request; undefined when no matching flow schema has an existing priority level. */
  flowOf(attributes: Attributes): Flow | undefined {
    return this.#index.flowOf(attributes);
  }

  /**
   * Takes seats for a request: returns the function that releases them, or a promise of it when the request has to wait.
   * @throws Rejected, or the promise rejects with it
   */
  enter(flow: Flow, attributes: Attributes, signal: AbortSignal): (() => void) | Promise<() => void> {
    this.#divideSeats();
    const level = this.#levels.get(flow.level);
    if (!level) return () => {};
    const { schema: flowSchema, distinguisher } = flow;
    return level.requests.enter({ flowSchema, distinguisher, attributes, seats: 1 }, waitLimitMs, signal);
  }

  #divideSeats(): void {
    const now = this.#clock.monotonicMs();
    if (this.#dividedMs !== undefined && now - this.#dividedMs < periodMs) return;
    this.#dividedMs = now;
    divideSeats(this.#levels, this.#serverSeats);
  }
}
