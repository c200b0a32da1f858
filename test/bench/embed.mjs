// Live examples: the sizes of their scripts, and the time from the click to the first result.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inBrowser, inFreshProfile } from './browser.mjs';
import { generatedDocuments } from './generated-docs.mjs';
import { median } from './measure.mjs';
import { root } from './page.mjs';
import { pageSizes } from './sizes.mjs';

export const goals = {
  'script before the first click, gz bytes': { atMost: 3_000 },
  'editors and results, loaded on first use, gz bytes': { atMost: 25_000 },
  'main thread before a click, 12 examples, ms': { atMost: 50 },
  'scripts before a click, 30 examples, ms': { atMost: 20 },
  'first result after the click, nothing cached, ms': { atMost: 1_000 },
  'result of a further example, ms': { atMost: 300 },
  'docs test of 1,000 blocks, s': { atMost: 60 },
  'package, unpacked without source maps, MB': { atMost: 3 },
};

const rounds = 3;
const block = '<pre><code class="language-sh tabplane">kubectl create configmap NAME</code></pre>';
const page = (count) =>
  `<!doctype html><html lang="en"><title>Guide</title><script src="/example.js" data-names="kubernetes"></script><body>${Array.from(
    { length: count },
    (_, at) => block.replace('NAME', `step-${at}`),
  ).join('')}</body></html>`;

/** @returns {Promise<Record<string, number>>} */
export function benchEmbed() {
  return inBrowser(async (bench) => {
    const { example, exampleViews, exampleEngine, exampleKustomize } = pageSizes();
    bench.server.pages.set('/examples.html', page(12));
    bench.server.pages.set('/many-examples.html', page(30));
    const times = { idle: [], scripts: [], first: [], further: [] };
    for (let round = 0; round < rounds; round++) {
      await inFreshProfile(bench, async (opened) =>
        times.scripts.push(await loadMs(bench, opened, 'many-examples.html', 'ScriptDuration')),
      );
      await inFreshProfile(bench, (opened) => measurePage(bench, opened, times));
    }
    return {
      'script before the first click, gz bytes': example,
      'editors and results, loaded on first use, gz bytes': exampleViews,
      'engine of examples beside the core, gz bytes': exampleEngine,
      'kustomize of examples, loaded on first use, gz bytes': exampleKustomize,
      'main thread before a click, 12 examples, ms': median(times.idle),
      'scripts before a click, 30 examples, ms': median(times.scripts),
      'first result after the click, nothing cached, ms': median(times.first),
      'result of a further example, ms': median(times.further),
      'docs test of 1,000 blocks, s': await docsTestSeconds(),
      'package, unpacked without source maps, MB': await unpackedMegabytes(),
    };
  });
}

async function measurePage(bench, opened, times) {
  times.idle.push(await loadMs(bench, opened, 'examples.html', 'TaskDuration'));
  times.first.push(await clickMs(opened, 0));
  times.further.push(await clickMs(opened, 1));
}

/** What the main thread does while a page is loaded: all tasks, or scripts alone. */
async function loadMs({ server }, opened, path, metric) {
  const session = await opened.context().newCDPSession(opened);
  // Time of the processor, which other processes do not prolong.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await opened.goto(`${server.url}${path}`);
  const { metrics } = await session.send('Performance.getMetrics');
  return 1_000 * (metrics.find(({ name }) => name === metric)?.value ?? Number.NaN);
}

/** From the click on Run until the output is in the page. */
function clickMs(opened, at) {
  return opened.evaluate(async (index) => {
    const element = document.querySelectorAll('tabplane-example')[index];
    const from = performance.now();
    const result = new Promise((resolve) => element.addEventListener('result', resolve, { once: true }));
    element.shadowRoot.querySelector('button').click();
    await result;
    return performance.now() - from;
  }, at);
}

async function docsTestSeconds() {
  const folder = mkdtempSync(join(root, 'dist/bench-docs-'));
  try {
    for (const [at, text] of generatedDocuments(40).entries()) writeFileSync(join(folder, `page-${at}.md`), text);
    const from = performance.now();
    await promisify(execFile)(process.execPath, [
      join(root, 'dist/node/tabplane.js'),
      'docs',
      'test',
      join(folder, '*.md'),
      '--names',
      'kubernetes',
    ]);
    return (performance.now() - from) / 1_000;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpackedMegabytes() {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root });
  return JSON.parse(stdout)[0].files.reduce((total, { path, size }) => total + (path.endsWith('.map') ? 0 : size), 0) / 1e6;
}
