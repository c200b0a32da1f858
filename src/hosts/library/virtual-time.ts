import type { Cluster } from '../../cluster/index.ts';
import type { Clock, ManualClock } from '../../env/index.ts';
import type { RequestTrace } from '../../meta/index.ts';

/** Turns of the event loop without a request after which nothing is in progress. */
const quietTurns = 4;

/**
 * Length of a pause in real time before the time advances while a request is in flight, or other work is in progress: it waits either for
 * the time, or for another thread, which checks a signature or loads a module. The pause doubles up to the limit while neither happens,
 * so that the time of a cluster does not run far ahead on a busy machine, and ends with the next request.
 */
const pauseSlices = { first: 4, limit: 32 };

/** A slice leaves the processor to other threads, then lets work of this thread go on for some turns of the event loop. */
const slice = { sleepMs: 2, turns: 300 };

/** A cluster without changes for this time is idle. */
const idleMs = 15_000;

/** Longest move of the time while work is in progress, which may wait for other threads, too. */
const stepMs = 1_000;

/** Time limit of `runUntilIdle`. */
const limitMs = 24 * 3_600_000;

/** Writes that repeat forever: heartbeats, and events, which follow other changes. */
const heartbeats = /\/leases\/|\/nodes\/[^/]+\/status|\/events(\/|$|\?)/;

type HostTurns = Pick<Clock, 'monotonicMs' | 'nextTurn'>;

/** Advances the time of a cluster with a virtual clock, and waits for the reactions of its components to every timer. */
export class VirtualTime {
  /**
   * The clock of the cluster. Its time slices are those of the host: with its own, work that goes on by promises only, such as requests in an
   * endless loop, would never yield to the event loop.
   */
  readonly clock: Clock;
  readonly #clock: ManualClock;
  readonly #real: HostTurns;
  /** The work of other threads in progress; these promises never reject. */
  readonly #hostWork = new Set<Promise<void>>();
  #cluster: Pick<Cluster, 'requestsInFlight'> | undefined;
  #requests = 0;
  #changedMs: number;
  #pauseSlices: number = pauseSlices.first;

  constructor(clock: ManualClock, real: HostTurns) {
    this.#clock = clock;
    this.#real = real;
    this.clock = {
      ...clock,
      hostMs: () => real.monotonicMs(),
      nextTurn: () => real.nextTurn(),
      hostWork: (work) => this.#await(work),
    };
    this.#changedMs = clock.monotonicMs();
  }

  /** Waits for the requests of a cluster from now on. */
  observe(cluster: Pick<Cluster, 'onTrace' | 'requestsInFlight'>): void {
    this.#cluster = cluster;
    cluster.onTrace((trace) => this.#onTrace(trace));
  }

  #onTrace({ method, target, status }: Pick<RequestTrace, 'method' | 'target' | 'status'>): void {
    this.#requests++;
    const isWrite = method !== 'GET' && method !== 'HEAD' && status < 300;
    if (isWrite && !heartbeats.test(target)) this.#changedMs = this.#clock.monotonicMs();
  }

  #await<T>(work: Promise<T>): Promise<T> {
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    this.#hostWork.add(ended);
    void ended.then(() => this.#hostWork.delete(ended));
    return work;
  }

  async advance(ms: number): Promise<void> {
    const untilMs = this.#clock.monotonicMs() + ms;
    await this.#settle();
    for (let dueMs = this.#dueMs(untilMs); dueMs !== undefined; dueMs = this.#dueMs(untilMs)) {
      await this.#clock.advance(Math.max(0, dueMs - this.#clock.monotonicMs()));
      await this.#settle();
    }
    await this.#clock.advance(untilMs - this.#clock.monotonicMs());
    await this.#settle();
  }

  /** Moves the time while work is in progress; `waitsForTime` is true while the work is known to wait for nothing else. */
  async runUntilSettled<Result>(work: Promise<Result>, waitsForTime: () => boolean): Promise<Result> {
    let isSettled = false;
    const markSettled = (): void => {
      isSettled = true;
    };
    work.then(markSettled, markSettled);
    const isInProgress = (): boolean => !isSettled && !waitsForTime();
    for (await this.#settle(isInProgress); !isSettled; await this.#settle(isInProgress)) {
      const dueMs = this.#dueMs(this.#clock.monotonicMs() + stepMs);
      await this.#clock.advance(dueMs === undefined ? stepMs : Math.max(0, dueMs - this.#clock.monotonicMs()));
    }
    return work;
  }

  async runUntilIdle(): Promise<number> {
    const startMs = this.#clock.monotonicMs();
    this.#changedMs = startMs;
    while (this.#clock.monotonicMs() < this.#changedMs + idleMs && this.#clock.monotonicMs() < startMs + limitMs) await this.advance(1_000);
    return this.#clock.monotonicMs() - startMs;
  }

  /** The next scheduled time that is not later than `untilMs`. */
  #dueMs(untilMs: number): number | undefined {
    const dueMs = this.#clock.nextDueMs();
    return dueMs !== undefined && dueMs <= untilMs ? dueMs : undefined;
  }

  get #isRequestInFlight(): boolean {
    return this.#cluster !== undefined && this.#cluster.requestsInFlight > 0;
  }

  async #settle(isInProgress = (): boolean => false): Promise<void> {
    for (let isSettled = false; !isSettled; ) {
      const requests = this.#requests;
      const isQuiet = (): boolean => requests === this.#requests;
      for (let turn = 0; turn < quietTurns && isQuiet(); turn++) await this.#real.nextTurn();
      if (this.#hostWork.size > 0) {
        await Promise.race(this.#hostWork);
        continue;
      }
      await this.#pauseWhile(() => isQuiet() && (this.#isRequestInFlight || isInProgress()));
      isSettled = isQuiet();
      if (!isSettled) this.#pauseSlices = pauseSlices.first;
    }
  }

  async #pauseWhile(isWaiting: () => boolean): Promise<void> {
    if (!isWaiting()) return;
    const slices = this.#pauseSlices;
    this.#pauseSlices = Math.min(2 * slices, pauseSlices.limit);
    for (let at = 0; at < slices && isWaiting(); at++) {
      await sleepInRealTime(slice.sleepMs);
      for (let turn = 0; turn < slice.turns && isWaiting(); turn++) await this.#real.nextTurn();
    }
  }
}

/** Unlike the sleep of Node's clock, prevents the exit of the process. */
function sleepInRealTime(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
