import type { KeyValueStore } from './key-value-store.ts';

const historyKey = 'history';
export const historyMax = 1_000;

/** The command history, oldest first. Stored, and shared by all tabs. */
export class CommandHistory {
  readonly #store: KeyValueStore;
  readonly #broadcast: (line: string) => void;
  #lines: string[] = [];

  /** `broadcast` sends a new line to the other tabs. */
  constructor(store: KeyValueStore, broadcast: (line: string) => void) {
    this.#store = store;
    this.#broadcast = broadcast;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  async load(): Promise<void> {
    const stored = await this.#store.get(historyKey);
    if (Array.isArray(stored)) this.#lines = stored.filter((line) => typeof line === 'string').slice(-historyMax);
  }

  async add(line: string): Promise<void> {
    this.append(line);
    this.#broadcast(line);
    await this.#store.set(historyKey, this.#lines);
  }

  /** Appends a line from another tab without storing it. */
  append(line: string): void {
    if (line.trim() === '' || this.#lines.at(-1) === line) return;
    this.#lines = [...this.#lines, line].slice(-historyMax);
  }

  async clear(): Promise<void> {
    this.#lines = [];
    await this.#store.delete(historyKey);
  }

  /** The index of the next line before `from` (exclusive) that starts with `prefix`. */
  older(prefix: string, from: number): number | undefined {
    for (let at = from - 1; at >= 0; at--) if (this.#lines[at]?.startsWith(prefix)) return at;
    return undefined;
  }

  newer(prefix: string, from: number): number | undefined {
    for (let at = from + 1; at < this.#lines.length; at++) if (this.#lines[at]?.startsWith(prefix)) return at;
    return undefined;
  }

  /** The index of the last line before `from` that contains `text`. */
  search(text: string, from: number = this.#lines.length): number | undefined {
    if (text === '') return undefined;
    for (let at = from - 1; at >= 0; at--) if (this.#lines[at]?.includes(text)) return at;
    return undefined;
  }
}
