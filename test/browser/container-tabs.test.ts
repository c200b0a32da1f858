import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, killWorkers, sendRequest, workerSession } from './browser.ts';
import { axeViolations, expectSuccess, navigate, takeScreenshot } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite('/', { nodes: 'on' });
const pods = '/api/v1/namespaces/default/pods';

interface Container {
  readonly [field: string]: unknown;
  readonly name: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly stdin?: boolean;
  readonly tty?: boolean;
}

/** Opens the page with a pod whose containers run. */
async function visitWithPod(
  name: string,
  containers: readonly Container[],
  more: object = {},
  before: readonly { readonly target: string; readonly body: object }[] = [],
): Promise<Page> {
  const page = await site.visit();
  for (const create of before) await expectSuccess(page, { method: 'POST', ...create });
  const spec = { containers: containers.map((container) => ({ image: 'busybox', ...container })), ...more };
  await expectSuccess(page, { method: 'POST', target: pods, body: { metadata: { name, labels: { app: name } }, spec } });
  await waitForPhase(page, name, 'Running');
  return page;
}

function waitForPhase(page: Page, name: string, phase: string): Promise<void> {
  return eventually(async () => JSON.parse((await sendRequest(page, { target: `${pods}/${name}` })).text).status?.phase === phase);
}

const shell = (script: string): readonly string[] => ['sh', '-c', script];

/** The shown lines of a log, without their timestamps. */
function readLines(page: Page): Promise<readonly string[]> {
  return page.locator('tp-container-logs .line').evaluateAll((all) =>
    all.map((line) =>
      [...line.childNodes]
        .map((node) => (node.nodeName === 'TIME' ? '' : node.textContent))
        .join('')
        .trimEnd(),
    ),
  );
}

const waitForLine = (page: Page, text: string): Promise<void> => eventually(async () => (await readLines(page)).includes(text));

test('the log of a container is followed, filtered, paused, and shown with timestamps', async () => {
  const loop = 'n=0; while true; do n=$((n+1)); echo "line $n"; sleep 0.2; done';
  const page = await visitWithPod('talk', [{ name: 'main', command: shell(loop) }]);
  await navigate(page, '#/o/core/v1/pods/default/talk?tab=logs');
  await waitForLine(page, 'line 1');
  await waitForLine(page, 'line 5');
  await page.getByRole('status').filter({ hasText: 'following' }).waitFor();
  const first = page.locator('tp-container-logs .line').first();
  expect(await first.locator('time').isVisible()).toBe(false);
  await page.getByLabel('Timestamps').check();
  await eventually(() => first.locator('time').evaluate((time) => getComputedStyle(time).display !== 'none'));
  // Lines out of view have no rendered text.
  expect(await first.textContent()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z line 1\n?$/);
  await page.getByLabel('Filter lines').fill('LINE 3');
  await eventually(async () => (await readLines(page))[0] === 'line 3');
  expect(await page.locator('tp-container-logs mark').first().textContent()).toBe('line 3');
  expect((await readLines(page)).every((text) => text.includes('line 3'))).toBe(true);
  await page.getByLabel('Filter lines').fill('');
  await waitForLine(page, 'line 1');
  await page.getByRole('button', { name: 'Pause' }).click();
  const shown = (await readLines(page)).length;
  // Later lines arrive meanwhile, and are shown when the log continues.
  const later = `line ${shown + 5}`;
  await eventually(async () => (await sendRequest(page, { target: `${pods}/talk/log` })).text.includes(`${later}\n`));
  expect((await readLines(page)).length).toBe(shown);
  await page.getByRole('button', { name: 'Pause' }).click();
  await waitForLine(page, later);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'logs');
});

