import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { pageFolder, sharedBrowser } from './browser.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** A page of documentation on a plain static host: no CORS headers, no special headers. */
export interface DocumentationHost {
  /** Ends with a slash. The built files are below `tabplane/`. */
  readonly url: string;
  /** The same host under another site's name. */
  readonly foreignUrl: string;
  /** Pages by path. */
  readonly pages: Map<string, { readonly html: string; readonly policy?: string }>;
  /** Folders with further files by the path that they are served below, such as `/guide/`. */
  readonly folders: Map<string, string>;
  readonly requestedPaths: string[];
  close(): Promise<void>;
}

async function startHost(): Promise<DocumentationHost> {
  const pages: DocumentationHost['pages'] = new Map();
  const folders: DocumentationHost['folders'] = new Map([['/tabplane/', pageFolder]]);
  const requestedPaths: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host');
    requestedPaths.push(pathname);
    const page = pages.get(pathname);
    if (page?.policy !== undefined) response.setHeader('content-security-policy', page.policy);
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const [prefix, folder] = [...folders].find(([prefix]) => path.startsWith(prefix)) ?? [];
    const file = prefix && folder && join(folder, decodeURIComponent(path.slice(prefix.length)));
    const body = page?.html ?? (file && (await readFile(file).catch(() => undefined)));
    response.setHeader('content-type', types[extname(path) || '.html'] ?? 'application/octet-stream');
    if (body === undefined) response.statusCode = 404;
    response.end(body ?? 'nothing here');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/`,
    foreignUrl: `http://127.0.0.1:${port}/`,
    pages,
    folders,
    requestedPaths,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface ExamplesSite {
  readonly host: DocumentationHost;
  readonly browser: Browser;
  context(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens a page with this body, and the script in its head. */
  open(body: string, options?: OpenOptions): Promise<Page>;
}

export interface OpenOptions {
  readonly context?: BrowserContextOptions;
  readonly policy?: string;
  /** Attributes of the script element. */
  readonly script?: string;
  /** Prepares the page before it is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const style = `body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
pre { background: #f3f4f6; padding: 1em; border-radius: 6px; overflow: auto; } code { font-family: ui-monospace, monospace; font-size: .875rem; }`;

export const documentOf = (body: string, script = '', base = '/'): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Guide</title>
<link rel="stylesheet" href="${base}style.css"><script src="${base}tabplane/example.js" ${script}></script></head><body><main><h1>Guide</h1>${body}</main></body></html>`;

/** For all tests of a file. */
export function useExamplesSite(): ExamplesSite {
  let browser: Browser;
  let host: DocumentationHost;
  const contexts: BrowserContext[] = [];
  let pages = 0;
  beforeAll(async () => {
    browser = await sharedBrowser();
    host = await startHost();
    host.pages.set('/style.css', { html: style });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await host.close();
  });
  const context = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const opened = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
    opened.setDefaultTimeout(60_000);
    contexts.push(opened);
    return opened;
  };
  return {
    get host() {
      return host;
    },
    get browser() {
      return browser;
    },
    context,
    async open(body, { context: options, policy, script = 'data-names="kubernetes"', prepare } = {}) {
      const path = `/page-${pages++}.html`;
      host.pages.set(path, { html: documentOf(body, script), ...(policy === undefined ? {} : { policy }) });
      const page = await (await context(options)).newPage();
      await prepare?.(page);
      await page.goto(host.url + path.slice(1));
      return page;
    },
  };
}

/** A code block that is an example. */
export const example = (language: string, code: string, attributes = ''): string =>
  `<pre><code class="language-${language} tabplane" ${attributes}>${code}</code></pre>`;

/** Runs the example at an index and returns its output. */
export async function runExample(page: Page | Frame, at: number): Promise<string> {
  const element = page.locator('tabplane-example').nth(at);
  // Disabled until the element has loaded what it needs.
  const run = element.getByRole('button', { name: 'Run', exact: true, disabled: false });
  await run.click();
  await run.waitFor();
  return element.locator('pre.output').innerText();
}
