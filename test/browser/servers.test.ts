import type { Browser } from 'playwright-core';
import { createServer, type DevEnvironment, preview } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configMap, configMaps, launchBrowser, sendRequest } from './browser.ts';
import { waitMaxMs } from './site.ts';

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
  context.setDefaultTimeout(waitMaxMs);
  const page = await context.newPage();
  await page.goto(url);
  // The page runs the cluster itself while the registration takes long, and keeps it once it has written to it.
  await page.waitForFunction(() => globalThis.tabplane?.status().transport === 'service-worker');
  const { status } = await sendRequest(page, { method: 'POST', target: configMaps, body: configMap('served') });
  const { transport } = await page.evaluate(() => globalThis.tabplane.status());
  await context.close();
  return { serverResponse, createStatus: status, transport };
}

/** Compiles a module and all modules that it imports. */
async function compile(environment: DevEnvironment, url: string, known: Set<string> = new Set()): Promise<void> {
  if (known.has(url)) return;
  known.add(url);
  await environment.transformRequest(url);
  const imported = (await environment.moduleGraph.getModuleByUrl(url))?.importedModules ?? [];
  await Promise.all([...imported].map((module) => compile(environment, module.url, known)));
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
  // On a busy machine their compilation may take longer than the registration of the worker may.
  await compile(server.environments.client, '/sw/sw.ts');
  const { serverResponse, createStatus, transport } = await visit(server.resolvedUrls?.local[0] ?? '');
  expect(serverResponse.status).toBe(503);
  expect({ createStatus, transport }).toEqual({ createStatus: 201, transport: 'service-worker' });
  await server.close();
});
