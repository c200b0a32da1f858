import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keySpaceContract } from '../contracts/key-space.ts';
import { bundleScript, pageFolder, sharedBrowser } from './browser.ts';
import type { Contract } from './contract-in-page.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

let server: StaticServer;
let page: Page;

beforeAll(async () => {
  server = await startStaticServer(pageFolder);
  page = await (await sharedBrowser()).newPage();
  await page.goto(`${server.url}icon.svg`);
  await page.evaluate(await bundleScript(new URL('contract-in-page.ts', import.meta.url)));
});
afterAll(async () => {
  await page.close();
  await server.close();
});

test.each(keySpaceContract.map(({ name }) => name))('log on IndexedDB of the browser: %s', async (name) => {
  const outcome = await page.evaluate((name) => (globalThis as unknown as { contract: Contract }).contract.run(name), name);
  expect(outcome).toBe('holds');
});
