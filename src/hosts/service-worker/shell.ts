import { matchFile, storeArchive } from './stored-archive.ts';
import type { WorkerScope } from './worker-scope.ts';

/** The page's files, cached for offline use. */
export interface ShellFiles {
  /** Changes with the content of the files. */
  readonly version: string;
  /** Relative to the scope, without those in `assets`; `index.html` is served for the scope itself. Empty in development. */
  readonly files: readonly string[];
  /** The archive of all files but HTML files, compressed with gzip, relative to the scope. */
  readonly archive: string;
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
  readonly #archive: string;
  readonly #framePolicy: string;
  #filling: Promise<void> | undefined;

  /** `framePolicy`: content security policy header of the page; `frame-ancestors` has no effect in a `meta` element. */
  constructor(scope: WorkerScope, { version, files, archive }: ShellFiles, framePolicy: string) {
    this.#scope = scope;
    this.#cacheName = shellCacheName(version);
    this.#root = scope.registration.scope;
    this.#archive = archive;
    this.#framePolicy = framePolicy;
    this.#urls = new Set(files.map((file) => this.#root + file));
  }

  /**
   * Downloads the files, once in the life of a worker. A failure leaves the offline copy incomplete until the next worker is started, but
   * does not prevent its installation.
   */
  fill(): Promise<void> {
    this.#filling ??= this.#download().catch(() => undefined);
    return this.#filling;
  }

  /** Continues an incomplete copy, unless it was deleted. */
  async resume(): Promise<void> {
    // Caches may be refused or broken.
    if (await this.#scope.caches.has(this.#cacheName).catch(() => false)) await this.fill();
  }

  /**
   * One archive, since hundreds of requests take seconds. HTML files follow one by one, with the headers of their server: the last one shows
   * that the copy is complete.
   */
  async #download(): Promise<void> {
    const pages = [...this.#urls].filter((url) => url.endsWith('.html'));
    const last = pages.at(-1);
    const cache = await this.#scope.caches.open(this.#cacheName);
    if (last === undefined || (await cache.match(last))) return;
    const response = await this.#scope.fetch(this.#root + this.#archive);
    if (!response.ok || response.body === null) return;
    const unzipped = response.body.pipeThrough(new DecompressionStream('gzip'));
    await storeArchive(cache, this.#root, new Uint8Array(await new Response(unzipped).arrayBuffer()));
    for (const url of pages) await cache.add(new Request(url, { cache: 'reload' }));
  }

  /** Frees the space; the page is loaded from the network until the next version. */
  async delete(): Promise<void> {
    await this.#scope.caches.delete(this.#cacheName);
  }

  /** Deletes old shells except the previous one. */
  async deleteOld(): Promise<void> {
    await Promise.all((await this.#others()).slice(0, -1).map((name) => this.#scope.caches.delete(name)));
  }

  /** The name of this shell, then those of others, which few files need. */
  async *#names(): AsyncGenerator<string> {
    yield this.#cacheName;
    yield* await this.#others();
  }

  /** The names of other shells, in order of creation. */
  async #others(): Promise<readonly string[]> {
    return (await this.#scope.caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== this.#cacheName);
  }

  /** The URL of the requested file in this shell, or in a previous one. */
  fileFor({ method, url }: Request): string | undefined {
    if (method !== 'GET' || this.#urls.size === 0) return undefined;
    const [bare = ''] = url.split(/[?#]/);
    const file = bare === this.#root ? `${this.#root}index.html` : bare;
    return this.#urls.has(file) || file.startsWith(`${this.#root}assets/`) ? file : undefined;
  }

  async respond(request: Request, file: string): Promise<Response> {
    const response = await this.#load(request, file);
    // The browser follows a redirect of the network; its headers must not be changed.
    return request.mode === 'navigate' && response.ok ? withPolicy(response, this.#framePolicy) : response;
  }

  /** Cache first, so that page and worker have the same version; then the previous version, from which open tabs still load files. */
  async #load(request: Request, file: string): Promise<Response> {
    try {
      for await (const name of this.#names()) {
        const response = await matchFile(this.#scope.caches, name, this.#root, file);
        if (response) return response;
      }
    } catch {
      // Caches are refused or broken.
    }
    return fetch(request);
  }
}

/** Adds a policy to those of a response; browsers enforce all of them. */
function withPolicy(response: Response, policy: string): Response {
  const headers = new Headers(response.headers);
  headers.append('content-security-policy', policy);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