test('a followed log continues after the worker is killed, without a line twice', async () => {
  const loop = 'n=0; while true; do n=$((n+1)); echo "line $n"; sleep 0.2; done';
  const page = await visitWithPod('talk', [{ name: 'main', command: shell(loop) }]);
  await navigate(page, '#/o/core/v1/pods/default/talk?tab=logs');
  await page.locator('tp-container-logs .line').nth(3).waitFor();
  const count = (await readLines(page)).length;
  await killWorkers(await workerSession(page.context(), page));
  await page
    .locator('tp-container-logs .line')
    .nth(count + 10)
    .waitFor();
  const numbers = (await readLines(page)).map((text) => Number(text.slice('line '.length)));
  expect(numbers).toEqual(numbers.map((_, at) => at + 1));
});

test('logs of init containers and of a previous instance are shown, and errors of the API in its words', async () => {
  const page = await visitWithPod(
    'phases',
    [
      { name: 'main', command: shell('test -e /data/x || { echo first; touch /data/x; exit 1; }; echo second; sleep 3600') },
      { name: 'other', command: shell('echo other; sleep 3600') },
    ].map((container) => ({ ...container, volumeMounts: [{ name: 'data', mountPath: '/data' }] })),
    {
      initContainers: [{ name: 'setup', image: 'busybox', command: shell('echo preparing') }],
      volumes: [{ name: 'data', emptyDir: {} }],
    },
  );
  await navigate(page, '#/o/core/v1/pods/default/phases?tab=logs');
  const only = async (text: string): Promise<void> => eventually(async () => (await readLines(page)).join() === text);
  await only('second');
  await page.getByLabel('Previous instance').check();
  await only('first');
  await page.getByRole('combobox', { name: 'Container' }).selectOption('other');
  await page.getByRole('alert').getByText('previous terminated container "other" in pod "phases" not found').waitFor();
  await page.getByLabel('Previous instance').uncheck();
  await only('other');
  await page.getByRole('combobox', { name: 'Container' }).selectOption('setup (init)');
  await only('preparing');
  expect(page.url()).toContain('container=setup');
  await page.getByRole('status').filter({ hasText: 'end of the log' }).waitFor();
});

test('the pods of a workload are chosen on its page', async () => {
  const page = await site.visit();
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'busybox', command: shell('hostname; sleep 3600') }] },
  };
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
  const target = '/apis/apps/v1/namespaces/default/deployments';
  await expectSuccess(page, { method: 'POST', target, body: { metadata: { name: 'web' }, spec } });
  await navigate(page, '#/o/apps/v1/deployments/default/web?tab=logs');
  const choice = page.getByRole('combobox', { name: 'Pod' });
  await choice.locator('option').filter({ hasText: 'Running' }).nth(1).waitFor({ state: 'attached' });
  for (const at of [1, 0]) {
    await choice.selectOption({ index: at });
    const name = (await choice.inputValue()).trim();
    await eventually(async () => (await readLines(page)).join() === name);
  }
});

