import type { WorkerScope } from './worker-scope.ts';

/** The page's own files, kept so that it opens offline. */
export interface ShellFiles {
  /** Changes whenever one of the files does. */
  readonly version: string;
  /** Relative to the scope; `index.html` answers the scope itself. */
  readonly files: readonly string[];
  /** A content security policy that comes with the page; a policy for frames has no effect in the page's own `meta`. */
  readonly framePolicy: string;
}

const cachePrefix = 'tabplane-shell-';

export class Shell {
  readonly #scope: WorkerScope;
  readonly #cacheName: string;
  readonly #root: string;
  readonly #urls: ReadonlySet<string>;
  readonly #framePolicy: string;

  constructor(scope: WorkerScope, { version, files, framePolicy }: ShellFiles) {
    this.#scope = scope;
    this.#cacheName = `${cachePrefix}${version}`;
    this.#root = scope.registration.scope;
    this.#framePolicy = framePolicy;
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

  async answer(request: Request, file: string): Promise<Response> {
    const response = await this.#find(request, file);
    // A redirect of the network is followed by the browser, and has no headers of ours.
    return request.mode === 'navigate' && response.ok ? withPolicy(response, this.#framePolicy) : response;
  }

  /** Kept copy first, so that page and worker are of one version. */
  async #find(request: Request, file: string): Promise<Response> {
    try {
      const cache = await this.#scope.caches.open(this.#cacheName);
      return (await cache.match(file)) ?? (await this.#scope.caches.match(file)) ?? (await fetch(request));
    } catch {
      // Caches are refused or broken: the network is as good as any.
      return fetch(request);
    }
  }
}

/** The response with a policy beside those that it has: all of them hold. */
function withPolicy(response: Response, policy: string): Response {
  const headers = new Headers(response.headers);
  headers.append('content-security-policy', policy);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
