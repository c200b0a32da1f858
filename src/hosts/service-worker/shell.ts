import type { WorkerScope } from './worker-scope.ts';

/** The page's own files, kept so that it opens offline. */
export interface ShellFiles {
  /** Changes whenever one of the files does. */
  readonly version: string;
  /** Relative to the scope; `index.html` answers the scope itself. */
  readonly files: readonly string[];
}

const cachePrefix = 'tabplane-shell-';

export class Shell {
  readonly #scope: WorkerScope;
  readonly #cacheName: string;
  readonly #root: string;
  readonly #urls: ReadonlySet<string>;

  constructor(scope: WorkerScope, { version, files }: ShellFiles) {
    this.#scope = scope;
    this.#cacheName = `${cachePrefix}${version}`;
    this.#root = scope.registration.scope;
    this.#urls = new Set(files.map((file) => new URL(file, this.#root).href));
  }

  /** A file that cannot be had leaves the page without its offline copy, not the cluster without its worker. */
  async fill(): Promise<void> {
    const cache = await this.#scope.caches.open(this.#cacheName);
    await Promise.allSettled([...this.#urls].map((url) => cache.add(new Request(url, { cache: 'reload' }))));
  }

  /** Makes room; the page then comes from the network until the next version. */
  async drop(): Promise<void> {
    await this.#scope.caches.delete(this.#cacheName);
  }

  /** The shell before this one stays: tabs that were opened with it still load parts of it. Those before go. */
  async dropOld(): Promise<void> {
    // In the order in which they were made.
    const names = await this.#scope.caches.keys();
    const others = names.filter((name) => name.startsWith(cachePrefix) && name !== this.#cacheName);
    await Promise.all(others.slice(0, -1).map((name) => this.#scope.caches.delete(name)));
  }

  /** The file of this shell, or of one before it, that `request` asks for. */
  fileFor({ method, url }: Request): string | undefined {
    if (method !== 'GET' || this.#urls.size === 0) return undefined;
    const bare = url.replace(/[?#].*$/, '');
    const file = bare === this.#root ? new URL('index.html', this.#root).href : bare;
    return this.#urls.has(file) || file.startsWith(`${this.#root}assets/`) ? file : undefined;
  }

  /** Kept copy first, so that page and worker are of one version. */
  async answer(request: Request, file: string): Promise<Response> {
    try {
      const cache = await this.#scope.caches.open(this.#cacheName);
      return (await cache.match(file)) ?? (await this.#scope.caches.match(file)) ?? (await fetch(request));
    } catch {
      // Caches are refused or broken: the network is as good as any.
      return fetch(request);
    }
  }
}
