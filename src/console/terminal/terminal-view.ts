/** One character of the line that is written. */
interface Cell {
  readonly character: string;
  /** Class names for colours: `c2 bold`. */
  readonly style: string;
}

/** Lines that are retained. Older ones are removed. */
const linesMax = 5_000;

const escapeCharacter = '\x1b';
/** What follows the escape character. */
const controlSequence = /^\[([0-9;?]*)([@-~])/;
const beginOfSequence = /^(?:\[[0-9;?]*)?$/;

/**
 * Shows the output of a terminal: the line that is written can be changed by carriage returns, backspaces and control sequences (ECMA-48:
 * cursor in the line, erasing, colours). Rendered once per frame.
 */
export class TerminalView {
  readonly #root: HTMLElement;
  readonly #onAppend: () => void;
  readonly #current: HTMLElement;
  readonly #caret: HTMLElement;
  #finished: Cell[][] = [];
  #line: Cell[] = [];
  #cursor = 0;
  #style = '';
  #rest = '';
  #frame: number | undefined;
  /** Number of line breaks written. */
  lines = 0;

  constructor(root: HTMLElement, onAppend: () => void) {
    this.#root = root;
    this.#onAppend = onAppend;
    this.#current = document.createElement('span');
    this.#caret = document.createElement('span');
    this.#caret.className = 'caret';
    root.append(this.#current);
  }

  write(text: string): void {
    let rest = this.#rest + text;
    this.#rest = '';
    while (rest !== '') {
      const isEscape = rest.startsWith(escapeCharacter);
      const [sequence, parameters = '', final = ''] = (isEscape && controlSequence.exec(rest.slice(1))) || [];
      if (sequence !== undefined) {
        this.#control(parameters, final);
        rest = rest.slice(1 + sequence.length);
      } else if (isEscape && beginOfSequence.test(rest.slice(1))) {
        this.#rest = rest;
        break;
      } else {
        const [character = ''] = rest;
        this.#put(character);
        rest = rest.slice(character.length);
      }
    }
    this.#frame ??= requestAnimationFrame(() => this.flush());
  }

  flush(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    for (const line of this.#finished.splice(0)) {
      const shown = document.createElement('span');
      shown.append(...runsOf(line), '\n');
      this.#current.before(shown);
    }
    while (this.#root.childElementCount > linesMax) this.#root.firstElementChild?.remove();
    this.#caret.textContent = this.#line[this.#cursor]?.character ?? ' ';
    this.#current.replaceChildren(...runsOf(this.#line.slice(0, this.#cursor)), this.#caret, ...runsOf(this.#line.slice(this.#cursor + 1)));
    this.#onAppend();
  }

  /** Nothing more is written: the caret is removed. */
  close(): void {
    this.flush();
    this.#current.replaceChildren(...runsOf(this.#line));
  }

  #put(character: string): void {
    if (character === '\r') this.#cursor = 0;
    else if (character === '\b') this.#cursor = Math.max(0, this.#cursor - 1);
    else if (character === '\n') this.#breakLine();
    else if (character === '\t') for (const end = (this.#cursor >> 3) * 8 + 8; this.#cursor < end; ) this.#putCell(' ');
    else if (character >= ' ') this.#putCell(character);
  }

  #putCell(character: string): void {
    while (this.#line.length < this.#cursor) this.#line.push({ character: ' ', style: '' });
    this.#line[this.#cursor++] = { character, style: this.#style };
  }

  #breakLine(): void {
    this.#finished.push(this.#line);
    if (this.#finished.length > linesMax) this.#finished.shift();
    this.#line = [];
    this.#cursor = 0;
    this.lines++;
  }

  #control(parameters: string, final: string): void {
    const count = Math.max(1, Number.parseInt(parameters, 10) || 1);
    switch (final) {
      case 'm':
        this.#style = nextStyle(this.#style, parameters);
        break;
      case 'K':
        if (parameters === '1' || parameters === '2') this.#line.fill({ character: ' ', style: '' }, 0, this.#cursor);
        if (parameters !== '1') this.#line.length = Math.min(this.#line.length, this.#cursor);
        break;
      case 'C':
        this.#cursor += count;
        break;
      case 'D':
        this.#cursor = Math.max(0, this.#cursor - count);
        break;
      case 'G':
        this.#cursor = count - 1;
        break;
      case 'J':
        if (parameters === '2' || parameters === '3') this.#clear();
        break;
      case 'H':
        this.#cursor = 0;
        break;
    }
  }

  #clear(): void {
    this.#finished = [];
    for (const shown of [...this.#root.children]) if (shown !== this.#current) shown.remove();
    this.#line = [];
    this.#cursor = 0;
  }
}

/** Adjacent characters of one style as one node. */
function runsOf(cells: readonly Cell[]): Node[] {
  const runs: { text: string; readonly style: string }[] = [];
  for (const { character, style } of cells) {
    const last = runs.at(-1);
    if (last?.style === style) last.text += character;
    else runs.push({ text: character, style });
  }
  return runs.map(({ text, style }) => {
    if (style === '') return document.createTextNode(text);
    const run = document.createElement('span');
    run.className = style;
    run.append(text);
    return run;
  });
}

/** Codes below 20 set the attribute, the others reset it. */
const attributes: Readonly<Record<number, string>> = { 1: 'bold', 7: 'inverse', 22: 'bold', 27: 'inverse' };
const defaultColour = 39;

const isColour = (code: number): boolean => (code >= 30 && code <= 37) || (code >= 90 && code <= 97);

/** Select Graphic Rendition: bold, inverse and the eight colours, as class names. */
function nextStyle(style: string, parameters: string): string {
  const names = new Set(style === '' ? [] : style.split(' '));
  for (const code of parameters === '' ? [0] : parameters.split(';').map(Number)) {
    const attribute = attributes[code];
    if (code === 0) names.clear();
    else if (attribute) names[code < 20 ? 'add' : 'delete'](attribute);
    else if (code === defaultColour || isColour(code)) removeColour(names);
    if (isColour(code)) names.add(`c${code % 10}`);
  }
  return [...names].join(' ');
}

function removeColour(names: Set<string>): void {
  for (const name of names) if (/^c\d$/.test(name)) names.delete(name);
}
