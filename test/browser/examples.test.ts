import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { documentOf, example, runExample, useExamplesSite } from './examples-site.ts';
import { feedOf, readFeed } from './feed-reader.ts';
import { axeViolations, takeScreenshot } from './screens.ts';

const site = useExamplesSite();

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  colour: blue\n';
const read = 'kubectl get configmap settings -o name';
const story = `<p>Create it:</p>${example('yaml', configMap)}<p>Then read it:</p>${example('sh', read)}
<pre><code class="language-text output">configmap/settings</code></pre><p>Change it:</p>
${example('sh', 'kubectl patch configmap settings -p \'{"data":{"colour":"red"}}\'', 'data-expect="patched"')}`;

const statusOf = (page: Page, at: number): Promise<string> => page.locator('tabplane-example').nth(at).getByRole('status').innerText();

/** Violations of the content security policy, as the console reports them. */
function policyViolations(page: Page): readonly string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) found.push(message.text());
  });
  return found;
}

test('a page loads one small script, and the engine on the first click', async () => {
  site.host.requestedPaths.length = 0;
  const page = await site.open(story);
  expect(site.host.requestedPaths.filter((path) => path.startsWith('/tabplane/'))).toEqual(['/tabplane/example.js']);
  expect(await runExample(page, 0)).toBe('configmap/settings created\n');
  expect(await runExample(page, 1)).toBe('configmap/settings\n');
  expect(await statusOf(page, 1)).toBe('The result is as documented');
  expect(await page.locator('code.output').isVisible()).toBe(false);
  await runExample(page, 2);
  const last = page.locator('tabplane-example').nth(2);
  await last.getByText('Changed objects: 1').click();
  expect(await last.locator('details[open] li li').allInnerTexts()).toEqual(['data.colour: "blue" → "red"']);
  await last.getByText(/Requests: \d+/).click();
  expect(await last.locator('tbody tr').last().innerText()).toContain('PATCH /api/v1/namespaces/default/configmaps/settings');
  await takeScreenshot(page, 'examples-story');
  expect(site.host.requestedPaths.filter((path) => path.includes('/assets/core-'))).toHaveLength(1);
});

test('runs all examples up to one, and resets their cluster and code', async () => {
  const page = await site.open(story);
  const [, second, third] = await page.locator('tabplane-example').all();
  await third?.getByRole('button', { name: 'Run all up to here' }).click();
  await third?.getByText('configmap/settings patched').waitFor();
  expect(await second?.locator('pre.output').innerText()).toBe('configmap/settings\n');
  await third?.getByRole('button', { name: 'Reset' }).click();
  await third?.getByText('are reset').waitFor();
  expect(await page.locator('pre.output').count()).toBe(0);
  expect(await page.locator('code.output').isVisible()).toBe(true);
  expect(await runExample(page, 1)).toBe('Error from server (NotFound): configmaps "settings" not found\n');
  expect(await statusOf(page, 1)).toContain('Not as documented');
});

test.each(['Run', 'Run all up to here'])(
  'the focus stays on %s, while the rest of the element is loaded and while it runs',
  async (name) => {
    const page = await site.open(story);
    const second = page.locator('tabplane-example').nth(1);
    await second.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
    await second.getByText(/as documented/).waitFor();
    expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)).toBe(name);
  },
);

test('a page whose host fails shows it, and the next click tries again', async () => {
  const page = await site.open(story);
  await page.route('**/example-views-*', (route) => route.abort());
  await page.getByRole('button', { name: 'Run', exact: true }).first().click();
  await page.getByText(/This example cannot run: .*example-views.* cannot be loaded/).waitFor();
  await page.unroute('**/example-views-*');
  expect(await runExample(page, 0)).toBe('configmap/settings created\n');
});

test('a block is edited in place, by keyboard only, and Tab leaves the editor', async () => {
  const page = await site.open(story);
  const first = page.locator('tabplane-example').first();
  const block = await first.locator('pre').first().boundingBox();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent)).toBe('Run');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const editor = first.getByRole('textbox', { name: 'Code of example 1' });
  expect(await editor.inputValue()).toBe(configMap.trimEnd());
  const box = await first.locator('.editor').boundingBox();
  expect([box?.width, box?.height].map((size) => Math.round(size ?? 0))).toEqual(
    [block?.width, block?.height].map((size) => Math.round(size ?? 0)),
  );
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(configMap.replace('settings', 'edited'));
  await takeScreenshot(page, 'examples-editor');
  await page.keyboard.press('Control+Enter');
  await first.getByText('configmap/edited created').waitFor();
  await page.keyboard.press('Tab');
  expect(await editor.evaluate((element) => element.matches(':focus'))).toBe(false);
  await first.getByRole('button', { name: 'Reset' }).click();
  expect(await first.locator('pre').first().innerText()).toContain('name: settings');
});

