import type { Clock, Log } from '../../env/index.ts';
import type { EtcdClient, EtcdEvent, WatchEnd } from './etcd-client.ts';

/** Backoff before an interrupted watch is restarted; doubles up to the longest. */
const firstPauseMs = 50;
const longestPauseMs = 1_000;

export interface EventFeedOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Receives each event once, in order, all events of a revision in one batch. */
  readonly deliver: (events: readonly EtcdEvent[]) => void;
  /** Changes were compacted before they were delivered; the feed is stopped until `start` is called again. */
  readonly onCompacted: (compacted: number) => void;
}

/** Delivers every event of a cluster after a revision; restarts interrupted watches, on any member. */
export class EventFeed {
  readonly #options: EventFeedOptions;
  #next = 1;
  #pauseMs = firstPauseMs;
  #cancelWatch: (() => void) | undefined;
  #cancelPause: (() => void) | undefined;

  constructor(options: EventFeedOptions) {
    this.#options = options;
  }

  /** Starts after `revision`. */
  start(revision: number): void {
    this.#next = revision + 1;
    this.restart();
  }

  /** Replaces the current watch, for instance one that has stalled. */
  restart(): void {
    this.stop();
    // Events of a cancelled watch are ignored.
    let isCurrent = true;
    const end = this.#options.client.watch({
      from: this.#next,
      deliver: (events) => {
        if (isCurrent) this.#deliver(events);
      },
      onEnd: (why) => {
        if (isCurrent) this.#handleEnd(why);
      },
    });
    this.#cancelWatch = () => {
      isCurrent = false;
      end();
    };
  }

  stop(): void {
    this.#cancelPause?.();
    this.#cancelPause = undefined;
    this.#cancelWatch?.();
    this.#cancelWatch = undefined;
  }

  #deliver(events: readonly EtcdEvent[]): void {
    const fresh = events.filter(({ revision }) => revision >= this.#next);
    const last = fresh.at(-1);
    if (!last) return;
    this.#next = last.revision + 1;
    this.#pauseMs = firstPauseMs;
    this.#options.deliver(fresh);
  }

  #handleEnd(why: WatchEnd): void {
    this.stop();
    if ('compacted' in why) {
      this.#options.onCompacted(why.compacted);
      return;
    }
    this.#options.log.info('watch of etcd was cut', { why: why.error.message, next: this.#next });
    this.#cancelPause = this.#options.clock.schedule(this.#pauseMs, () => this.restart());
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }
}
