import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { killWorkers, workerSession } from './browser.ts';

/** Options of a context that can also be set on its pages. */
export type PageOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'reducedMotion' | 'permissions'>;

const pageOptionNames: ReadonlySet<string> = new Set<keyof PageOptions>(['viewport', 'colorScheme', 'reducedMotion', 'permissions']);

export function arePageOptions(options: BrowserContextOptions): options is PageOptions {
  return Object.keys(options).every((name) => pageOptionNames.has(name));
}

/** Storage types of pages, except Service Workers and their caches. */
const pageStorageTypes = 'cookies,file_systems,indexeddb,local_storage';

/**
 * A browser context that is reused by consecutive tests. Installing the page's worker takes longer than most tests, so the worker and its
 * cached files remain; storage, pages and overrides of a test are removed.
 */
export class SharedContext {
  readonly #open: () => Promise<BrowserContext>;
  #context: BrowserContext | undefined;

  constructor(open: () => Promise<BrowserContext>) {
    this.#open = open;
  }

  /** Whether a page of it is open. */
  get isTaken(): boolean {
    return this.#context !== undefined && this.#context.pages().length > 0;
  }

  /** Returns an empty page of a browser without stored data of `origin`. */
  async take(origin: string, { viewport, permissions, ...media }: PageOptions): Promise<Page> {
    const context = await this.#opened();
    const page = await context.newPage();
    await clearStorage(context, page, origin);
    if (viewport) await page.setViewportSize(viewport);
    if (permissions !== undefined) await context.grantPermissions(permissions);
    await page.emulateMedia(media);
    return page;
  }

  /** Closes the context after a failed test, whose worker may be in any state. */
  async release(hasFailed: boolean): Promise<void> {
    const context = this.#context;
    if (context === undefined) return;
    if (hasFailed) return this.close();
    context.removeAllListeners('request');
    await Promise.all(context.pages().map((page) => page.close()));
    await context.unrouteAll();
    await context.setOffline(false);
    await context.clearPermissions();
  }

  async close(): Promise<void> {
    await this.#context?.close();
  }

  async #opened(): Promise<BrowserContext> {
    if (this.#context !== undefined) return this.#context;
    const context = await this.#open();
    // A test may close it.
    context.once('close', () => {
      this.#context = undefined;
    });
    this.#context = context;
    return context;
  }
}

async function clearStorage(context: BrowserContext, page: Page, origin: string): Promise<void> {
  const session = await workerSession(context, page);
  // A running worker would serve data from memory.
  await killWorkers(session);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: pageStorageTypes });
  await session.detach();
}