test('a shell in a container edits lines, shows colours, and ends with its exit code', async () => {
  const page = await visitWithPod('box', [{ name: 'main', command: ['sleep', '3600'] }]);
  await navigate(page, '#/o/core/v1/pods/default/box?tab=terminal');
  await page.getByRole('button', { name: 'Open' }).click();
  const output = page.locator('tp-container-terminal pre');
  await page.getByLabel('Terminal input').waitFor({ state: 'attached' });
  const enter = async (text: string): Promise<void> => {
    await eventually(async () => /# *$/.test(await output.innerText()));
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await output.getByText(text).waitFor();
  };
  await eventually(async () => /# *$/.test(await output.innerText()));
  await page.keyboard.type('echo hozt');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('s');
  await page.keyboard.press('Enter');
  await eventually(async () => /# echo host\nhost\n/.test(await output.innerText()));
  await enter("printf '\\033[32mgreen\\033[0m\\n'");
  await output.locator('.c2').getByText('green').waitFor();
  // Ctrl-C ends the command, not the session.
  await enter('sleep 1000');
  await page.keyboard.press('Control+c');
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'terminal');
  await enter('exit 3');
  await page.getByRole('status').filter({ hasText: 'exit 3' }).waitFor();
});

test('a terminal attaches to the process of a container, and a session is disconnected', async () => {
  const page = await visitWithPod('box', [
    { name: 'main', command: ['sh'], stdin: true, tty: true },
    { name: 'other', command: ['sleep', '3600'] },
  ]);
  await navigate(page, '#/o/core/v1/pods/default/box?tab=terminal');
  const output = page.locator('tp-container-terminal pre');
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByLabel('Terminal input').waitFor({ state: 'attached' });
  await page.keyboard.type('echo sum-$((40+2))');
  await page.keyboard.press('Enter');
  await output.getByText('sum-42').waitFor();
  await page.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('status').filter({ hasText: 'not connected' }).waitFor();
  await page.getByRole('combobox', { name: 'Container' }).selectOption('other');
  await eventually(async () => (await output.innerText()) === '');
  await page.locator('tp-container-terminal input').fill('nothing');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('alert').getByText('executable file not found in $PATH').waitFor();
});

test('a port is opened in a frame, whose links, pictures, scripts and forms reach this port only', async () => {
  const data = {
    'index.html':
      '<title>Shop</title><h1>Shop</h1><p id="out"></p><a href="/next.html">Next</a> <a href="https://example.com/">Away</a>' +
      '<form action="/next.html"><input name="q" value="tea"><button>Search</button></form><script src="app.js"></script>',
    'next.html': '<h1>Second page</h1><a href="missing">Missing</a>',
    'app.js':
      "const show = (text) => { document.querySelector('#out').textContent += text; };" +
      "fetch('data.json').then((r) => r.json()).then(({ price }) => show('price ' + price + ';'));" +
      "fetch('/../../../../secrets').catch(() => show('refused;'));" +
      "try { localStorage.length; } catch { show('no storage;'); }",
    'data.json': '{"price":12}',
  };
  const page = await visitWithPod(
    'shop',
    [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }], volumeMounts: [{ name: 'html', mountPath: '/usr/share/nginx/html' }] }],
    { volumes: [{ name: 'html', configMap: { name: 'html' } }] },
    [{ target: '/api/v1/namespaces/default/configmaps', body: { metadata: { name: 'html' }, data } }],
  );
  const spec = { selector: { app: 'shop' }, ports: [{ port: 8080, targetPort: 80 }] };
  await expectSuccess(page, { method: 'POST', target: '/api/v1/namespaces/default/services', body: { metadata: { name: 'shop' }, spec } });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  for (const [place, port] of [
    ['pods/default/shop', '80'],
    ['services/default/shop', '8080'],
  ]) {
    await navigate(page, `#/o/core/v1/${place}?tab=ports`);
    const tab = page.locator('tp-open-port');
    await eventually(async () => (await tab.getByLabel('Port').inputValue()) === port);
    await tab.getByRole('button', { name: 'Open' }).click();
    const frame = tab.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Shop' }).waitFor();
    await eventually(async () => /price 12;/.test(await frame.locator('#out').innerText()));
    expect((await frame.locator('#out').innerText()).split(';').sort()).toEqual(['', 'no storage', 'price 12', 'refused']);
    await frame.getByRole('link', { name: 'Away' }).click();
    await tab.getByRole('alert').getByText('https://example.com/ is not at this port.').waitFor();
    await frame.getByRole('button', { name: 'Search' }).click();
    await frame.getByRole('heading', { name: 'Second page' }).waitFor();
    expect(await tab.getByLabel('Path').inputValue()).toBe('/next.html?q=tea');
    await frame.getByRole('link', { name: 'Missing' }).click();
    await tab.getByRole('status').getByText('404').waitFor();
  }
  expect(sent.filter((url) => url.includes('example.com') || url.includes('secrets'))).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'port');
});

test('a port that cannot be reached is reported in the words of the API', async () => {
  const page = await site.visit({ hash: '#/o/core/v1/services/default/none?tab=ports' });
  const spec = { selector: { app: 'none' }, ports: [{ port: 80 }] };
  await expectSuccess(page, { method: 'POST', target: '/api/v1/namespaces/default/services', body: { metadata: { name: 'none' }, spec } });
  await page.locator('tp-open-port').getByRole('button', { name: 'Open' }).click();
  await page.locator('tp-open-port').getByRole('alert').getByText('no endpoints available for service "none').waitFor();
});

