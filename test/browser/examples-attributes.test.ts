import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ExampleElement } from '../../src/embed/element/example-element.ts';
import { pageFolder } from './browser.ts';
import { documentOf, example, runExample, useExamplesSite } from './examples-site.ts';

const site = useExamplesSite();

const statusOf = (page: Page, at: number): Promise<string> => page.locator('tabplane-example').nth(at).getByRole('status').innerText();
const loadsOf = (file: string): number => site.host.requestedPaths.filter((path) => path.includes(`/assets/${file}-`)).length;

test('examples with the same cluster share it, and `own` is a cluster that nobody shares', async () => {
  const create = 'kubectl create configmap shared -o name';
  const clusters = ['shop', 'shop', 'bank', 'own', 'own'];
  const page = await site.open(clusters.map((name) => example('sh', create, `data-cluster="${name}"`)).join(''));
  const runs: string[] = [];
  for (const at of clusters.keys()) runs.push(await runExample(page, at));
  const exists = 'error: failed to create configmap: configmaps "shared" already exists\n';
  expect(runs).toEqual(['configmap/shared\n', exists, 'configmap/shared\n', 'configmap/shared\n', 'configmap/shared\n']);
  const upToHere = page.getByRole('button', { name: 'Run all up to here' });
  expect(await upToHere.count()).toBe(1);
});

test('a setup runs once before, from the attribute or from an element of the page', async () => {
  const page = await site.open(`<pre id="prepare">kubectl create namespace prepared</pre>
    ${example('sh', 'kubectl get namespace prepared -o name', 'data-setup="#prepare"')}
    ${example('sh', 'kubectl get namespace prepared other -o name', 'data-setup="kubectl create namespace other"')}
    ${example('sh', 'true', 'data-setup="#none"')}`);
  expect(await runExample(page, 0)).toBe('namespace/prepared\n');
  expect(await runExample(page, 0)).toBe('namespace/prepared\n');
  expect(await runExample(page, 1)).toBe('namespace/prepared\nnamespace/other\n');
  await page.locator('tabplane-example').nth(2).getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('This example cannot run: there is no element #none').waitFor();
});

test('an example runs as its user, and with the names of its cluster', async () => {
  const page = await site.open(
    `${example('sh', 'kubectl auth whoami -o jsonpath={.status.userInfo.username}', 'data-user="jane"')}
    ${example('sh', 'kubectl get configmaps', 'data-user="bob"')}
    ${example('sh', 'kubectl api-versions | grep -c k8s.io', 'data-cluster="neutral" data-names="svc"')}`,
  );
  expect(await runExample(page, 0)).toBe('jane');
  expect(await runExample(page, 1)).toContain('User "bob" cannot list resource "configmaps"');
  expect(await runExample(page, 2)).toBe('0\n');
});

test.each([
  ['a text', 'jane created', 'echo jane created', 'the output does not contain "jane created"'],
  ['JSONPath', 'jsonpath:cm/a {.data.b} c', 'kubectl create cm a --from-literal=b=c', 'configmaps "a" not found'],
  ['CEL', "cel:size(list('v1', 'Namespace', '', '')) == 5", 'kubectl create ns fifth', '4 found, expected 5'],
])('checks the result by %s', async (_, check, code, failure) => {
  const attributes = `data-cluster="own" data-expect="${check}"`;
  const page = await site.open(example('sh', code, attributes) + example('sh', 'true', attributes));
  // At the same time: a check that fails is evaluated for ten seconds.
  await page.evaluate(() =>
    Promise.all([...document.querySelectorAll<ExampleElement>('tabplane-example')].map((element) => element.run())),
  );
  expect(await statusOf(page, 0)).toBe('The result is as documented');
  expect(await statusOf(page, 1)).toContain(failure);
});

