/** What `OrderedKeys` keeps: a key, and whether something stands under it now. */
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
 * Items in order of their keys (UTF-16 code units), in sorted blocks that know how many of theirs are live:
 * a page starts with two binary searches, and what stands behind it is counted a block at a time.
 */
export class OrderedKeys<Item extends KeyItem> {
  #blocks: Block<Item>[] = [];

  /** Replaces everything; `items` must come in order and without repetition. */
  load(items: readonly Item[]): void {
    this.#blocks = [];
    // Three quarters full, so that a loaded space takes new keys without splitting everywhere.
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

  /** To be told when an item, already inserted, came to life or died. */
  liveChanged(item: Item): void {
    const block = this.#blocks[this.#locate(item.key).block];
    if (block) block.live += item.live ? 1 : -1;
  }

  /** Visits items from key `from` on while `visit` says to go on. */
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

  /** How many live items have `from` <= key < `to` (no upper end when undefined). */
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

  /** Where `key` stands or would stand: never past the end of a block unless it is the last one. */
  #locate(key: string): Position {
    const blocks = this.#blocks;
    const block = lowerBound(blocks.length, (at) => lastKey(blocks[at]) < key);
    if (block === blocks.length) return { block: Math.max(0, block - 1), index: blocks[block - 1]?.items.length ?? 0 };
    const items = blocks[block]?.items ?? [];
    return { block, index: lowerBound(items.length, (at) => keyOf(items[at]) < key) };
  }

  #split(at: number, block: Block<Item>): void {
    // Keys that come in order fill their blocks; others halve them.
    const isLast = at === this.#blocks.length - 1;
    const tail = block.items.splice(isLast ? (blockMax * 3) / 4 : blockMax / 2);
    const live = tail.filter((item) => item.live).length;
    block.live -= live;
    this.#blocks.splice(at + 1, 0, { items: tail, live });
  }
}

/** The first index in [0, length) that is not `before`, else `length`. */
export function lowerBound(length: number, before: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(middle)) low = middle + 1;
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
