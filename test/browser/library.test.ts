import { afterAll, beforeAll, expect, test } from 'vitest';
import { pageFolder, sharedBrowser } from './browser.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

let server: StaticServer;

beforeAll(async () => {
  server = await startStaticServer(pageFolder);
});
afterAll(() => server.close());

test('the core is a module with the exports of the library', async () => {
  const page = await (await sharedBrowser()).newPage();
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
  await page.close();
});