test('a block is an editor from the start, or cannot be edited; its output has the largest height', async () => {
  const page = await site.open(
    `${example('sh', 'echo first', 'data-editable')}${example('sh', 'seq 1 200', 'data-readonly data-height="100px"')}`,
  );
  const [first, second] = await page.locator('tabplane-example').all();
  await first?.getByRole('textbox', { name: 'Code of example 1' }).fill('echo edited');
  expect(await runExample(page, 0)).toBe('edited\n');
  expect(await second?.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await runExample(page, 1);
  expect(await second?.locator('pre.output').evaluate(({ clientHeight }) => clientHeight)).toBe(100);
});

test('the script element has defaults for all examples of the page', async () => {
  const page = await site.open(example('sh', 'kubectl auth whoami -o jsonpath={.status.userInfo.username}; seq 1 200'), {
    script: 'data-names="kubernetes" data-user="jane" data-readonly data-lang="de" data-theme="dark" data-height="90px"',
  });
  await page.getByRole('button', { name: 'Ausführen' }).click();
  await page.getByRole('status').getByText('Fertig').waitFor();
  expect(await page.locator('pre.output').innerText()).toMatch(/^jane1\n2\n/);
  expect(await page.locator('pre.output').evaluate(({ clientHeight }) => clientHeight)).toBe(90);
  expect(await page.locator('tabplane-example').evaluate((element) => getComputedStyle(element).colorScheme)).toBe('dark');
  expect(await page.getByRole('button', { name: 'Bearbeiten' }).count()).toBe(0);
  const editable = await site.open(example('sh', 'true'), { script: 'data-editable' });
  await editable.getByRole('textbox', { name: 'Code of example 1' }).waitFor();
});

test('the language of the code, which generators write into `data-lang`, is not the one of the buttons', async () => {
  const page = await site.open(`<div lang="de">${example('sh', 'true', 'data-lang="sh"')}</div>`);
  await page.getByRole('button', { name: 'Ausführen' }).waitFor();
});

test('each line may be an element of its own, with a line break or with a `br`', async () => {
  const lines = ['echo one', '', 'echo two'];
  const withBreaks = lines.map((line) => `<span>${line}<br></span>`).join('');
  const withElements = lines.map((line) => `<div><div>${line || '\n'}</div></div>`).join('');
  const page = await site.open(example('sh', withBreaks) + example('sh', withElements));
  for (const at of [0, 1]) expect(await runExample(page, at)).toBe('one\ntwo\n');
});

test('the documented output is the next block, also after text, but not one of a following section', async () => {
  const output = (text: string): string => `<pre><code class="language-text output">${text}</code></pre>`;
  const page = await site.open(
    `${example('sh', 'echo one')}<p>It prints:</p>${output('one')}
    ${example('sh', 'echo two')}<section>${output('other')}</section>
    ${example('sh', 'echo three')}<p>A file:</p><pre><code>file</code></pre>${output('other')}`,
  );
  for (const at of [0, 1, 2]) await runExample(page, at);
  expect([await statusOf(page, 0), await statusOf(page, 1), await statusOf(page, 2)]).toEqual([
    'The result is as documented',
    'Finished',
    'Finished',
  ]);
  expect(await page.locator('code.output').filter({ visible: true }).allInnerTexts()).toEqual(['other', 'other']);
});

test('the documented output is replaced, also where the page gives blocks a display', async () => {
  site.host.pages.set('/blocks.css', { html: 'pre { display: flex !important }' });
  const page = await site.open(
    `<link rel="stylesheet" href="/blocks.css">${example('sh', 'echo one')}<pre><code class="language-text output">one</code></pre>`,
  );
  const documented = page.locator('code.output');
  await runExample(page, 0);
  expect(await documented.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Reset' }).click();
  await documented.waitFor();
});

test('a run up to an example that the reader has edited runs the edited code', async () => {
  const page = await site.open(example('sh', 'kubectl create configmap first -o name') + example('sh', 'kubectl get configmap first'));
  const second = page.locator('tabplane-example').nth(1);
  await second.getByRole('button', { name: 'Edit' }).click();
  await second.getByRole('textbox').fill('kubectl get configmap first -o name');
  await second.getByRole('button', { name: 'Run all up to here' }).click();
  await second.getByText('Finished').waitFor();
  expect(await second.locator('pre.output').innerText()).toBe('configmap/first\n');
  await second.getByRole('button', { name: 'Reset' }).click();
  await second.getByText('are reset').waitFor();
  expect(await second.locator('pre').innerText()).toBe('kubectl get configmap first');
});

test('blocks that are added later become examples on a call', async () => {
  const page = await site.open(example('sh', 'kubectl create configmap first -o name'));
  await runExample(page, 0);
  await page.evaluate(
    (added) => {
      document.querySelector('main')?.insertAdjacentHTML('beforeend', added);
      tabplaneExamples.enhance();
    },
    example('sh', 'kubectl get configmap first -o name'),
  );
  expect(await runExample(page, 1)).toBe('configmap/first\n');
  expect(await page.getByRole('group', { name: 'Example 2' }).count()).toBe(1);
});

test('buttons are large enough on a page with a small root font', async () => {
  site.host.pages.set('/small.css', { html: 'html { font-size: 62.5% } body { font-size: 1.6rem }' });
  const page = await site.open(`${example('sh', 'true')}<link rel="stylesheet" href="/small.css">`);
  await runExample(page, 0);
  const buttons = await page.locator('tabplane-example button').all();
  const sizes = await Promise.all(
    buttons.map((button) => button.evaluate((element) => [element.clientHeight, getComputedStyle(element).fontSize])),
  );
  expect(sizes.length).toBe(4);
  for (const size of sizes) expect(size).toEqual([26, '14px']);
});

test('the engine of an example with `load` starts when it is visible, before the first click', async () => {
  site.host.requestedPaths.length = 0;
  const far = '<div style="height: 4000px">far</div>';
  const page = await site.open(`${far}${example('sh', 'echo loaded', 'data-load="visible"')}`);
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
  expect(loadsOf('example-engine')).toBe(0);
  await page.locator('tabplane-example').scrollIntoViewIfNeeded();
  await expect.poll(() => loadsOf('example-engine')).toBe(1);
  expect(await runExample(page, 0)).toBe('loaded\n');
  expect([loadsOf('example-engine'), loadsOf('core')]).toEqual([1, 1]);
});

test('the page styles examples by custom properties and parts, and they inherit its colours', async () => {
  const sheet = `body { background: rgb(10, 20, 30); color: rgb(200, 210, 220); }
    tabplane-example { --tabplane-accent: rgb(1, 2, 3); } tabplane-example::part(edit) { font-style: italic; }`;
  site.host.pages.set('/themed.css', { html: sheet });
  const page = await site.open(`<link rel="stylesheet" href="/themed.css">${example('sh', 'echo themed')}`);
  await runExample(page, 0);
  const styleOf = (name: string, property: string): Promise<string> =>
    page
      .locator(name)
      .first()
      .evaluate((element, style) => getComputedStyle(element).getPropertyValue(style), property);
  expect(await styleOf('tabplane-example button.primary', 'background-color')).toBe('rgb(1, 2, 3)');
  expect(await styleOf('tabplane-example [part~=edit]', 'font-style')).toBe('italic');
  expect(await styleOf('tabplane-example pre.output', 'color')).toBe('rgb(200, 210, 220)');
});

test('a script of another host runs with its hash and the smallest policy for it', async () => {
  const { host } = site;
  const script = readFileSync(join(pageFolder, 'example.js'));
  const hash = createHash('sha384').update(script).digest('base64');
  const foreign = host.foreignUrl.slice(0, -1);
  const policy = `default-src 'none'; style-src ${foreign}; script-src ${foreign}; worker-src blob:`;
  host.pages.set('/pinned.html', { html: documentOf(example('sh', 'echo pinned'), '', host.foreignUrl), policy });
  const page = await (await site.context()).newPage();
  const violations: string[] = [];
  page.on('console', (message) => void (/content security policy/i.test(message.text()) && violations.push(message.text())));
  await page.goto(`${host.url}pinned.html`);
  expect(await runExample(page, 0)).toBe('pinned\n');
  expect(violations).toEqual([]);
  const local = await site.open(example('sh', 'echo pinned'), { script: `integrity="sha384-${hash}"` });
  expect(await runExample(local, 0)).toBe('pinned\n');
  const changed = await site.open(example('sh', 'echo pinned'), { script: `integrity="sha384-${'A'.repeat(64)}"` });
  expect(await changed.locator('tabplane-example').count()).toBe(0);
});

test('reports a cluster that is too large for a link', async () => {
  const noise = Array.from({ length: 3_000 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex')).join('');
  const page = await site.open(example('yaml', `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: large\ndata:\n  noise: ${noise}`));
  await runExample(page, 0);
  await page.getByRole('button', { name: 'Open in the playground' }).click();
  await page.getByText('The cluster is too large for a link').waitFor();
});

test('a fence cannot reach the storage of its page', async () => {
  const probe =
    'echo $SECRET; cat /etc/passwd ~/.netrc; env | grep -c stolen; kubectl get --raw http://localhost/ --server=http://localhost/';
  const page = await site.open(example('sh', probe), {
    prepare: (opened) => opened.addInitScript(() => localStorage.setItem('SECRET', 'stolen')),
  });
  site.host.requestedPaths.length = 0;
  expect(await runExample(page, 0)).not.toContain('stolen');
  expect(site.host.requestedPaths.filter((path) => !path.startsWith('/tabplane/'))).toEqual([]);
});
