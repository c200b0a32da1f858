import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { connected, launchBrowser, pageFolder } from './browser.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

export interface Visit extends BrowserContextOptions {
  /** Where one starts: `#/o`. */
  readonly hash?: string;
}

/** The built page on a static host, and a browser to visit it with; what a test opens is closed after it. */
export interface Site {
  readonly server: StaticServer;
  readonly url: string;
  /** Somebody who has never been here. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** The page of somebody who has just come, connected to the cluster. */
  visit(visit?: Visit): Promise<Page>;
}

const waitMaxMs = 30_000;

/** For all tests of a file; `path` is where the host has the page, `built` another build of it than the one all tests share. */
export function useSite(path = '/', built: () => Promise<string> = async () => pageFolder): Site {
  let browser: Browser;
  let server: StaticServer;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    server = await startStaticServer(await built(), path);
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  const context = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const opened = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
    opened.setDefaultTimeout(waitMaxMs);
    contexts.push(opened);
    return opened;
  };
  const visit = async ({ hash = '', ...options }: Visit = {}): Promise<Page> => {
    const page = await (await context(options)).newPage();
    await page.goto(server.url + hash);
    await connected(page);
    return page;
  };
  return {
    get server() {
      return server;
    },
    get url() {
      return server.url;
    },
    context,
    visit,
  };
}
