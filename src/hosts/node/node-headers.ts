import type { RequestHeaders } from '../../meta/index.ts';

/** The headers of a Node request as they are: building the platform's Headers costs more than most answers. */
export class NodeHeaders implements RequestHeaders {
  readonly #byName: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly #raw: readonly string[];

  /** `byName`: names in lower case, as `IncomingMessage.headers` has them; `raw`: names and values in turn, as they were sent. */
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
      // HTTP/2 has its method and path among the headers.
      if (value === undefined || name.startsWith(':')) continue;
      yield [name, typeof value === 'string' ? value : value.join(', ')];
    }
  }
}
