import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, pageFolder } from './browser.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

let browser: Browser;
let server: StaticServer;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startStaticServer(pageFolder);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

test('the core is a module with the exports of the library', async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}icon.svg`);
  // A text, since a function would contain import() as transformed for tests.
  const created = await page.evaluate(`(async () => {
    const { createCluster, corev1ConfigMaps } = await import('${server.url}core.js');
    const cluster = await createCluster({ names: 'kubernetes' });
    const configMap = await cluster.client('admin-token').resource(corev1ConfigMaps).create({ metadata: { namespace: 'default', name: 'a' } });
    await cluster.close();
    return configMap.metadata.name;
  })()`);
  expect(created).toBe('a');
});
