import type { Frame, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sendRequest, waitForConnection, waitForOfflineCopy } from './browser.ts';
import { useSite } from './site.ts';

const site = useSite();

/** The description of pods in the OpenAPI document of the core group. */
async function describePods(page: Page | Frame): Promise<unknown> {
  const { paths } = JSON.parse((await sendRequest(page, { target: '/openapi/v3' })).text);
  const { status, text } = await sendRequest(page, { target: paths['api/v1'].serverRelativeURL });
  expect(status).toBe(200);
  const schemas: Readonly<Record<string, { readonly description?: string }>> = JSON.parse(text).components.schemas;
  return Object.entries(schemas).find(([name]) => name.endsWith('.core.v1.Pod'))?.[1].description;
}

const expected = /^Containers that run together on one node/;

test('a Service Worker reads the descriptions from the cached files of the page, also offline', async () => {
  const page = await site.visit({ isFirst: true });
  await waitForOfflineCopy(page);
  await page.context().setOffline(true);
  expect(await describePods(page)).toMatch(expected);
});

test('a page without a Service Worker imports the descriptions', async () => {
  const page = await (await site.context()).newPage();
  const { pathname } = new URL('embedder', site.url);
  site.server.pages.set(pathname, `<!doctype html><title>embedder</title><iframe sandbox="allow-scripts" src="${site.url}"></iframe>`);
  await page.goto(`${site.url.replace('localhost', '127.0.0.1')}embedder`);
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (frame === undefined) throw new Error('no frame');
  await waitForConnection(frame);
  expect(await describePods(frame)).toMatch(expected);
});

test('a cluster of the library imports the descriptions', async () => {
  const page = await (await site.context()).newPage();
  await page.goto(`${site.url}icon.svg`);
  // A text, since a function would contain import() as transformed for tests.
  const description = await page.evaluate(`(async () => {
    const { createCluster } = await import('${site.url}core.js');
    const cluster = await createCluster({ names: 'kubernetes' });
    const response = await cluster.fetch('https://cluster/openapi/v2', { headers: { authorization: 'Bearer admin-token' } });
    const { definitions } = await response.json();
    await cluster.close();
    return definitions['io.k8s.api.core.v1.Pod'].description;
  })()`);
  expect(description).toMatch(expected);
});
