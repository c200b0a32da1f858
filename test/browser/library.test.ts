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

test('a whole cluster loads the components, and the configuration of the scheduler only if there is one', async () => {
  const page = await browser.newPage();
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await page.goto(`${server.url}icon.svg`);
  const create = (schedulerConfig: string): Promise<unknown> =>
    page.evaluate(`(async () => {
      const { createCluster } = await import('${server.url}core.js');
      const settings = { names: 'kubernetes', controllers: true, nodes: 1, clock: 'virtual', schedulerConfig: ${schedulerConfig} };
      return createCluster(settings).then((cluster) => cluster.close(), ({ message }) => message);
    })()`);
  await create('undefined');
  expect(loaded).toContain('/components.js');
  expect(loaded).not.toContain('/scheduler-config.js');
  expect(await create(`'kind: Pod'`)).toBe("Object 'apiVersion' is missing in 'kind: Pod'");
  expect(loaded).toContain('/scheduler-config.js');
});
