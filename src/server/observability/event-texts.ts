import { getOrAdd } from '../../meta/index.ts';
import type { Change } from '../../storage/index.ts';
import type { Chunk } from '../../watch/index.ts';

/** Limit of the texts in the cache, in characters or bytes. The history of five minutes can be much larger. */
const maxLength = 4_000_000;

/** Cache of encoded events by change: watches with the same format share one text. They read a change at about the same time. */
export class EventTexts {
  readonly #byChange = new Map<Change, Map<string, Chunk>>();
  #length = 0;

  of(change: Change, view: string, encode: () => Chunk): Chunk {
    const views = getOrAdd(this.#byChange, change, () => new Map<string, Chunk>());
    const known = views.get(view);
    if (known !== undefined) return known;
    const chunk = encode();
    views.set(view, chunk);
    this.#length += chunk.length;
    if (this.#length > maxLength) {
      this.#byChange.clear();
      this.#length = 0;
    }
    return chunk;
  }
}
