import type { LogLine } from './log-buffer.ts';

/** Shows lines of a log in an element. Thousands of lines change in a frame, so they are no template. */
export class LogView {
  readonly #root: HTMLElement;
  /** The number of lines of the log that were shown or filtered out, or dropped before. */
  #end = 0;
  #filter = '';
  /** The positions of the shown lines in the log, in order. */
  #shown: number[] = [];

  constructor(root: HTMLElement) {
    this.#root = root;
  }

  /** The number of shown lines. */
  get count(): number {
    return this.#shown.length;
  }

  /** Shows the lines that contain the text, without regard to case. `dropped` lines of the log were before them. */
  show(lines: readonly LogLine[], dropped: number, filter: string): void {
    if (filter !== this.#filter) this.clear();
    this.#filter = filter;
    while ((this.#shown[0] ?? dropped) < dropped) {
      this.#shown.shift();
      this.#root.firstElementChild?.remove();
    }
    const added = document.createDocumentFragment();
    for (let at = Math.max(this.#end, dropped); at < dropped + lines.length; at++) {
      const line = lines[at - dropped];
      const element = line && createLine(line, filter);
      if (element === undefined) continue;
      added.append(element);
      this.#shown.push(at);
    }
    this.#end = dropped + lines.length;
    this.#root.append(added);
  }

  clear(): void {
    this.#end = 0;
    this.#shown = [];
    this.#root.replaceChildren();
  }
}

/** A line with marked matches; undefined: it has none. The text of the element is the line as kubectl prints it. */
function createLine({ time, text }: LogLine, filter: string): HTMLElement | undefined {
  const parts = filter === '' ? [text] : splitMatches(text, filter);
  if (filter !== '' && parts.length === 1) return undefined;
  const element = document.createElement('span');
  element.className = 'line';
  if (time !== '') element.append(createPart('time', `${time} `));
  element.append(...parts.map((part, at) => (at % 2 === 1 ? createPart('mark', part) : part)), '\n');
  return element;
}

function createPart(name: 'time' | 'mark', text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}

/** The parts between the matches, and the matches, in turns. */
export function splitMatches(text: string, filter: string): readonly string[] {
  const [searched, wanted] = [text.toLowerCase(), filter.toLowerCase()];
  // A letter may have another length in lower case.
  if (searched.length !== text.length) return searched.includes(wanted) ? ['', text, ''] : [text];
  const parts: string[] = [];
  let from = 0;
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}
