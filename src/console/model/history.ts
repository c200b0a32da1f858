import type { Keep } from './keep.ts';

const historyKey = 'history';
export const historyMax = 1_000;

/** The lines that were run, oldest first; shared by all tabs and kept. */
export class CommandHistory {
  readonly #keep: Keep;
  readonly #tell: (line: string) => void;
  #lines: string[] = [];

  /** `tell` passes a new line to the other tabs. */
  constructor(keep: Keep, tell: (line: string) => void) {
    this.#keep = keep;
    this.#tell = tell;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  async load(): Promise<void> {
    const kept = await this.#keep.get(historyKey);
    if (Array.isArray(kept)) this.#lines = kept.filter((line) => typeof line === 'string').slice(-historyMax);
  }

  async add(line: string): Promise<void> {
    this.hear(line);
    this.#tell(line);
    await this.#keep.set(historyKey, this.#lines);
  }

  /** A line that another tab ran. */
  hear(line: string): void {
    if (line.trim() === '' || this.#lines.at(-1) === line) return;
    this.#lines = [...this.#lines, line].slice(-historyMax);
  }

  async clear(): Promise<void> {
    this.#lines = [];
    await this.#keep.delete(historyKey);
  }

  /** Going back from `from` (exclusive): the next older line that starts with `prefix`. */
  older(prefix: string, from: number): number | undefined {
    for (let at = from - 1; at >= 0; at--) if (this.#lines[at]?.startsWith(prefix)) return at;
    return undefined;
  }

  newer(prefix: string, from: number): number | undefined {
    for (let at = from + 1; at < this.#lines.length; at++) if (this.#lines[at]?.startsWith(prefix)) return at;
    return undefined;
  }

  /** The newest line before `from` that contains `text`. */
  search(text: string, from: number = this.#lines.length): number | undefined {
    if (text === '') return undefined;
    for (let at = from - 1; at >= 0; at--) if (this.#lines[at]?.includes(text)) return at;
    return undefined;
  }
}
