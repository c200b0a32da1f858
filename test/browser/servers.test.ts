import type { Browser } from 'playwright-core';
import { createServer, preview } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMap, configMaps, launchBrowser, sendRequest } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/** Opens the page of a Vite server, and fetches a path below the worker's base from the server itself. */
async function visit(
  url: string,
): Promise<{ readonly serverResponse: Response; readonly createStatus: number; readonly transport: string }> {
  const serverResponse = await fetch(new URL('cluster/api/v1/pods', url));
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(() => globalThis.tabplane !== undefined, undefined);
  const { status } = await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('served') });
  const { transport } = await page.evaluate(() => globalThis.tabplane.status());
  await context.close();
  return { serverResponse, createStatus: status, transport };
}

test('the preview server serves the page, and returns 503 for paths that only the worker serves', async () => {
  const server = await preview({ logLevel: 'silent', preview: { port: 0, host: 'localhost' } });
  const { serverResponse, createStatus, transport } = await visit(server.resolvedUrls?.local[0] ?? '');
  expect(serverResponse.status).toBe(503);
  expect(serverResponse.headers.get('content-type')).toContain('text/plain');
  expect({ createStatus, transport }).toEqual({ createStatus: 201, transport: 'service-worker' });
  const policy = (await fetch(server.resolvedUrls?.local[0] ?? '')).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  await server.close();
});

test('the development server serves the worker as a module, and returns 503 for its paths', async () => {
  const server = await createServer({ logLevel: 'silent', server: { port: 0, host: 'localhost' } });
  await server.listen();
  // The modules of the worker are compiled first: on a busy machine that may take longer than its registration may.
  await server.warmupRequest('/sw/sw.ts');
  await server.waitForRequestsIdle();
  const { serverResponse, createStatus, transport } = await visit(server.resolvedUrls?.local[0] ?? '');
  expect(serverResponse.status).toBe(503);
  expect({ createStatus, transport }).toEqual({ createStatus: 201, transport: 'service-worker' });
  await server.close();
});
