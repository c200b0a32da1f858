import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keySpaceContract } from '../contracts/key-space.ts';
import { bundleScript, launchBrowser, pageFolder } from './browser.ts';
import type { Contract } from './contract-in-page.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

let browser: Browser;
let server: StaticServer;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startStaticServer(pageFolder);
  page = await browser.newPage();
  await page.goto(`${server.url}icon.svg`);
  await page.evaluate(await bundleScript(new URL('contract-in-page.ts', import.meta.url)));
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

test.each(keySpaceContract.map(({ name }) => name))('log on IndexedDB of the browser: %s', async (name) => {
  const outcome = await page.evaluate((name) => (globalThis as unknown as { contract: Contract }).contract.run(name), name);
  expect(outcome).toBe('holds');
});
