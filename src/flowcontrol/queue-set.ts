import type { Attributes } from '../authz/index.ts';
import type { Clock } from '../env/index.ts';
import { FlowCounts, type RejectReason } from './flow-counts.ts';
import { ShuffleSharding } from './shuffle-sharding.ts';

/** How many requests of a priority level wait, and in which queues. */
export interface QueuingSettings {
  readonly queues: number;
  /** Number of queues of one flow; that with the least waiting work receives its next request. */
  readonly handSize: number;
  /** Maximum number of waiting requests of one queue. */
  readonly queueLengthLimit: number;
}

/** A request that needs seats. */
export interface SeatRequest {
  readonly flowSchema: string;
  /** The user or namespace that distinguishes flows of one schema; empty: the schema has one flow. */
  readonly distinguisher: string;
  readonly attributes: Attributes;
  readonly seats: number;
}

/** Flow control has rejected the request. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  readonly reason: RejectReason;

  constructor(reason: RejectReason) {
    super(`rejected by flow control: ${reason}`);
    this.reason = reason;
  }
}

/** A request that waits or is executed. */
export interface QueuedRequest extends SeatRequest {
  /** Unix time, in milliseconds. */
  readonly arrivedMs: number;
  /** The virtual time when it arrived. */
  readonly arrivedR: number;
  /** Unix time, in milliseconds; undefined: it waits. */
  startedMs: number | undefined;
}

interface Waiting extends QueuedRequest {
  readonly start: () => void;
}

export interface Queue {
  readonly waiting: readonly QueuedRequest[];
  readonly executing: ReadonlySet<QueuedRequest>;
  /** Virtual time at which its first waiting request starts, in seat-seconds. */
  readonly nextDispatchR: number;
  readonly seatsInUse: number;
  readonly seatsWaiting: number;
}

interface MutableQueue extends Queue {
  readonly waiting: Waiting[];
  readonly executing: Set<QueuedRequest>;
  nextDispatchR: number;
  seatsInUse: number;
  seatsWaiting: number;
}

/** The assumed duration of a request until it is known, in seconds. Cf. estimatedServiceDuration. */
const estimatedSeconds = 0.003;

export interface QueueSetOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'monotonicMs' | 'schedule'>;
  /** Undefined: requests above the limit are rejected at once. */
  readonly queuing: QueuingSettings | undefined;
  /** Receives the number of seats in use and waiting when it changes. */
  readonly onDemand: (seats: number) => void;
}

/**
 * The requests of one priority level, in fair queues: virtual time advances by the share of the seats that each active queue has, and the
 * queue whose first request would end first in virtual time is served next. Cf. k8s.io/apiserver util/flowcontrol/fairqueuing/queueset.
 */
export class QueueSet {
  readonly queues: readonly Queue[];
  readonly #clock: QueueSetOptions['clock'];
  readonly #queuing: QueuingSettings | undefined;
  readonly #onDemand: (seats: number) => void;
  readonly #queues: readonly MutableQueue[];
  readonly #sharding: ShuffleSharding | undefined;
  /** Seats that may be in use at once. */
  #limit = 0;
  #seatsInUse = 0;
  #seatsWaiting = 0;
  #executing = 0;
  #waiting = 0;
  /** Number of queues with requests. */
  #activeQueues = 0;
  #currentR = 0;
  #lastMs: number;
  #lastServed = 0;
  readonly #counts = new Map<string, FlowCounts>();

