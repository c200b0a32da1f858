import type { Clock, Log } from '../../env/index.ts';
import type { EtcdClient, EtcdEvent, WatchEnd } from './etcd-client.ts';

/** A watch that was cut begins again after this; twice as long each time, up to the longest. */
const firstPauseMs = 50;
const longestPauseMs = 1_000;

export interface EventFeedOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Events in order and once each, all of a revision together. */
  readonly deliver: (events: readonly EtcdEvent[]) => void;
  /** Changes were compacted before they were told; the feed rests until it is started anew. */
  readonly lost: (compacted: number) => void;
}

/** Every event of a cluster after a revision, over as many watches on as many members as it takes. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #next = 1;
  #pauseMs = firstPauseMs;
  #end: (() => void) | undefined;
  #cancelPause: (() => void) | undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** Begins after `revision`. */
  start(revision: number): void {
    this.#next = revision + 1;
    this.restart();
  }

  /** Leaves a watch that is too slow to be alive for another one. */
  restart(): void {
    this.stop();
    // What an ended watch still says is not heard.
    let isCurrent = true;
    const end = this.#options.client.watch({
      from: this.#next,
      deliver: (events) => {
        if (isCurrent) this.#deliver(events);
      },
      ended: (why) => {
        if (isCurrent) this.#ended(why);
      },
    });
    this.#end = () => {
      isCurrent = false;
      end();
    };
  }

  stop(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#end?.();
    this.#end = undefined;
  }

  #deliver(events: readonly EtcdEvent[]): void {
    const fresh = events.filter(({ revision }) => revision >= this.#next);
    const last = fresh.at(-1);
    if (!last) return;
    this.#next = last.revision + 1;
    this.#pauseMs = firstPauseMs;
    this.#options.deliver(fresh);
  }

  #ended(why: WatchEnd): void {
    this.stop();
    if ('compacted' in why) {
      this.#options.lost(why.compacted);
      return;
    }
    this.#options.log.info('watch of etcd was cut', { why: why.error.message, next: this.#next });
    this.#cancelPause = this.#options.clock.schedule(this.#pauseMs, () => this.restart());
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
