import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, sendRequest } from './browser.ts';
import { axeViolations, confirmPrompt, createCluster, expectSuccess, navigate, takeScreenshot, waitForAggregatedRoles } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
/** Controllers publish the CA in each namespace. Keys of the cluster are not in a snapshot, so that a restored one has another CA. */
const rootAuthority = 'kube-root-ca.crt';
const isOriginal = ({ metadata }: { readonly metadata: Readonly<Record<string, string>> }): boolean => metadata['name'] !== rootAuthority;
const definitions = '/apis/apiextensions.svc/v1/customresourcedefinitions';

/** Creates a few objects in the default cluster. */
async function createObjects(page: Page): Promise<void> {
  const post = (target: string, body: object) => expectSuccess(page, { method: 'POST', target, body });
  await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  await post('/api/v1/namespaces/shop/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'app' },
    data: { color: 'blue' },
  });
  await post('/api/v1/namespaces/shop/services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { ports: [{ port: 80 }], selector: { app: 'web' } },
  });
  await post('/api/v1/namespaces/shop/secrets', {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'key' },
    stringData: { a: 'hidden' },
  });
}

/** Lists objects of the cluster `id`, or of the default cluster when it is empty. */
function listObjects(page: Page, id: string, path: string): Promise<{ metadata: Record<string, string> }[]> {
  return page.evaluate(
    async ([cluster, target]) => {
      const base = `${globalThis.tabplane.baseUrl}${cluster === '' ? '' : `~clusters/${cluster}/`}`;
      const answer = await fetch(base + target, { headers: { authorization: 'Bearer admin-token' } });
      return (await answer.json()).items;
    },
    [id, path] as const,
  );
}

/** The id of the newest additional cluster; empty when only the default cluster exists. */
function newestClusterId(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { clusters } = await (await fetch(`${globalThis.tabplane.baseUrl}~clusters`)).json();
    return (clusters as string[]).filter((id) => id.startsWith('c-')).at(-1) ?? '';
  });
}

async function createLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create a link' }).click();
  await page.getByLabel('Link', { exact: true }).waitFor();
  return page.getByLabel('Link', { exact: true }).inputValue();
}

test('opens a link in a new cluster after a preview, without Secrets, and creates the same link twice', async () => {
  const page = await site.visit({ hash: '#/console' });
  await createObjects(page);
  await page.keyboard.press('Control+Shift+S');
  const link = await createLink(page);
  await page.getByText('Secrets not included: key.').waitFor();
  expect(await createLink(page)).toBe(link);
  expect(link.length).toBeLessThan(600);
  await page.goto(link);
  await page.getByText('1 Namespace, 1 ConfigMap, 1 Service').waitFor();
  expect(await newestClusterId(page)).toBe('');
  await page.getByRole('button', { name: 'Open in a new cluster' }).click();
  await page.getByRole('button', { name: 'leave' }).waitFor();
  const id = await newestClusterId(page);
  const configMaps = await listObjects(page, id, 'api/v1/namespaces/shop/configmaps');
  expect(configMaps.filter(isOriginal).map(({ metadata }) => metadata['name'])).toEqual(['app']);
  expect(await listObjects(page, id, 'api/v1/namespaces/shop/secrets')).toEqual([]);
});

test('a snapshot restores equal objects, with uids and resource versions', async () => {
  const page = await site.visit({ hash: '#/console' });
  await createObjects(page);
  await navigate(page, '#/clusters');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download snapshot' }).click();
  const path = await (await download).path();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mine.snapshot.gz', mimeType: 'application/gzip', buffer: readFileSync(path) });
  await page.getByText('open in a new cluster').waitFor();
  const id = await newestClusterId(page);
  for (const path of ['api/v1/namespaces/shop/configmaps', 'api/v1/services', 'api/v1/namespaces']) {
    const [restored, original] = [await listObjects(page, id, path), await listObjects(page, '', path)];
    expect(restored.filter(isOriginal), path).toEqual(original.filter(isOriginal));
  }
  expect((await listObjects(page, id, 'api/v1/secrets')).length).toBe(0);
});

