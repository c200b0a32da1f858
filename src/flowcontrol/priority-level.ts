import type { Clock } from '../env/index.ts';
import type { ApiObject } from '../meta/index.ts';
import { DemandIntegrator, type DemandStatistics } from './demand.ts';
import { QueueSet, type QueuingSettings } from './queue-set.ts';
import type { LevelShares, SeatLimits } from './seat-limits.ts';

interface LevelSpec {
  readonly type?: string;
  readonly limited?: {
    readonly nominalConcurrencyShares?: number;
    readonly lendablePercent?: number;
    readonly borrowingLimitPercent?: number;
    readonly limitResponse?: {
      readonly type?: string;
      readonly queuing?: { readonly queues?: number; readonly handSize?: number; readonly queueLengthLimit?: number };
    };
  };
  readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
}

/** Weight of the past in the smoothed demand. Cf. seatDemandSmoothingCoefficient. */
const smoothing = 0.977;

/** A priority level: its requests, and its demand for seats. */
export class PriorityLevel {
  readonly name: string;
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'schedule'>;
  readonly #demand: DemandIntegrator;
  #uid = '';
  #isExempt = false;
  #shares: LevelShares = { nominalConcurrencyShares: 0, lendablePercent: 0, borrowingLimitPercent: undefined };
  #queuing: QueuingSettings | undefined;
  #requests: QueueSet;
  #limits: SeatLimits = { nominal: 0, lower: 0, upper: 0 };
  #currentLimit = 0;
  #statistics: DemandStatistics = { average: 0, deviation: 0, highest: 0 };
  #smoothedDemand = 0;

  constructor(name: string, clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'schedule'>) {
    this.name = name;
    this.#clock = clock;
    this.#demand = new DemandIntegrator(clock.monotonicMs());
    this.#requests = this.#createQueueSet();
  }

  get uid(): string {
    return this.#uid;
  }

  /** Its requests never wait. */
  get isExempt(): boolean {
    return this.#isExempt;
  }

  get shares(): LevelShares {
    return this.#shares;
  }

  get requests(): QueueSet {
    return this.#requests;
  }

  get limits(): SeatLimits {
    return this.#limits;
  }

  /** The number of seats after lending and borrowing. */
  get currentLimit(): number {
    return this.#currentLimit;
  }

  /** The highest demand of the last period, in seats. */
  get highestDemand(): number {
    return this.#statistics.highest;
  }

  /** The demand of the last period, in seats. */
  get demand(): DemandStatistics {
    return this.#statistics;
  }

  /** The demand of the last periods, in seats. */
  get smoothedDemand(): number {
    return this.#smoothedDemand;
  }

  /** Follows the object. Requests that wait stay in their queues, also when their number changes. */
  configure({ metadata, ...object }: ApiObject): void {
    const { type, limited, exempt } = object['spec'] as LevelSpec;
    this.#uid = metadata.uid ?? '';
    this.#isExempt = type === 'Exempt';
    const { nominalConcurrencyShares = this.#isExempt ? 0 : 30, lendablePercent = 0 } = (this.#isExempt ? exempt : limited) ?? {};
    this.#shares = { nominalConcurrencyShares, lendablePercent, borrowingLimitPercent: limited?.borrowingLimitPercent };
    const queuing = this.#isExempt ? undefined : queuingOf(limited?.limitResponse);
    const isUnchanged = isSame(queuing, this.#queuing);
    this.#queuing = queuing;
    if (!isUnchanged) this.#requests = this.#createQueueSet();
  }

  setLimits(limits: SeatLimits): void {
    this.#limits = limits;
  }

  setCurrentLimit(seats: number): void {
    this.#currentLimit = seats;
    this.#requests.setLimit(this.#isExempt ? Number.POSITIVE_INFINITY : seats);
  }

  /** Ends a period of demand. Cf. seatDemandStats.update. */
  endPeriod(): void {
    this.#statistics = this.#demand.reset(this.#clock.monotonicMs());
    const { average, deviation } = this.#statistics;
    const envelope = average + deviation;
    this.#smoothedDemand = Math.max(envelope, smoothing * this.#smoothedDemand + (1 - smoothing) * envelope);
  }

  #createQueueSet(): QueueSet {
    const onDemand = (seats: number): void => this.#demand.set(seats, this.#clock.monotonicMs());
    return new QueueSet({ clock: this.#clock, queuing: this.#queuing, onDemand });
  }
}

function queuingOf(response: NonNullable<LevelSpec['limited']>['limitResponse']): QueuingSettings | undefined {
  if (response?.type !== 'Queue') return undefined;
  const { queues = 64, handSize = 8, queueLengthLimit = 50 } = response.queuing ?? {};
  return { queues, handSize, queueLengthLimit };
}

function isSame(a: QueuingSettings | undefined, b: QueuingSettings | undefined): boolean {
  if (!a || !b) return a === b;
  return a.queues === b.queues && a.handSize === b.handSize && a.queueLengthLimit === b.queueLengthLimit;
}
