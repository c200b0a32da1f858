/** An item of `OrderedKeys`: a key, and whether it exists at the newest revision. */
export interface KeyItem {
  readonly key: string;
  readonly live: boolean;
}

interface Block<Item extends KeyItem> {
  items: Item[];
  live: number;
}

interface Position {
  readonly block: number;
  readonly index: number;
}

/** A full block is split in two; 512 is where insertion (moving half a block) and search were both fast when measured. */
const blockMax = 512;

/**
 * Items sorted by key (UTF-16 code units), in sorted blocks with a count of their live items:
 * a page starts with two binary searches, and the items after it are counted block by block.
 */
export class OrderedKeys<Item extends KeyItem> {
  #blocks: Block<Item>[] = [];

  /** Replaces all items; `items` must be sorted and unique. */
  load(items: readonly Item[]): void {
    this.#blocks = [];
    // Three quarters full, so that the first inserts do not split every block.
    const size = (blockMax * 3) / 4;
    for (let start = 0; start < items.length; start += size) {
      const block = items.slice(start, start + size);
      this.#blocks.push({ items: block, live: block.filter((item) => item.live).length });
    }
  }

  insert(item: Item): void {
    const { block: at, index } = this.#locate(item.key);
    const block = this.#blocks[at];
    if (!block) {
      this.#blocks.push({ items: [item], live: Number(item.live) });
      return;
    }
    block.items.splice(index, 0, item);
    block.live += Number(item.live);
    if (block.items.length > blockMax) this.#split(at, block);
  }

  remove(item: Item): void {
    const { block: at, index } = this.#locate(item.key);
    const block = this.#blocks[at];
    if (block?.items[index] !== item) return;
    block.items.splice(index, 1);
    block.live -= Number(item.live);
    if (block.items.length === 0) this.#blocks.splice(at, 1);
  }

  /** Must be called when the `live` flag of an inserted item has changed. */
  updateLive(item: Item): void {
    const block = this.#blocks[this.#locate(item.key).block];
    if (block) block.live += item.live ? 1 : -1;
  }

  /** Visits items from key `from` on while `visit` returns true. */
  scan(from: string, visit: (item: Item) => boolean): void {
    let { block: at, index } = this.#locate(from);
    for (; at < this.#blocks.length; at++, index = 0) {
      const items = this.#blocks[at]?.items ?? [];
      for (; index < items.length; index++) {
        const item = items[index];
        if (item && !visit(item)) return;
      }
    }
  }

  /** Number of live items with `from` <= key < `to` (undefined: unbounded). */
  countLive(from: string, to: string | undefined): number {
    if (to !== undefined && to <= from) return 0;
    return (to === undefined ? this.#liveBefore(undefined) : this.#liveBefore(this.#locate(to))) - this.#liveBefore(this.#locate(from));
  }

  #liveBefore(end: Position | undefined): number {
    let count = 0;
    const blocks = end?.block ?? this.#blocks.length;
    for (let at = 0; at < blocks; at++) count += this.#blocks[at]?.live ?? 0;
    const items = end && this.#blocks[end.block]?.items;
    for (let index = 0; items && index < end.index; index++) if (items[index]?.live) count++;
    return count;
  }

  /** The position of `key`, or its insertion point: past the end of a block only in the last one. */
  #locate(key: string): Position {
    const blocks = this.#blocks;
    const block = lowerBound(blocks.length, (at) => lastKey(blocks[at]) < key);
    if (block === blocks.length) return { block: Math.max(0, block - 1), index: blocks[block - 1]?.items.length ?? 0 };
    const items = blocks[block]?.items ?? [];
    return { block, index: lowerBound(items.length, (at) => keyOf(items[at]) < key) };
  }

  #split(at: number, block: Block<Item>): void {
    // Keys inserted in order leave their blocks three quarters full; others split them in half.
    const isLast = at === this.#blocks.length - 1;
    const tail = block.items.splice(isLast ? (blockMax * 3) / 4 : blockMax / 2);
    const live = tail.filter((item) => item.live).length;
    block.live -= live;
    this.#blocks.splice(at + 1, 0, { items: tail, live });
  }
}

/** The first index in [0, length) for which `before` is false, else `length`. */
export function lowerBound(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keyOf(item: KeyItem | undefined): string {
  return item?.key ?? '';
}

function lastKey(block: Block<KeyItem> | undefined): string {
  return keyOf(block?.items.at(-1));
}