test('exports manifests without server-set fields, and opens them in a new cluster', async () => {
  const page = await site.visit({ hash: '#/console' });
  await createObjects(page);
  // Definitions are stored in a version that is not served.
  const schema = { openAPIV3Schema: { type: 'object' } };
  await expectSuccess(page, {
    method: 'POST',
    target: definitions,
    body: {
      metadata: { name: 'fruits.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'fruits', kind: 'Fruit' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    },
  });
  await navigate(page, '#/clusters');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download manifests' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text).not.toMatch(/uid:|resourceVersion:|managedFields:|clusterIP:|hidden/);
  await page.locator('input[type=file]').setInputFiles({ name: 'mine.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) });
  await page.getByText('open in a new cluster').waitFor();
  const [one] = await listObjects(page, await newestClusterId(page), 'api/v1/namespaces/shop/configmaps');
  expect(one).toMatchObject({ data: { color: 'blue' } });
  expect(await listObjects(page, await newestClusterId(page), definitions.slice(1))).toMatchObject([
    { metadata: { name: 'fruits.example.com' } },
  ]);
});

test('SH-6: creates files in the page without uploads, and the HAR contains no token', async () => {
  const page = await site.visit({ hash: '#/console' });
  await createObjects(page);
  const sent: string[] = [];
  const base = await page.evaluate(() => globalThis.tabplane.baseUrl);
  page.context().on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().startsWith(base)) sent.push(request.url());
  });
  await page.locator('tp-command-line textarea').fill('kubectl get configmaps -n shop');
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block .time').waitFor();
  await navigate(page, '#/clusters');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download requests (HAR)' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(
    JSON.parse(text).log.entries.some(({ request }: { request: { url: string } }) => request.url.includes('/namespaces/shop/configmaps')),
  ).toBe(true);
  expect(text).not.toContain('admin-token');
  await createLink(page);
  expect(sent).toEqual([]);
});

test.each([
  ['#/s/1.AAAA', 'damaged'],
  ['#/s/9.AAAA', 'version 9'],
  ['#/s/1.%3Cimg%20src=x%20onerror=alert(1)%3E', 'link is incomplete'],
  ['#/s/', 'link is incomplete'],
])('shows an error for the link %s and creates no cluster', async (hash, message) => {
  const page = await site.visit({ hash: hash });
  await page.getByRole('alert').getByText(message).waitFor();
  expect(await newestClusterId(page)).toBe('');
});

test.each([
  ['a bomb', gzipSync(Buffer.alloc(30 * 1024 * 1024)), 'expands to more than 20 MB'],
  ['no JSON', gzipSync(Buffer.from('x')), 'damaged'],
  ['another format', gzipSync(Buffer.from('{"format":"other"}')), 'not a cluster snapshot'],
  [
    'an invalid object',
    gzipSync(Buffer.from('{"format":"tabplane-snapshot","version":1,"revision":2,"entries":[{"key":"/registry/pods/a/b","value":"[]"}]}')),
    'an invalid object',
  ],
  [
    'a version from the future',
    gzipSync(
      Buffer.from(
        JSON.stringify({
          format: 'tabplane-snapshot',
          version: 1,
          revision: 2,
          entries: [{ key: '/registry/configmaps/a/b', value: '{"kind":"ConfigMap","metadata":{}}', createRevision: 1, revision: 99 }],
        }),
      ),
    ),
    'no copy of a cluster',
  ],
])('shows an error for a snapshot that is %s and creates no cluster', async (_name, buffer, message) => {
  const page = await site.visit({ hash: '#/clusters' });
  await page.locator('input[type=file]').setInputFiles({ name: 'bad.gz', mimeType: 'application/gzip', buffer });
  await page.locator('.notice.bad', { hasText: message }).waitFor();
  expect(await newestClusterId(page)).toBe('');
});

