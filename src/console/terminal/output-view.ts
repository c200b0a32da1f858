import type { OutputRun } from './stored-blocks.ts';

/** Lines per part of an output. The browser skips the layout of parts outside the viewport but still finds their text. */
const partLines = 200;

interface OutputChunk {
  text: string;
  readonly stream: 'out' | 'err';
  /** Note beside a line that is struck through. */
  readonly beside?: string;
}

/**
 * Appends text to an element, including incomplete lines. Writes are batched and rendered once per frame, so that thousands of lines
 * per second need one layout per frame.
 */
export class OutputView {
  readonly #root: HTMLElement;
  readonly #onAppend: () => void;
  #pending: OutputChunk[] = [];
  #part: HTMLElement | undefined;
  #linesInPart = 0;
  #frame: number | undefined;
  /** Number of line breaks written. */
  lines = 0;
  paused = false;

  constructor(root: HTMLElement, onAppend: () => void) {
    this.#root = root;
    this.#onAppend = onAppend;
  }

  write(text: string, stream: 'out' | 'err'): void {
    if (text === '') return;
    const last = this.#pending.at(-1);
    if (last?.stream === stream && last.beside === undefined) last.text += text;
    else this.#pending.push({ text, stream });
    if (this.#frame === undefined && !this.paused) this.#frame = requestAnimationFrame(() => this.flush());
  }

  /** Strikes through the last written line. The note beside it is not part of the text. */
  strike(beside: string): void {
    const last = this.#pending.at(-1);
    if (last?.stream !== 'out') return;
    const at = last.text.lastIndexOf('\n', last.text.length - 2) + 1;
    this.#pending.push({ text: last.text.slice(at), stream: 'out', beside });
    last.text = last.text.slice(0, at);
  }

  /** Renders pending output immediately. */
  flush(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    if (this.#pending.length === 0) return;
    for (const written of this.#pending.splice(0)) this.#append(written);
    this.#onAppend();
  }

  /** The rendered output, in order. */
  get runs(): readonly OutputRun[] {
    const spans = this.#root.querySelectorAll<HTMLElement>('.part > span');
    return [...spans].map((span) => [span.className === 'err' ? 'err' : 'out', span.textContent ?? '']);
  }

  /** Later output follows what others have appended to the element meanwhile. */
  startPart(): void {
    this.flush();
    this.#part = undefined;
    this.#linesInPart = 0;
  }

  #append({ text, stream, beside }: OutputChunk): void {
    const lines = text.split('\n');
    this.lines += lines.length - 1;
    for (let at = 0; at < lines.length; ) {
      const free = partLines - this.#linesInPart;
      const some = lines.slice(at, at + free);
      at += free;
      const more = at < lines.length;
      this.#appendToPart(some.join('\n') + (more ? '\n' : ''), stream, beside);
      this.#linesInPart += some.length - (more ? 0 : 1);
      if (more) this.#newPart();
    }
  }

  #appendToPart(text: string, stream: 'out' | 'err', beside: string | undefined): void {
    if (text === '') return;
    const part = this.#part ?? this.#newPart();
    let run = part.lastElementChild;
    if (run?.className !== stream) {
      run = document.createElement('span');
      run.className = stream;
      part.append(run);
    }
    if (beside === undefined) run.append(text);
    else run.append(createStruckLine(text.trimEnd(), beside), text.slice(text.trimEnd().length));
  }

  #newPart(): HTMLElement {
    // The height of the previous part is final.
    this.#part?.style.setProperty('contain-intrinsic-size', `auto ${this.#linesInPart * 1.5}em`);
    this.#part?.classList.add('full');
    const part = document.createElement('span');
    part.className = 'part';
    this.#root.append(part);
    this.#part = part;
    this.#linesInPart = 0;
    return part;
  }
}

function createStruckLine(line: string, beside: string): HTMLElement {
  const mark = document.createElement('del');
  mark.dataset['beside'] = beside;
  mark.append(line);
  return mark;
}
