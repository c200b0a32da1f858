import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ask, configMaps, killWorkers, launchBrowser, openLab, pageFolder, workerSession } from './browser.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

/**
 * The figures that were promised, on two cores. Machines that share their cores are slower by a factor that has nothing to do with
 * us, so times may be so much above the promise before a test fails; what was measured is printed.
 */
const slack = Number(process.env['TABPLANE_SLACK'] ?? 3);

let browser: Browser;
let server: StaticServer;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startStaticServer(pageFolder);
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(() => context.close());

const gzipped = (file: string): number => gzipSync(readFileSync(`${pageFolder}/${file}`), { level: 9 }).length;

/** A module and all that it imports before it runs. */
function staticImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(`${pageFolder}/${file}`, 'utf8');
  for (const [, name = ''] of text.matchAll(/(?:^|[;}])\s*(?:import|export)(?:[^"'`()]*?from)?\s*["'`]\.\/([^"'`]+)["'`]/g)) {
    staticImports(`assets/${name}`, found);
  }
  return found;
}

test('the first load is at most 60 kB of JavaScript, the worker with the core 200 kB', () => {
  const html = readFileSync(`${pageFolder}/index.html`, 'utf8');
  const entries = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file);
  const files = new Set(entries.flatMap((entry) => [...staticImports(entry)]));
  const script = [...files].reduce((sum, file) => sum + gzipped(file), 0);
  const style = [...html.matchAll(/href="\.\/(assets\/[^"]+\.css)"/g)].reduce((sum, [, file = '']) => sum + gzipped(file), 0);
  console.info(
    'gz bytes: first load',
    script,
    'in',
    files.size,
    'files; html and css',
    gzipped('index.html') + style,
    '; worker',
    gzipped('sw.js'),
  );
  expect(script).toBeLessThanOrEqual(60_000);
  expect(gzipped('index.html') + style).toBeLessThanOrEqual(10_000);
  expect(gzipped('sw.js')).toBeLessThanOrEqual(200_000);
});

/** From the start of the navigation until the line takes keys and a request has been answered. */
async function promptMs(): Promise<number> {
  await page.goto(server.url);
  await page.waitForFunction(() => {
    const terminal = document.querySelector('tp-app')?.shadowRoot?.querySelector('tp-terminal')?.shadowRoot;
    return terminal?.querySelector('tp-command-line')?.shadowRoot?.querySelector('textarea') !== undefined;
  });
  const typed = await page.evaluate(() => performance.now());
  await ask(page, { target: '/version' });
  const answered = await page.evaluate(() => performance.now());
  console.info('prompt after', Math.round(typed), 'ms, first answer after', Math.round(answered), 'ms');
  return answered;
}

test('the prompt answers within 1.0 s on the first visit, and within 0.4 s later and offline', async () => {
  await (await browser.newContext()).close();
  expect(await promptMs()).toBeLessThan(1_000 * slack);
  expect(await promptMs()).toBeLessThan(400 * slack);
  await context.setOffline(true);
  expect(await promptMs()).toBeLessThan(400 * slack);
});

test('a restarted worker with 10,000 objects of 2 KB answers within 400 ms', { timeout: 120_000 }, async () => {
  await page.goto(server.url);
  await openLab(page);
  const rate = await page.evaluate(async (path) => {
    const text = 'x'.repeat(1_700);
    const from = performance.now();
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, at) =>
          globalThis.lab.send('POST', path, {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `object-${batch}-${at}` },
            data: { text },
          }),
        ),
      );
    }
    return 10_000_000 / (performance.now() - from);
  }, configMaps);
  const cdp = await workerSession(context, page);
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    await killWorkers(cdp);
    times.push(
      await page.evaluate(async (path) => {
        const from = performance.now();
        await globalThis.lab.send('GET', `${path}/object-5-5`);
        return performance.now() - from;
      }, configMaps),
    );
  }
  console.info(
    'creates a second, 1,000 at once:',
    Math.round(rate),
    '; first answer after a restart with 10,000 objects (ms):',
    times.map(Math.round).join(' '),
  );
  expect(Math.min(...times)).toBeLessThan(400 * slack);
});

test('1,000 creates at once are done at 2,000 a second, and one at a time each within 8 ms', async () => {
  await page.goto(server.url);
  await openLab(page);
  const { rate, p50 } = await page.evaluate(async (path) => {
    const create = (name: string): Promise<unknown> =>
      globalThis.lab.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x'.repeat(800) } });
    for (let at = 0; at < 100; at++) await create(`warm-${at}`);
    let rate = 0;
    for (let round = 0; round < 3; round++) {
      const from = performance.now();
      await Promise.all(Array.from({ length: 1_000 }, (_, at) => create(`burst-${round}-${at}`)));
      rate = Math.max(rate, 1_000_000 / (performance.now() - from));
    }
    const times: number[] = [];
    for (let at = 0; at < 200; at++) {
      const from = performance.now();
      await create(`single-${at}`);
      times.push(performance.now() - from);
    }
    return { rate, p50: times.sort((a, b) => a - b)[100] ?? 0 };
  }, configMaps);
  console.info('creates a second, 1,000 at once:', Math.round(rate), '; one at a time p50 ms:', p50.toFixed(1));
  expect(rate).toBeGreaterThan(2_000 / slack);
  expect(p50).toBeLessThan(8 * slack);
});
