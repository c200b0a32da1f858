import { closingQuote } from './closing-quote.ts';

interface MemberNode {
  readonly below: Map<string, MemberNode>;
  index: number | undefined;
}

/** Offsets of the first occurrences of these members (as in `DuplicateMember.steps`) in a JSON text; -1 for members not found. */
export function findMemberOffsets(text: string, members: readonly (readonly string[])[]): readonly number[] {
  return new OffsetSearch(text, members).run();
}

/** A list or object around the current position. */
interface Open {
  /** Undefined when no member below is searched. */
  readonly sought: MemberNode | undefined;
  /** Index of the next item; undefined in an object. */
  item: number | undefined;
  expectsName: boolean;
}

class OffsetSearch {
  readonly #text: string;
  readonly #offsets: number[];
  readonly #open: Open[] = [];
  /** The node of the next value. */
  #value: MemberNode | undefined;

  constructor(text: string, members: readonly (readonly string[])[]) {
    this.#text = text;
    this.#offsets = members.map(() => -1);
    this.#value = treeOf(members);
  }

  run(): readonly number[] {
    for (let at = 0; at < this.#text.length; at++) {
      switch (this.#text[at]) {
        case '"':
          at = this.#passString(at);
          break;
        case '{':
          this.#open.push({ sought: this.#value, item: undefined, expectsName: true });
          break;
        case '[':
          this.#open.push({ sought: this.#value, item: 0, expectsName: false });
          this.#value = this.#value?.below.get('[0]');
          break;
        case '}':
        case ']':
          this.#open.pop();
          break;
        case ',':
          this.#expectNext();
      }
    }
    return this.#offsets;
  }

  /** Passes a name or a value; returns the offset of its closing quotation mark. */
  #passString(start: number): number {
    const end = closingQuote(this.#text, start);
    const container = this.#open.at(-1);
    if (!container?.expectsName) return end;
    container.expectsName = false;
    const name = String(JSON.parse(this.#text.slice(start, end + 1))).toWellFormed();
    this.#value = container.sought?.below.get(`.${name}`);
    const index = this.#value?.index;
    if (index !== undefined && this.#offsets[index] === -1) this.#offsets[index] = start;
    return end;
  }

  #expectNext(): void {
    const container = this.#open.at(-1);
    if (!container) return;
    if (container.item === undefined) container.expectsName = true;
    else this.#value = container.sought?.below.get(`[${++container.item}]`);
  }
}

function treeOf(members: readonly (readonly string[])[]): MemberNode {
  const root: MemberNode = { below: new Map(), index: undefined };
  members.forEach((steps, index) => {
    let at = root;
    for (const step of steps) {
      const next = at.below.get(step) ?? { below: new Map<string, MemberNode>(), index: undefined };
      at.below.set(step, next);
      at = next;
    }
    at.index ??= index;
  });
  return root;
}