test('runs in a sandboxed frame on a host without CORS headers', async () => {
  site.host.pages.set('/framed.html', { html: documentOf(story, 'data-names="kubernetes"') });
  const page = await site.open('<iframe sandbox="allow-scripts" src="/framed.html" width="900" height="900"></iframe>');
  const frame = page.frames()[1];
  if (!frame) throw new Error('there is no frame');
  expect(await frame.evaluate(() => origin)).toBe('null');
  expect(await runExample(frame, 0)).toBe('configmap/settings created\n');
  await takeScreenshot(page, 'examples-sandbox');
});

test.each(['', 'sandbox="allow-scripts"'])('runs in a frame without an address of its own: srcdoc %s', async (attributes) => {
  const markup = documentOf(story, 'data-names="kubernetes"', site.host.url).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const page = await site.open(`<iframe ${attributes} srcdoc="${markup}" width="900" height="900"></iframe>`);
  const frame = page.frames()[1];
  if (!frame) throw new Error('there is no frame');
  expect(await runExample(frame, 0)).toBe('configmap/settings created\n');
});

test('leaves the functions of the page as they are', async () => {
  const page = await site.open(story, { prepare: (opened) => opened.addInitScript(() => Object.assign(globalThis, { original: fetch })) });
  await runExample(page, 0);
  expect(await page.evaluate(() => fetch === (globalThis as unknown as { original: typeof fetch }).original)).toBe(true);
});

test('runs in a frame of another site, and with the script of another host', async () => {
  const { host } = site;
  host.pages.set('/foreign.html', { html: documentOf(story, 'data-names="kubernetes"', host.foreignUrl) });
  const page = await site.open(`<iframe src="${host.foreignUrl}foreign.html" width="900" height="900"></iframe>`);
  const frame = page.frames()[1];
  if (!frame) throw new Error('there is no frame');
  expect(await runExample(frame, 0)).toBe('configmap/settings created\n');
  await page.goto(`${host.url}foreign.html`);
  expect(await runExample(page, 0)).toBe('configmap/settings created\n');
});

test.each([
  ['worker of its own host', "default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'self'"],
  ['no worker', "default-src 'none'; style-src 'self'; script-src 'self'; worker-src 'none'"],
])('runs with the smallest policy: %s', async (name, policy) => {
  let violations: readonly string[] = [];
  const prepare = async (page: Page): Promise<void> => {
    violations = policyViolations(page);
  };
  const page = await site.open(story, { policy, prepare });
  expect(await runExample(page, 0)).toBe('configmap/settings created\n');
  // The attempts to start a worker are reported where the policy refuses them.
  expect(violations.filter((text) => !/worker/.test(text))).toEqual([]);
  if (name !== 'no worker') expect(violations).toEqual([]);
});

test.each(["worker-src 'self'", "worker-src 'none'"])('a command loads kustomize on its first use: %s', async (policy) => {
  const files = 'mkdir app; cd app\necho "configMapGenerator: [{name: settings, literals: [colour=blue]}]" > kustomization.yaml\n';
  const page = await site.open(example('sh', `${files}kubectl kustomize .`) + example('sh', 'kubectl apply -k . -o name'), { policy });
  site.host.requestedPaths.length = 0;
  expect(await runExample(page, 0)).toContain('name: settings-');
  expect(await runExample(page, 1)).toMatch(/^configmap\/settings-/);
  expect(site.host.requestedPaths.filter((path) => path.includes('/example-kustomize-'))).toHaveLength(1);
});

test('an endless run is stopped, also where the engine runs in the page', async () => {
  for (const policy of ["worker-src 'self'", "worker-src 'none'"]) {
    const page = await site.open(example('sh', 'echo begun; while true; do :; done') + example('sh', read), { policy });
    const first = page.locator('tabplane-example').first();
    await first.getByRole('button', { name: 'Run' }).click();
    // An engine that is still starting may not react to a stop in time, and is terminated with its cluster.
    await first.locator('pre.output', { hasText: 'begun' }).waitFor();
    await first.getByRole('button', { name: 'Stop' }).click();
    await first.getByRole('button', { name: 'Run' }).waitFor();
    expect(await statusOf(page, 0)).toBe('Stopped');
    expect(await runExample(page, 1)).toContain('NotFound');
  }
});

