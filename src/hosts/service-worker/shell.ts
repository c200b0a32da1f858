import type { WorkerScope } from './worker-scope.ts';

/** The page's files, cached for offline use. */
export interface ShellFiles {
  /** Changes with the content of the files. */
  readonly version: string;
  /** Relative to the scope; `index.html` is served for the scope itself. */
  readonly files: readonly string[];
  /** Content security policy header of the page; `frame-ancestors` has no effect in a `meta` element. */
  readonly framePolicy: string;
}

const cachePrefix = 'tabplane-shell-';

/** Name of the cache with the files of a version of the page. */
export function shellCacheName(version: string): string {
  return `${cachePrefix}${version}`;
}

export class Shell {
  readonly #scope: WorkerScope;
  readonly #cacheName: string;
  readonly #root: string;
  readonly #urls: ReadonlySet<string>;
  readonly #framePolicy: string;

  constructor(scope: WorkerScope, { version, files, framePolicy }: ShellFiles) {
    this.#scope = scope;
    this.#cacheName = shellCacheName(version);
    this.#root = scope.registration.scope;
    this.#framePolicy = framePolicy;
    this.#urls = new Set(files.map((file) => new URL(file, this.#root).href));
  }

  /** Failed downloads leave the offline copy incomplete, but do not prevent the installation of the worker. */
  async fill(): Promise<void> {
    const cache = await this.#scope.caches.open(this.#cacheName);
    await Promise.allSettled([...this.#urls].map((url) => cache.add(new Request(url, { cache: 'reload' }))));
  }

  /** Frees the space; the page is loaded from the network until the next version. */
  async delete(): Promise<void> {
    await this.#scope.caches.delete(this.#cacheName);
  }

  /** Deletes old shells except the previous one, from which open tabs still load files. */
  async deleteOld(): Promise<void> {
    // In order of creation.
    const names = await this.#scope.caches.keys();
    const others = names.filter((name) => name.startsWith(cachePrefix) && name !== this.#cacheName);
    await Promise.all(others.slice(0, -1).map((name) => this.#scope.caches.delete(name)));
  }

  /** The URL of the requested file in this shell, or in a previous one. */
  fileFor({ method, url }: Request): string | undefined {
    if (method !== 'GET' || this.#urls.size === 0) return undefined;
    const [bare = ''] = url.split(/[?#]/);
    const file = bare === this.#root ? new URL('index.html', this.#root).href : bare;
    return this.#urls.has(file) || file.startsWith(`${this.#root}assets/`) ? file : undefined;
  }

  async respond(request: Request, file: string): Promise<Response> {
    const response = await this.#load(request, file);
    // The browser follows a redirect of the network; its headers must not be changed.
    return request.mode === 'navigate' && response.ok ? withPolicy(response, this.#framePolicy) : response;
  }

  /** Cache first, so that page and worker have the same version. */
  async #load(request: Request, file: string): Promise<Response> {
    try {
      const cache = await this.#scope.caches.open(this.#cacheName);
      return (await cache.match(file)) ?? (await this.#scope.caches.match(file)) ?? (await fetch(request));
    } catch {
      // Caches are refused or broken.
      return fetch(request);
    }
  }
}

/** Adds a policy to those of a response; browsers enforce all of them. */
function withPolicy(response: Response, policy: string): Response {
  const headers = new Headers(response.headers);
  headers.append('content-security-policy', policy);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
