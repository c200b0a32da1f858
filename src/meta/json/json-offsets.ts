interface MemberNode {
  readonly below: Map<string, MemberNode>;
  index: number | undefined;
}

/** Offsets of the first occurrences of these members (as in `DuplicateMember.steps`) in a JSON text; -1 for members not found. */
export function findMemberOffsets(text: string, members: readonly (readonly string[])[]): readonly number[] {
  const offsets = members.map(() => -1);
  const open: Open[] = [];
  let value: MemberNode | undefined = treeOf(members);
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    const container = open.at(-1);
    if (character === '"') {
      const start = at;
      at = endOfString(text, start);
      if (!container?.expectsName) continue;
      container.expectsName = false;
      value = container.sought?.below.get(`.${String(JSON.parse(text.slice(start, at + 1))).toWellFormed()}`);
      if (value?.index !== undefined && offsets[value.index] === -1) offsets[value.index] = start;
    } else if (character === '{') open.push({ sought: value, item: undefined, expectsName: true });
    else if (character === '[') {
      open.push({ sought: value, item: 0, expectsName: false });
      value = value?.below.get('[0]');
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && container) {
      if (container.item === undefined) container.expectsName = true;
      else value = container.sought?.below.get(`[${++container.item}]`);
    }
  }
  return offsets;
}

/** A list or object around the current position. */
interface Open {
  /** Undefined when no member below is searched. */
  readonly sought: MemberNode | undefined;
  /** Index of the next item; undefined in an object. */
  item: number | undefined;
  expectsName: boolean;
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

/** The offset of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (; text[at] !== '"'; at++) if (text[at] === '\\') at++;
  return at;
}
