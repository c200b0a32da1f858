import type { RequestHeaders } from '../../../meta/index.ts';

/** The headers of a Node request without conversion: building the platform's Headers costs more than most responses. */
export class NodeHeaders implements RequestHeaders {
  readonly #byName: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly #raw: readonly string[];

  /** `byName`: `IncomingMessage.headers` with lower-case names; `raw`: alternating names and values as sent. */
  constructor(byName: Readonly<Record<string, string | readonly string[] | undefined>>, raw: readonly string[]) {
    this.#byName = byName;
    this.#raw = raw;
  }

  getAll(name: string): readonly string[] {
    return this.#raw.filter((_, index) => index % 2 === 1 && this.#raw[index - 1]?.toLowerCase() === name);
  }

  get(name: string): string | null {
    const value = this.#byName[name.toLowerCase()];
    if (value === undefined) return null;
    return typeof value === 'string' ? value : value.join(', ');
  }

  *[Symbol.iterator](): IterableIterator<[string, string]> {
    for (const [name, value] of Object.entries(this.#byName)) {
      // Skips HTTP/2 pseudo-headers.
      if (value === undefined || name.startsWith(':')) continue;
      yield [name, typeof value === 'string' ? value : value.join(', ')];
    }
  }
}
