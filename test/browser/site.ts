import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { pageFolder, sharedBrowser, waitForConnection } from './browser.ts';
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
  /** Opens the page without stored data and waits until it is connected to the cluster. */
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

/** A server, and the context in which the worker of its page is installed. */
interface Installation {
  readonly server: StaticServer;
  readonly shared: SharedContext;
}

/** Of the page as most tests use it, for all files of this process: installing the page's worker takes longer than most tests. */
const installations = new Map<SiteOptions['nodes'], Promise<Installation>>();

async function install(folder: string, path: string, nodes: SiteOptions['nodes']): Promise<Installation> {
  return { server: await startStaticServer(folder, path), shared: new SharedContext(() => openContext(nodes)) };
}

function installOnce(nodes: SiteOptions['nodes']): Promise<Installation> {
  const installed = installations.get(nodes) ?? install(pageFolder, '/', nodes);
  installations.set(nodes, installed);
  return installed;
}

async function openContext(nodes: SiteOptions['nodes'], options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await sharedBrowser();
  const opened = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  opened.setDefaultTimeout(waitMaxMs);
  if (nodes === 'off') await switchNodesOff(opened);
  return opened;
}

/** For all tests of a file. `path` is the path of the page on the server. */
export function useSite(path = '/', { built, nodes = 'off' }: SiteOptions = {}): Site {
  let server: StaticServer;
  let shared: SharedContext;
  const isShared = path === '/' && built === undefined;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    ({ server, shared } = isShared ? await installOnce(nodes) : await install((await built?.()) ?? pageFolder, path, nodes));
  });
  afterEach(async ({ task }) => {
    await shared.release(task.result?.state === 'fail');
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    if (isShared) {
      Object.assign(server, { root: pageFolder, headers: {} });
      server.pages.clear();
      server.requestedPaths.length = 0;
    } else {
      await shared.close();
      await server.close();
    }
  });
  const context = async (options?: BrowserContextOptions): Promise<BrowserContext> => {
    const opened = await openContext(nodes, options);
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
    await waitForConnection(page);
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
