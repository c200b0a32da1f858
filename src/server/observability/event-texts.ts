import { attachedValues } from '../../meta/index.ts';
import type { Change } from '../../storage/index.ts';
import type { Chunk } from '../../watch/index.ts';

/** Cache of encoded events by change: watches with the same format share one text. Entries are collected with their change. */
export class EventTexts {
  readonly #byChange = attachedValues<Change, Map<string, Chunk>>();

  of(change: Change, view: string, encode: () => Chunk): Chunk {
    let views = this.#byChange.get(change);
    if (!views) {
      views = new Map();
      this.#byChange.set(change, views);
    }
    let chunk = views.get(view);
    if (chunk === undefined) {
      chunk = encode();
      views.set(view, chunk);
    }
    return chunk;
  }
}
