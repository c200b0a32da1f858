import type { Change } from '../storage/index.ts';
import type { Chunk } from '../watch/index.ts';

/** A watcher that comes later encodes for itself; the past must not be held twice. */
const charactersKept = 8 * 1024 * 1024;

/** Encoded events of the last changes: a thousand watchers of one view share one text. */
export class EventTexts {
  #lately = new Map<Change, Map<string, Chunk>>();
  #before: ReadonlyMap<Change, Map<string, Chunk>> = new Map();
  #characters = 0;

  of(change: Change, view: string, encode: () => Chunk): Chunk {
    let views = this.#lately.get(change) ?? this.#before.get(change);
    if (!views) {
      this.#makeRoom();
      views = new Map();
      this.#lately.set(change, views);
    }
    let chunk = views.get(view);
    if (chunk === undefined) {
      chunk = encode();
      views.set(view, chunk);
      this.#characters += chunk.length;
    }
    return chunk;
  }

  #makeRoom(): void {
    if (this.#characters < charactersKept / 2) return;
    this.#before = this.#lately;
    this.#lately = new Map();
    this.#characters = 0;
  }
}
