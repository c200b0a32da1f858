// The frame rate of the screens: a list of many objects that change continuously, and many printed lines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inBrowser, inFreshProfile, printMs, promptMs } from './browser.mjs';
import { root } from './page.mjs';

export const goals = {
  'first of 20,000 rows after their data, ms': { atMost: 100 },
  'frames a second while 500 rows a second change': { atLeast: 50 },
  'a key until it is painted there, worst of 30, ms': { atMost: 100 },
  '50,000 printed lines are in the page, ms': { atMost: 1_500 },
  'heap with them, MB': { atMost: 60 },
  'frames a second while 1,000 lines a second are printed': { atLeast: 50 },
  'frames a second beside five misbehaving containers': { atLeast: 50 },
};

const rows = 20_000;
const watchedMs = 3_000;
const keys = 30;

/** @returns {Promise<Record<string, number>>} */
export function benchScreens() {
  return inBrowser(async (bench) => ({ ...(await rowFigures(bench)), ...(await lineFigures(bench)), ...(await containerFigures(bench)) }));
}

/** Counts the frames of the next `ms` milliseconds; resolves with frames per second. */
function countFrames(page, ms) {
  return page.evaluate(
    (ms) =>
      new Promise((resolve) => {
        let frames = 0;
        const from = performance.now();
        const next = (now) => {
          frames++;
          if (now - from < ms) requestAnimationFrame(next);
          else resolve((frames * 1_000) / (now - from));
        };
        requestAnimationFrame(next);
      }),
    ms,
  );
}

/** Presses a key repeatedly; returns the longest time until its effect was painted. */
async function worstKeyMs(page) {
  await page.evaluate(() => {
    globalThis.durations = [];
    new PerformanceObserver((list) => globalThis.durations.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'event',
      durationThreshold: 16,
    });
  });
  for (let at = 0; at < keys; at++) {
    await page.keyboard.press('j');
    await page.waitForTimeout(watchedMs / keys);
  }
  // No entry: every key took less than the reporting threshold.
  return page.evaluate(() => Math.max(16, ...globalThis.durations));
}

function rowFigures(bench) {
  return inFreshProfile(bench, async (page) => {
    await promptMs(bench, page);
    // Without the time to open the screen.
    await page.evaluate(() => {
      location.hash = '#/o/core/v1/secrets/default';
    });
    await page.getByText('No secrets found.').waitFor();
    await page.evaluate(await bench.bundleScript(pathToFileURL(join(root, 'test/browser/many-rows-in-page.ts'))));
    const firstMs = await page.evaluate(async (rows) => {
      globalThis.startManyRows(rows);
      location.hash = '#/o/core/v1/configmaps/default';
      const row = () =>
        ['tp-explore', 'tp-object-grid', '.row:not(.head)'].reduce(
          (element, selector) => element?.shadowRoot?.querySelector(selector),
          document.querySelector('tp-app'),
        );
      while (!row()) await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return performance.now() - globalThis.manyRows.listedAtMs;
    }, rows);
    await page.getByRole('grid').focus();
    const [frames, worst] = await Promise.all([countFrames(page, watchedMs), worstKeyMs(page)]);
    return {
      'first of 20,000 rows after their data, ms': firstMs,
      'frames a second while 500 rows a second change': frames,
      'a key until it is painted there, worst of 30, ms': worst,
    };
  });
}

function lineFigures(bench) {
  return inFreshProfile(bench, async (page, context) => {
    await promptMs(bench, page);
    const ms = await printMs(page, 50_000);
    const session = await context.newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize').value;
    await page.evaluate(() => {
      const terminal = document.querySelector('tp-app').shadowRoot.querySelector('tp-terminal');
      terminal.run('sleep 30');
      const block = [...terminal.shadowRoot.querySelectorAll('tp-command-block')].at(-1);
      let at = 0;
      setInterval(() => {
        for (let lines = 0; lines < 10; lines++) block.write(`line ${++at} of the output of a command that is still running\n`, 'out');
      }, 10);
    });
    const frames = await countFrames(page, watchedMs);
    return {
      '50,000 printed lines are in the page, ms': ms,
      'heap with them, MB': heap / 1e6,
      'frames a second while 1,000 lines a second are printed': frames,
    };
  });
}

/** Pods of test/browser/misbehaving-containers.json, in the page's cluster. */
function containerFigures(bench) {
  return inFreshProfile(bench, async (page) => {
    await promptMs(bench, page);
    const scripts = JSON.parse(readFileSync(join(root, 'test/browser/misbehaving-containers.json'), 'utf8'));
    const answerMs = await page.evaluate(async (scripts) => {
      const target = `${globalThis.tabplane.baseUrl.replace(/\/$/, '')}/api/v1/namespaces/default/pods`;
      const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
      for (const [name, script] of Object.entries(scripts)) {
        const spec = { containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', script] }] };
        await fetch(target, { method: 'POST', headers, body: JSON.stringify({ metadata: { name }, spec }) });
      }
      const isStarted = ({ status }) => status.containerStatuses?.[0].containerID !== undefined;
      for (;;) {
        const { items } = await (await fetch(target, { headers })).json();
        if (items.every(isStarted)) break;
        await new Promise((later) => setTimeout(later, 100));
      }
      const durations = [];
      for (let at = 0; at < 21; at++) {
        const from = performance.now();
        await (await fetch(target, { headers })).text();
        durations.push(performance.now() - from);
      }
      return durations.sort((a, b) => a - b)[10];
    }, scripts);
    return {
      'frames a second beside five misbehaving containers': await countFrames(page, watchedMs),
      'a list of pods beside them, ms': answerMs,
    };
  });
}
