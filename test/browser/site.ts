import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { pageFolder, sharedBrowser, waitForWorker } from './browser.ts';
import { arePageOptions, SharedContext } from './shared-context.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

export interface Visit extends BrowserContextOptions {
  /** The initial location hash: `#/o`. */
  readonly hash?: string;
  /** Use a new browser context, without the page's worker and files. */
  readonly isFirst?: boolean;
}

/** The built page on a static server, and a browser. Contexts and pages that a test opens are closed after it. */
export interface Site {
  readonly server: StaticServer;
  readonly url: string;
  /** Opens a new browser context without stored data. */
  context(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens the page without stored data and waits until it is connected to the cluster and its frame is complete. */
  visit(visit?: Visit): Promise<Page>;
}

/** Below the timeout of a test, so that the report names the condition. */
export const waitMaxMs = 150_000;

/** Settings of all tests of a file. */
export interface SiteOptions {
  /** Returns the folder of another build of the page. */
  readonly built?: () => Promise<string>;
  /** `on`: pages run controllers, scheduler and nodes, as by default. Most tests need a cluster that changes by their requests only. */
  readonly nodes?: 'on' | 'off';
}

/** For all tests of a file. `path` is the path of the page on the server. */
export function useSite(path = '/', { built = async () => pageFolder, nodes = 'off' }: SiteOptions = {}): Site {
  let browser: Browser;
  let server: StaticServer;
  const contexts: BrowserContext[] = [];
  const shared = new SharedContext(() => openContext());
  beforeAll(async () => {
    browser = await sharedBrowser();
    server = await startStaticServer(await built(), path);
  });
  afterEach(async ({ task }) => {
    await shared.release(task.result?.state === 'fail');
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await shared.close();
    await server.close();
  });
  const openContext = async (options: BrowserContextOptions = {}): Promise<BrowserContext> => {
    const opened = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
    opened.setDefaultTimeout(waitMaxMs);
    if (nodes === 'off') await switchNodesOff(opened);
    return opened;
  };
  const context = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const opened = await openContext(options);
    contexts.push(opened);
    return opened;
  };
  const emptyPage = async (isFirst: boolean, options: BrowserContextOptions): Promise<Page> => {
    if (!isFirst && !shared.isTaken && arePageOptions(options)) return shared.take(new URL(server.url).origin, options);
    return (await context(options)).newPage();
  };
  const visit = async ({ hash = '', isFirst = false, ...options }: Visit = {}): Promise<Page> => {
    const page = await emptyPage(isFirst, options);
    await page.goto(server.url + hash);
    await waitForWorker(page);
    // Loaded after the command line, together with the shortcuts and the screens.
    await page.locator('tp-top-bar h1').waitFor({ state: 'attached' });
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

/** Changes the setting for all pages of the context. */
async function switchNodesOff(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    try {
      localStorage.setItem('tabplane-nodes', 'off');
    } catch {
      // Frames in a sandbox have no storage; their clusters are their own.
    }
  });
}
