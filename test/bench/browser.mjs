// Response times of the page in Chromium: its prompt, a restarted worker, and durable writes.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, quantile } from './measure.mjs';
import { ensurePageIsBuilt, pageFolder, root } from './page.mjs';

export const goals = {
  'prompt answers, first visit, ms': { atMost: 1_000 },
  'prompt answers, later visit, ms': { atMost: 400 },
  'prompt answers, offline, ms': { atMost: 400 },
  'restarted worker of a new cluster answers, ms': { atMost: 120 },
  'restarted worker with 10,000 objects of 2 KB answers, ms': { atMost: 400 },
  'restarted worker with 50,000 objects of 2 KB answers, ms': { atMost: 1_500 },
  'creates a second, 1,000 at once, best of 3': { atLeast: 2_000 },
  'durable create, one at a time, p50 ms': { atMost: 8 },
  'a second tab sees a write, p50 ms': { atMost: 200 },
  'an event is with 100 watchers, p99 ms': { atMost: 20 },
  '10,000 printed lines are in the page, ms': { atMost: 400 },
};

const rounds = 3;

/** The drivers of the browser tests: bundled first, since Node 20 does not run their TypeScript. */
async function loadDrivers() {
  const resolveDir = join(root, 'test/browser');
  // Below the root, so that the packages they import are found.
  const folder = mkdtempSync(join(root, 'dist/bench-'));
  const outfile = join(folder, 'drivers.mjs');
  try {
    await build({
      stdin: { contents: `export * from './browser.ts'; export * from './static-server.ts';`, resolveDir, loader: 'ts' },
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      outfile,
      // The drivers resolve the page and its in-page part relative to their own URL.
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(resolveDir, 'browser.ts')).href) },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<Record<string, number>>} */
export function benchBrowser() {
  return inBrowser(async (bench) => ({
    ...(await promptFigures(bench)),
    ...(await restartFigures(bench)),
    ...(await writeFigures(bench)),
    ...(await secondTabFigures(bench)),
    ...(await fanOutFigures(bench)),
    ...(await printFigures(bench)),
  }));
}

/** Runs with a browser, the built page on a static host, and the drivers of the browser tests. */
export async function inBrowser(run) {
  await ensurePageIsBuilt();
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'chromium'));
  process.env.CHROMIUM ??= onPath.find((file) => existsSync(file)) ?? '/usr/bin/chromium';
  const drivers = await loadDrivers();
  const server = await drivers.startStaticServer(pageFolder);
  const browser = await drivers.launchBrowser();
  try {
    return await run({ ...drivers, server, browser });
  } finally {
    await browser.close();
    await server.close();
  }
}