test('the directories of a container are listed, and its files are shown and downloaded', async () => {
  const script =
    'mkdir -p /data/sub; echo inside > /data/sub/in; printf "grün\\n" > /data/text; printf "a\\0b" > /data/binary; ' +
    'ln -s sub /data/link; seq 1 100000 > /data/long; sleep 3600';
  const page = await visitWithPod('box', [{ name: 'main', command: shell(script) }]);
  await navigate(page, '#/o/core/v1/pods/default/box?tab=files');
  const tab = page.locator('tp-container-files');
  await tab.getByRole('link', { name: 'data/' }).click();
  await tab.getByRole('cell', { name: 'sub/' }).waitFor();
  const rows = await tab.getByRole('row').allInnerTexts();
  expect(rows.slice(1).map((row) => row.split('\t').slice(0, 1).join())).toEqual(['sub/', 'binary', 'link →', 'long', 'text']);
  expect(rows.at(-1)).toMatch(/^text\t-rw-r--r--\t6\t\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'files');
  await tab.getByRole('link', { name: 'text' }).click();
  await tab.locator('pre').getByText('grün').waitFor();
  const download = page.waitForEvent('download');
  await tab.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('text');
  await page.goBack();
  await tab.getByRole('link', { name: 'long' }).click();
  await tab.getByText('Only the first 256 KiB are shown.').waitFor();
  expect((await tab.locator('pre').innerText()).length).toBeLessThanOrEqual(256 * 1024);
  await page.goBack();
  await tab.getByRole('link', { name: 'binary' }).click();
  await tab.getByText('The file is binary.').waitFor();
  await page.goBack();
  await tab.getByRole('link', { name: 'link' }).click();
  await tab.getByRole('link', { name: 'in', exact: true }).click();
  await tab.locator('pre').getByText('inside').waitFor();
  await navigate(page, '#/o/core/v1/pods/default/box?tab=files&path=/none');
  await tab.getByRole('alert').getByText('/none').waitFor();
});

test('files of a container need the permission to exec, and tools in the container', async () => {
  const page = await visitWithPod('still', [{ name: 'main', image: 'registry.k8s.io/pause:3.10' }]);
  await navigate(page, '#/o/core/v1/pods/default/still?tab=files');
  await page.locator('tp-container-files').getByRole('alert').getByText('executable file not found in $PATH').waitFor();
});

test('the connections of a namespace are tried, and explained by network policies', async () => {
  const page = await visitWithPod(
    'web',
    [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }],
    {},
    ['front', 'other'].map((name) => {
      const spec = { containers: [{ name: 'main', image: 'busybox', command: ['sleep', '3600'] }] };
      return { target: pods, body: { metadata: { name, labels: { app: name } }, spec } };
    }),
  );
  for (const name of ['front', 'other']) await waitForPhase(page, name, 'Running');
  const policy = {
    metadata: { name: 'front-only' },
    spec: { podSelector: { matchLabels: { app: 'web' } }, ingress: [{ from: [{ podSelector: { matchLabels: { app: 'front' } } }] }] },
  };
  await expectSuccess(page, { method: 'POST', target: '/apis/networking.svc/v1/namespaces/default/networkpolicies', body: policy });
  await navigate(page, '#/o/core/v1/namespaces/-/default?tab=network');
  const tab = page.locator('tp-network-view');
  await tab.getByRole('button', { name: 'Check connections' }).click();
  const cell = (pod: string) =>
    tab
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: pod }) })
      .getByRole('cell')
      .last();
  await cell('front').getByText('connected').waitFor();
  expect(await cell('front').innerText()).toMatch(/allowed by\s+front-only/);
  await cell('other').getByText('timed out').waitFor();
  expect(await cell('other').innerText()).toMatch(/denied by\s+front-only/);
  // The columns are those of the Service `kubernetes` and of the port of the pod.
  expect(await tab.getByRole('columnheader').last().innerText()).toBe('pod/web:80');
  await tab.getByRole('button', { name: 'Check connections', disabled: false }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'network');
});