test('runs without storage and Service Workers, and without network after the first run', async () => {
  const page = await site.open(story, {
    prepare: (page) =>
      page.addInitScript(() => {
        const refuse = (): never => {
          throw new DOMException('refused', 'SecurityError');
        };
        for (const name of ['indexedDB', 'localStorage', 'sessionStorage', 'caches'])
          Object.defineProperty(globalThis, name, { get: refuse });
        Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined });
      }),
  });
  expect(await runExample(page, 0)).toBe('configmap/settings created\n');
  await page.context().setOffline(true);
  expect(await runExample(page, 1)).toBe('configmap/settings\n');
  const second = page.locator('tabplane-example').nth(1);
  await second.getByRole('button', { name: 'Reset' }).click();
  // A reset clears the output of a run that begins before its end.
  await second.getByText('are reset').waitFor();
  expect(await runExample(page, 1)).toContain('NotFound');
});

/** Observes the sum of the layout shifts of a page. */
async function observeShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { readonly value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { seen: { shift: number } }).seen.shift);
}

const steps = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<p>Step ${at}</p>${example('sh', `kubectl create configmap step-${at}`)}`).join('');

const loadsOf = (file: string): number => site.host.requestedPaths.filter((path) => path.includes(`/assets/${file}-`)).length;

// The time that they take of the main thread is measured by the bench (`embed`).
test('twelve examples move nothing while the page loads, and share one engine', async () => {
  site.host.requestedPaths.length = 0;
  let shift: (() => Promise<number>) | undefined;
  const page = await site.open(steps(12), {
    prepare: async (opened) => {
      shift = await observeShifts(opened);
    },
  });
  await page.locator('tabplane-example').nth(11).getByRole('button', { name: 'Run all up to here' }).click();
  await page.getByText('configmap/step-11 created').waitFor();
  expect(await page.locator('pre.output').count()).toBe(12);
  // The load alone: a click may move what follows its example.
  await page.reload();
  await page.locator('tabplane-example').nth(11).getByRole('button', { name: 'Run', exact: true }).waitFor();
  expect(await shift?.()).toBe(0);
  expect(loadsOf('core')).toBe(1);
});

test('thirty examples load no script of their own before a click, and then their views, the core and the engine once', async () => {
  site.host.requestedPaths.length = 0;
  let shift: (() => Promise<number>) | undefined;
  const page = await site.open(steps(30), {
    prepare: async (opened) => {
      shift = await observeShifts(opened);
    },
  });
  await page.locator('tabplane-example').nth(29).getByRole('button', { name: 'Run', exact: true }).waitFor();
  expect(await shift?.()).toBe(0);
  expect([loadsOf('example-views'), loadsOf('core'), loadsOf('example-engine')]).toEqual([0, 0, 0]);
  for (const at of [3, 29]) expect(await runExample(page, at)).toBe(`configmap/step-${at} created\n`);
  expect([loadsOf('example-views'), loadsOf('core'), loadsOf('example-engine')]).toEqual([1, 1, 1]);
});

test('has no accessibility violations, before and after a run, and while a block is edited', async () => {
  const page = await site.open(story);
  expect(await axeViolations(page)).toEqual([]);
  await runExample(page, 0);
  await page.locator('tabplane-example').nth(1).getByRole('button', { name: 'Edit' }).click();
  expect(await axeViolations(page)).toEqual([]);
});

test('is a plain page without JavaScript, and complete without buttons in print', async () => {
  const plain = await site.open(story, { context: { javaScriptEnabled: false } });
  expect(await plain.locator('pre').count()).toBe(4);
  expect(await plain.locator('code.output').isVisible()).toBe(true);
  const page = await site.open(story);
  const run = page.getByRole('button', { name: 'Run', exact: true }).first();
  await run.waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await run.isVisible()).toBe(false);
  expect(await page.locator('pre').filter({ visible: true }).count()).toBe(4);
  await page.emulateMedia({ media: 'screen' });
  await runExample(page, 1);
  await page.emulateMedia({ media: 'print' });
  // The actual output is in the place of the documented one.
  expect(await page.getByText('configmap/settings', { exact: true }).or(page.locator('pre.output')).filter({ visible: true }).count()).toBe(
    1,
  );
});

test('has German buttons on a German page, and dark colours on request', async () => {
  const page = await site.open(`<div lang="de">${example('sh', read, 'data-theme="dark"')}</div>`);
  await page.getByRole('button', { name: 'Ausführen' }).click();
  await page.getByRole('status').getByText('Exit-Code 1').waitFor();
  await takeScreenshot(page, 'examples-german');
});

test('an invalid example shows its error in place, and the others run', async () => {
  const page = await site.open(
    `${example('sh', 'true', 'data-nodes="many"')}${example('sh', 'echo fine')}<tabplane-example></tabplane-example>`,
  );
  await page.locator('tabplane-example').first().getByRole('button', { name: 'Run' }).click();
  await page.getByText('This example cannot run: nodes is a number up to 20, not "many"').waitFor();
  expect(await runExample(page, 1)).toBe('fine\n');
  await page.locator('tabplane-example').nth(2).getByRole('button', { name: 'Run all up to here' }).click();
  await page.getByText('This example cannot run: there is no code block in it').waitFor();
});

test('hostile code and attributes are text, and reach their own cluster only', async () => {
  const markup = "echo '&lt;img src=x onerror=&quot;document.title=1&quot;&gt;&lt;script&gt;document.title=2&lt;/script&gt;'";
  const attributes =
    'data-cluster="own" data-height="1px;background:url(/leak)" data-theme="&quot;&gt;&lt;script&gt;" data-onclick="document.title=3"';
  const page = await site.open(
    `${example('sh', markup, attributes)}${example('sh', 'curl http://localhost/secret; curl https://example.com/')}
    ${example('sh', 'kubectl get pods', 'data-user="x&#10;- token: admin-token"')}`,
  );
  expect(await runExample(page, 0)).toContain('<img src=x onerror=');
  expect(await runExample(page, 1)).toMatch(/(?:Could not resolve|Failed to connect|refused)/i);
  await page.locator('tabplane-example').nth(2).getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('This example cannot run: user is the name of a user').waitFor();
  expect(await page.title()).toBe('Guide');
  expect(site.host.requestedPaths.filter((path) => /leak|secret/.test(path))).toEqual([]);
});

test('output without end is stopped', async () => {
  const page = await site.open(example('sh', 'while true; do echo flood flood flood flood flood flood flood; done'));
  expect(await runExample(page, 0)).toContain('stopped: the output is longer than 200000 characters');
});

test('a cluster with nodes runs pods, and checks wait for them', async () => {
  const create = 'kubectl create deployment web --image=nginx --replicas=2\nkubectl rollout status deployment web';
  const expectation = 'data-nodes="2" data-expect="jsonpath:deployment/web {.status.readyReplicas} 2"';
  const page = await site.open(example('sh', create, expectation));
  expect(await runExample(page, 0)).toContain('deployment "web" successfully rolled out');
  expect(await statusOf(page, 0)).toBe('The result is as documented');
});

test('opens the objects of the cluster in the playground', async () => {
  const page = await site.open(example('yaml', configMap));
  await runExample(page, 0);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Open in the playground' }).click();
  const playground = await opened;
  await playground.getByText('Someone shared this with you').waitFor();
  expect(await playground.locator('dl').innerText()).toContain('1 ConfigMap');
});

/** The blocks of an example as a reader of a feed sees them. */
const shownBlocks = ['apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop', 'configmap/shop created'];

const generators = new URL('data/generators/', import.meta.url);

test.each(readdirSync(generators))('runs an example as its generator renders it: %s', async (file) => {
  const page = await site.open(readFileSync(new URL(file, generators), 'utf8'));
  expect(await runExample(page, 0)).toBe('configmap/shop created\n');
  expect(await statusOf(page, 0)).toBe('The result is as documented');
  expect(await page.locator('tabplane-example').count()).toBe(1);
  expect(await page.getByText('configmap/shop created').locator('visible=true').count()).toBe(1);
});

test.each(readdirSync(generators))('is complete in a feed, whose readers remove elements, attributes and scripts: %s', async (file) => {
  const reader = await site.open('', { context: { javaScriptEnabled: false } });
  const { blocks, text } = await readFeed(reader, feedOf(readFileSync(new URL(file, generators), 'utf8')));
  expect(blocks).toEqual(shownBlocks);
  expect(text).not.toMatch(/Run|Loading|shop created"/);
});