  constructor({ clock, queuing, onDemand }: QueueSetOptions) {
    this.#clock = clock;
    this.#queuing = queuing;
    this.#onDemand = onDemand;
    this.#lastMs = clock.monotonicMs();
    this.#sharding = queuing && new ShuffleSharding(queuing.queues, queuing.handSize);
    this.#queues = Array.from({ length: queuing?.queues ?? 1 }, () => ({
      waiting: [],
      executing: new Set<QueuedRequest>(),
      nextDispatchR: 0,
      seatsInUse: 0,
      seatsWaiting: 0,
    }));
    this.queues = this.#queues;
  }

  /** Whether requests wait in queues when there are no seats. */
  get hasQueues(): boolean {
    return this.#queuing !== undefined;
  }

  /** Requests of an exempt level have no limit, and their waits are not measured. */
  get #isLimited(): boolean {
    return this.#limit !== Number.POSITIVE_INFINITY;
  }

  get executing(): number {
    return this.#executing;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** By flow schema. */
  get counts(): ReadonlyMap<string, FlowCounts> {
    return this.#counts;
  }

  /** Changes the number of seats; waiting requests start when there are more. */
  setLimit(seats: number): void {
    this.#syncTime();
    this.#limit = seats;
    this.#dispatch();
  }

  /**
   * Takes seats: returns the function that releases them, or a promise of it when the request has to wait. `signal` ends the waiting.
   * @throws Rejected, or the promise rejects with it
   */
  enter(request: SeatRequest, waitLimitMs: number, signal: AbortSignal): (() => void) | Promise<() => void> {
    this.#syncTime();
    const queue = this.#chooseQueue(request);
    this.#countsOf(request).seats.observe(request.seats);
    const queued: QueuedRequest = { arrivedMs: this.#clock.nowMs(), arrivedR: this.#currentR, startedMs: undefined, ...request };
    if (this.#waiting === 0 && this.#hasSeatsFor(request)) return this.#start(queued, queue);
    if (!this.#queuing) throw this.#rejected(request, 'concurrency-limit');
    const isFull = queue.waiting.length >= this.#queuing.queueLengthLimit;
    if (isFull && this.#seatsInUse >= this.#limit) throw this.#rejected(request, 'queue-full');
    return this.#wait(queued, queue, waitLimitMs, signal);
  }

  #countsOf({ flowSchema }: SeatRequest): FlowCounts {
    const known = this.#counts.get(flowSchema);
    if (known) return known;
    const counts = new FlowCounts();
    this.#counts.set(flowSchema, counts);
    return counts;
  }

  #rejected(request: SeatRequest, reason: RejectReason, waitedMs = 0): Rejected {
    const counts = this.#countsOf(request);
    counts.rejected[reason]++;
    counts.rejectedWaits.observe(waitedMs / 1000);
    return new Rejected(reason);
  }

  #queueAt(index: number): MutableQueue {
    const queue = this.#queues[index];
    if (!queue) throw new RangeError(`there is no queue ${index}`);
    return queue;
  }

  /** The queue of the flow with the least waiting work. Cf. shuffleShardLocked. */
  #chooseQueue({ flowSchema, distinguisher }: SeatRequest): MutableQueue {
    if (!this.#sharding) return this.#queueAt(0);
    let best: MutableQueue | undefined;
    for (const index of this.#sharding.handOf(flowSchema, distinguisher)) {
      const queue = this.#queueAt(index);
      if (!best || queue.seatsWaiting < best.seatsWaiting) best = queue;
    }
    return best ?? this.#queueAt(0);
  }

  /** A request that needs more seats than there are runs alone. Cf. canAccommodateSeatsLocked. */
  #hasSeatsFor({ seats }: SeatRequest): boolean {
    return seats > this.#limit ? this.#executing === 0 : this.#seatsInUse + seats <= this.#limit;
  }

  #start(request: QueuedRequest, queue: MutableQueue): () => void {
    const startMs = this.#clock.monotonicMs();
    this.#activate(queue);
    request.startedMs = this.#clock.nowMs();
    queue.nextDispatchR += estimatedSeconds * request.seats;
    queue.executing.add(request);
    queue.seatsInUse += request.seats;
    this.#executing++;
    this.#seatsInUse += request.seats;
    const counts = this.#countsOf(request);
    counts.dispatched++;
    counts.executing++;
    counts.seatsInUse += request.seats;
    if (this.#isLimited) counts.executedWaits.observe((request.startedMs - request.arrivedMs) / 1000);
    this.#reportDemand();
    return () => this.#finish(request, queue, startMs);
  }

  #finish(request: QueuedRequest, queue: MutableQueue, startMs: number): void {
    this.#syncTime();
    if (!queue.executing.delete(request)) return;
    // The actual duration replaces the estimated one.
    queue.nextDispatchR += ((this.#clock.monotonicMs() - startMs) / 1000 - estimatedSeconds) * request.seats;
    queue.seatsInUse -= request.seats;
    if (isIdle(queue)) this.#activeQueues--;
    this.#executing--;
    this.#seatsInUse -= request.seats;
    const counts = this.#countsOf(request);
    const isWatch = request.attributes.verb === 'watch';
    counts.executions[isWatch ? 'watch' : 'regular'].observe((this.#clock.monotonicMs() - startMs) / 1000);
    counts.executing--;
    counts.seatsInUse -= request.seats;
    this.#boundNextDispatch(queue);
    this.#reportDemand();
    this.#dispatch();
  }

  #wait(request: QueuedRequest, queue: MutableQueue, waitLimitMs: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        cancelTimer();
        signal.removeEventListener('abort', abort);
      };
      const giveUp = (reason: RejectReason): void => {
        settle();
        this.#remove(waiting, queue);
        reject(this.#rejected(request, reason, this.#clock.nowMs() - request.arrivedMs));
      };
      const start = (): void => {
        settle();
        resolve(this.#start(request, queue));
      };
      const abort = (): void => giveUp('cancelled');
      const cancelTimer = this.#clock.schedule(waitLimitMs, () => giveUp('time-out'));
      signal.addEventListener('abort', abort, { once: true });
      const waiting: Waiting = Object.assign(request, { start });
      this.#activate(queue);
      queue.waiting.push(waiting);
      this.#countWaiting(queue, request, 1);
      this.#reportDemand();
      this.#dispatch();
    });
  }

  /** The virtual time of a queue without requests does not advance. */
  #activate(queue: MutableQueue): void {
    if (!isIdle(queue)) return;
    this.#activeQueues++;
    queue.nextDispatchR = this.#currentR;
  }

  #remove(request: Waiting, queue: MutableQueue): void {
    this.#syncTime();
    queue.waiting.splice(queue.waiting.indexOf(request), 1);
    if (isIdle(queue)) this.#activeQueues--;
    this.#countWaiting(queue, request, -1);
    this.#boundNextDispatch(queue);
    this.#reportDemand();
    this.#dispatch();
  }

  #countWaiting(queue: MutableQueue, request: SeatRequest, change: 1 | -1): void {
    const seats = change * request.seats;
    queue.seatsWaiting += seats;
    this.#waiting += change;
    this.#seatsWaiting += seats;
    this.#countsOf(request).waiting += change;
  }

  /** Starts waiting requests as long as there are seats. */
  #dispatch(): void {
    while (this.#waiting > 0) {
      const queue = this.#nextQueue();
      const first = queue?.waiting[0];
      if (!queue || !first || !this.#hasSeatsFor(first)) return;
      this.#lastServed = this.#queues.indexOf(queue);
      this.#countWaiting(queue, first, -1);
      first.start();
      queue.waiting.shift();
      this.#boundNextDispatch(queue);
    }
  }

  /** The queue whose first request ends first in virtual time; among equal ones in turn. Cf. findDispatchQueueToBoundLocked. */
  #nextQueue(): MutableQueue | undefined {
    let best: MutableQueue | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= this.#queues.length; step++) {
      const queue = this.#queueAt((this.#lastServed + step) % this.#queues.length);
      const first = queue.waiting[0];
      if (!first) continue;
      const ends = queue.nextDispatchR + estimatedSeconds * first.seats;
      if (ends >= earliest) continue;
      earliest = ends;
      best = queue;
    }
    return best;
  }

  /** No request starts before it arrived, in virtual time. Cf. boundNextDispatchLocked. */
  #boundNextDispatch(queue: MutableQueue): void {
    const first = queue.waiting[0];
    if (first && queue.nextDispatchR < first.arrivedR) queue.nextDispatchR = first.arrivedR;
  }

  /** Advances the virtual time. Cf. syncTimeLocked, getVirtualTimeRatioLocked. */
  #syncTime(): void {
    const now = this.#clock.monotonicMs();
    const seconds = (now - this.#lastMs) / 1000;
    this.#lastMs = now;
    // Without queues no virtual time is needed.
    if (seconds <= 0 || !this.#queuing || this.#executing + this.#waiting === 0) return;
    this.#currentR += (seconds * Math.min(this.#seatsInUse + this.#seatsWaiting, this.#limit)) / this.#activeQueues;
  }

  #reportDemand(): void {
    this.#onDemand(this.#seatsInUse + this.#seatsWaiting);
  }
}

function isIdle({ executing, waiting }: Queue): boolean {
  return executing.size === 0 && waiting.length === 0;
}