/** Runs in a new profile, as on a first visit. */
export async function inFreshProfile({ browser }, run) {
  const context = await browser.newContext();
  try {
    return await run(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

/** From the start of the navigation until the command line accepts input and a request is answered. */
export async function promptMs({ server, sendRequest }, page) {
  await page.goto(server.url);
  await page.waitForFunction(() => {
    const terminal = document.querySelector('tp-app')?.shadowRoot?.querySelector('tp-terminal')?.shadowRoot;
    return Boolean(terminal?.querySelector('tp-command-line')?.shadowRoot?.querySelector('textarea'));
  });
  const { status } = await sendRequest(page, { target: '/version' });
  if (status !== 200) throw new Error(`/version: ${status}`);
  return page.evaluate(() => performance.now());
}

async function promptFigures(bench) {
  const times = { first: [], later: [], offline: [] };
  // Warms up: the creation of the browser's first profile is not measured.
  await inFreshProfile(bench, (page) => page.goto('about:blank'));
  for (let round = 0; round < rounds; round++) {
    await inFreshProfile(bench, async (page, context) => {
      times.first.push(await promptMs(bench, page));
      times.later.push(await promptMs(bench, page));
      await context.setOffline(true);
      const requestCount = bench.server.requestedPaths.length;
      times.offline.push(await promptMs(bench, page));
      if (bench.server.requestedPaths.length > requestCount)
        throw new Error(`requested while offline: ${bench.server.requestedPaths.slice(requestCount)}`);
    });
  }
  return {
    'prompt answers, first visit, ms': median(times.first),
    'prompt answers, later visit, ms': median(times.later),
    'prompt answers, offline, ms': median(times.offline),
  };
}

/** Creates `count` objects concurrently in the page; returns the milliseconds until the last response. */
function createAtOnce(page, path, { prefix, count, textBytes }) {
  return page.evaluate(
    async ([path, prefix, count, text]) => {
      const from = performance.now();
      const responses = await Promise.all(
        Array.from({ length: count }, (_, at) =>
          globalThis.harness.send('POST', path, {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `${prefix}-${at}` },
            data: { text },
          }),
        ),
      );
      const failed = responses.find(({ status }) => status !== 201);
      if (failed) throw new Error(`${failed.status}: ${failed.text}`);
      return performance.now() - from;
    },
    [path, prefix, count, 'x'.repeat(textBytes)],
  );
}

/** Milliseconds until one GET is answered in the page. */
function getMs(page, target) {
  return page.evaluate(async (target) => {
    const from = performance.now();
    const { status } = await globalThis.harness.send('GET', target);
    if (status !== 200) throw new Error(`${target}: ${status}`);
    return performance.now() - from;
  }, target);
}

/** Milliseconds from a write in one tab until a watch in another delivers it. */
function secondTabFigures(bench) {
  const { server, injectHarness, configMaps } = bench;
  return inFreshProfile(bench, async (page, context) => {
    const other = await context.newPage();
    for (const tab of [page, other]) {
      await tab.goto(server.url);
      await injectHarness(tab);
    }
    await other.evaluate((path) => void globalThis.harness.watchers.push(globalThis.harness.watch(path)), configMaps);
    await other.waitForFunction(() => globalThis.harness.watchers[0]?.watches === 1);
    const times = [];
    for (let at = 0; at < 20; at++) {
      const deliveredAt = other.evaluate(async (name) => {
        while (!globalThis.harness.watchers[0].state.has(name)) await new Promise((resolve) => setTimeout(resolve, 1));
        return performance.timeOrigin + performance.now();
      }, `shared-${at}`);
      const writtenAt = await page.evaluate(
        async ([path, name]) => {
          const from = performance.timeOrigin + performance.now();
          await globalThis.harness.send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
          return from;
        },
        [configMaps, `shared-${at}`],
      );
      times.push((await deliveredAt) - writtenAt);
    }
    return { 'a second tab sees a write, p50 ms': median(times) };
  });
}

/** Milliseconds until the page shows `lines` lines of one command's output. */
export function printMs(page, lines) {
  return page.evaluate(async (lines) => {
    const terminal = document.querySelector('tp-app')?.shadowRoot?.querySelector('tp-terminal');
    const shown = (at) => terminal.shadowRoot.querySelectorAll('tp-command-block')[at]?.shadowRoot?.querySelector('pre')?.textContent;
    const print = async (at, line, end) => {
      terminal.run(line);
      while (!shown(at)?.endsWith(end)) await new Promise(requestAnimationFrame);
    };
    await print(0, 'echo warm', 'warm\n');
    const from = performance.now();
    await print(1, `seq 1 ${lines}`, `\n${lines}\n`);
    return performance.now() - from;
  }, lines);
}

function printFigures(bench) {
  return inFreshProfile(bench, async (page) => {
    await promptMs(bench, page);
    return { '10,000 printed lines are in the page, ms': await printMs(page, 10_000) };
  });
}

function restartFigures(bench) {
  const { server, injectHarness, configMaps, workerSession, killWorkers } = bench;
  return inFreshProfile(bench, async (page, context) => {
    await page.goto(server.url);
    await injectHarness(page);
    const session = await workerSession(context, page);
    const restartMs = async (target) => {
      const times = [];
      for (let round = 0; round < rounds; round++) {
        await killWorkers(session);
        times.push(await getMs(page, target));
      }
      return median(times);
    };
    /** Batches of 1,000. */
    const fill = async (from, to) => {
      // With its metadata and managedFields each is 2 KB.
      for (let batch = from; batch < to; batch++)
        await createAtOnce(page, configMaps, { prefix: `object-${batch}`, count: 1_000, textBytes: 1_700 });
    };
    const empty = await restartMs('/api/v1/namespaces/default');
    await fill(0, 10);
    const some = await restartMs(`${configMaps}/object-5-5`);
    await fill(10, 50);
    return {
      'restarted worker of a new cluster answers, ms': empty,
      'restarted worker with 10,000 objects of 2 KB answers, ms': some,
      'restarted worker with 50,000 objects of 2 KB answers, ms': await restartMs(`${configMaps}/object-45-5`),
    };
  });
}

/** For 50 writes in a page with 100 watches: the time from each write until each watcher has its event. */
function fanOutFigures(bench) {
  const { server, injectHarness, configMaps } = bench;
  return inFreshProfile(bench, async (page) => {
    await page.goto(server.url);
    await injectHarness(page);
    const times = await page.evaluate(async (path) => {
      const { send, watch } = globalThis.harness;
      const watchers = Array.from({ length: 100 }, () => watch(path));
      const until = async (check) => {
        while (!check()) await new Promise((resolve) => setTimeout(resolve, 10));
      };
      await until(() => watchers.every(({ watches }) => watches === 1));
      const times = [];
      for (let at = 0; at < 50; at++) {
        const name = `fan-out-${at}`;
        const from = performance.now();
        for (const { state } of watchers) {
          const set = state.set.bind(state);
          state.set = (key, value) => {
            if (key === name) times.push(performance.now() - from);
            return set(key, value);
          };
        }
        await send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
        await until(() => watchers.every(({ state }) => state.has(name)));
        for (const { state } of watchers) delete state.set;
      }
      for (const { stop } of watchers) stop();
      return times;
    }, configMaps);
    return { 'an event is with 100 watchers, p99 ms': quantile(times, 0.99) };
  });
}

function writeFigures(bench) {
  const { server, injectHarness, configMaps } = bench;
  return inFreshProfile(bench, async (page) => {
    await page.goto(server.url);
    await injectHarness(page);
    const create = (prefix, count) => createAtOnce(page, configMaps, { prefix, count, textBytes: 800 });
    for (let at = 0; at < 100; at++) await create(`warm-${at}`, 1);
    const bursts = [];
    for (let round = 0; round < rounds; round++) bursts.push(await create(`burst-${round}`, 1_000));
    const singles = [];
    for (let at = 0; at < 200; at++) singles.push(await create(`single-${at}`, 1));
    return {
      'creates a second, 1,000 at once, best of 3': 1_000_000 / Math.min(...bursts),
      'durable create, one at a time, p50 ms': median(singles),
    };
  });
}