test('renders a lesson from a file as text, and runs no script', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  const hostile = [
    '---',
    'title: <img src=x onerror="globalThis.hacked=1">',
    '---',
    '<script>globalThis.hacked=1</script>',
    '<img src=x onerror="globalThis.hacked=1">',
    '[click me](javascript:globalThis.hacked=1)',
    '## Step <b onclick="globalThis.hacked=1">one</b>',
    'Look.',
    '```check',
    '- cel: \'"a".matches("(a+)+$")\'',
    '  message: <script>globalThis.hacked=1</script>',
    '- cel: size(list("v1", "Namespace", "", "")) > 0',
    '  message: no namespaces',
    '```',
  ].join('\n');
  await page.locator('input[type=file]').setInputFiles({ name: 'evil.md', mimeType: 'text/markdown', buffer: Buffer.from(hostile) });
  await page.locator('tp-lesson .checks [role=status]', { hasText: '(1 of 2)' }).waitFor();
  await page.getByText('click me').click();
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  expect(await page.evaluate(() => location.href)).toContain('#/learn/file/evil');
});

test('SH-3: a shortcut opens the sharing screen from any screen', async () => {
  const page = await site.visit({ hash: '#/settings' });
  await page.locator('tp-settings h2').waitFor();
  await page.keyboard.press('Control+Shift+S');
  await page.getByRole('button', { name: 'Create a link' }).waitFor();
});

test('lists the size, revision and last use of each cluster, and the top bar names the current one', async () => {
  const page = await site.visit({ hash: '#/console' });
  await createObjects(page);
  // The controllers of each cluster create objects, too: those of this one have finished before its size is read.
  await waitForAggregatedRoles(page);
  const account = '/api/v1/namespaces/shop/serviceaccounts/default';
  await eventually(async () => (await sendRequest(page, { target: account })).status === 200);
  await navigate(page, '#/clusters');
  const row = (name: string) => page.locator('tp-cluster-rows li', { hasText: name });
  const open = page.locator('tp-top-bar .place a');
  expect(await open.innerText()).toBe('My cluster');
  await createCluster(page);
  await page.locator('tp-top-bar .place a', { hasText: 'Cluster 2' }).waitFor();
  const numbers = async (name: string): Promise<readonly number[]> => {
    const small = row(name).locator('small', { hasText: /last used .*\d/ });
    const [, objects, size, revision] = /(\d+) objects, ([\d.]+) kB · revision (\d+)/.exec(await small.innerText()) ?? [];
    return [objects, size, revision].map(Number);
  };
  // The cluster with additional objects is larger than the new one and has a higher revision.
  const [own, other] = [await numbers('My cluster'), await numbers('Cluster 2')];
  expect(own.map((number, at) => number > (other[at] ?? Number.POSITIVE_INFINITY))).toEqual([true, true, true]);
  await open.click();
  // The address names the cluster.
  expect(await page.evaluate(() => location.hash)).toMatch(/^#\/clusters\?cluster=c-/);
});

test('creates, renames and duplicates clusters, and undoes their deletion', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  await createCluster(page);
  await page.getByRole('button', { name: 'leave' }).waitFor();
  await page.getByRole('button', { name: 'rename' }).click();
  await confirmPrompt(page, 'Rename', 'Second');
  await page.locator('tp-cluster-rows .name', { hasText: 'Second' }).waitFor();
  await page.getByRole('button', { name: 'duplicate' }).click();
  await page.locator('tp-cluster-rows .name', { hasText: 'Second (copy)' }).waitFor();
  await page.locator('tp-cluster-rows li', { hasText: 'Second (copy)' }).getByRole('button', { name: 'delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('tp-cluster-rows .name', { hasText: 'Second (copy)' }).waitFor();
});

test.each(['light', 'dark'] as const)('the screens of clusters and links have no axe violations, %s', async (colorScheme) => {
  for (const [width, height] of [
    [1280, 800],
    [360, 640],
  ] as const) {
    const page = await site.visit({ hash: '#/clusters', colorScheme, viewport: { width, height } });
    await createObjects(page);
    const link = await createLink(page);
    await takeScreenshot(page, `clusters-${colorScheme}-${width}`);
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(link);
    await page.getByText('Someone shared this').waitFor();
    await takeScreenshot(page, `shared-${colorScheme}-${width}`);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
  }
});
