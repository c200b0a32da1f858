import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { go, must, picture, violations } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
const definitions = '/apis/apiextensions.svc/v1/customresourcedefinitions';

/** A few things in the page's own cluster. */
async function fill(page: Page): Promise<void> {
  const post = (target: string, body: object) => must(page, { method: 'POST', target, body });
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

/** The objects of the cluster that is looked at, by the page's own address of it. */
function objects(page: Page, id: string, path: string): Promise<{ metadata: Record<string, string> }[]> {
  return page.evaluate(
    async ([cluster, target]) => {
      const base = `${globalThis.tabplane.baseUrl}${cluster === '' ? '' : `~clusters/${cluster}/`}`;
      const answer = await fetch(base + target, { headers: { authorization: 'Bearer admin-token' } });
      return (await answer.json()).items;
    },
    [id, path] as const,
  );
}

/** The id of the newest named cluster. */
function newest(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const { clusters } = await (await fetch(`${globalThis.tabplane.baseUrl}~clusters`)).json();
    return (clusters as string[]).filter((id) => id.startsWith('c-')).at(-1) ?? '';
  });
}

async function madeLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create a link' }).click();
  await page.getByLabel('Link', { exact: true }).waitFor();
  return page.getByLabel('Link', { exact: true }).inputValue();
}

test('a link becomes a new cluster after a preview, without the Secrets, and twice is one link', async () => {
  const page = await site.visit({ hash: '#/console' });
  await fill(page);
  await page.keyboard.press('Control+Shift+S');
  const link = await madeLink(page);
  await page.getByText('Secrets not included: key.').waitFor();
  expect(await madeLink(page)).toBe(link);
  expect(link.length).toBeLessThan(600);
  await page.goto(link);
  await page.getByText('1 Namespace, 1 ConfigMap, 1 Service').waitFor();
  expect(await newest(page)).toBe('');
  await page.getByRole('button', { name: 'Open in a new cluster' }).click();
  await page.getByRole('button', { name: 'leave' }).waitFor();
  const id = await newest(page);
  expect((await objects(page, id, 'api/v1/namespaces/shop/configmaps')).map(({ metadata }) => metadata['name'])).toEqual(['app']);
  expect(await objects(page, id, 'api/v1/namespaces/shop/secrets')).toEqual([]);
});

test('a snapshot brings back equal objects, with their identities and versions', async () => {
  const page = await site.visit({ hash: '#/console' });
  await fill(page);
  await go(page, '#/clusters');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download snapshot' }).click();
  const path = await (await download).path();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'mine.snapshot.gz', mimeType: 'application/gzip', buffer: readFileSync(path) });
  await page.getByText('open in a new cluster').waitFor();
  const id = await newest(page);
  for (const kind of ['configmaps', 'services', 'namespaces']) {
    expect(await objects(page, id, `api/v1/${kind}`), kind).toEqual(await objects(page, '', `api/v1/${kind}`));
  }
  expect((await objects(page, id, 'api/v1/secrets')).length).toBe(0);
});

test('manifests come out clean, and apply in a cluster of their own', async () => {
  const page = await site.visit({ hash: '#/console' });
  await fill(page);
  // Definitions are stored in a version that is not served.
  const schema = { openAPIV3Schema: { type: 'object' } };
  await must(page, {
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
  await go(page, '#/clusters');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download manifests' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(text).not.toMatch(/uid:|resourceVersion:|managedFields:|clusterIP:|hidden/);
  await page.locator('input[type=file]').setInputFiles({ name: 'mine.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) });
  await page.getByText('open in a new cluster').waitFor();
  const [one] = await objects(page, await newest(page), 'api/v1/namespaces/shop/configmaps');
  expect(one).toMatchObject({ data: { color: 'blue' } });
  expect(await objects(page, await newest(page), definitions.slice(1))).toMatchObject([{ metadata: { name: 'fruits.example.com' } }]);
});

test('SH-6: files are made in the page: nothing is uploaded, and the archive of requests has no token', async () => {
  const page = await site.visit({ hash: '#/console' });
  await fill(page);
  const sent: string[] = [];
  const base = await page.evaluate(() => globalThis.tabplane.baseUrl);
  page.context().on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().startsWith(base)) sent.push(request.url());
  });
  await page.locator('tp-command-line textarea').fill('kubectl get configmaps -n shop');
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block .time').waitFor();
  await go(page, '#/clusters');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download requests (HAR)' }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  expect(
    JSON.parse(text).log.entries.some(({ request }: { request: { url: string } }) => request.url.includes('/namespaces/shop/configmaps')),
  ).toBe(true);
  expect(text).not.toContain('admin-token');
  await madeLink(page);
  expect(sent).toEqual([]);
});

test.each([
  ['#/s/1.AAAA', 'damaged'],
  ['#/s/9.AAAA', 'version 9'],
  ['#/s/1.%3Cimg%20src=x%20onerror=alert(1)%3E', 'link is incomplete'],
  ['#/s/', 'link is incomplete'],
])('the link %s gives a message and nothing else', async (hash, words) => {
  const page = await site.visit({ hash: hash });
  await page.getByRole('alert').getByText(words).waitFor();
  expect(await newest(page)).toBe('');
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
])('a snapshot that is %s gives a message and no cluster', async (_what, buffer, words) => {
  const page = await site.visit({ hash: '#/clusters' });
  await page.locator('input[type=file]').setInputFiles({ name: 'bad.gz', mimeType: 'application/gzip', buffer });
  await page.locator('.notice.bad', { hasText: words }).waitFor();
  expect(await newest(page)).toBe('');
});

test('a lesson that comes as a file is text, and runs no script', async () => {
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

test('SH-3: a key leads to where one shares, from any screen', async () => {
  const page = await site.visit({ hash: '#/settings' });
  await page.locator('tp-settings h2').waitFor();
  await page.keyboard.press('Control+Shift+S');
  await page.getByRole('button', { name: 'Create a link' }).waitFor();
});

test('each cluster of the list says how large it is, its revision and when it was used, and the top bar names the open one', async () => {
  const page = await site.visit({ hash: '#/console' });
  await fill(page);
  await go(page, '#/clusters');
  const row = (name: string) => page.locator('tp-clusters li', { hasText: name });
  const open = page.locator('tp-top-bar .place a');
  expect(await open.innerText()).toBe('My cluster');
  await page.getByRole('button', { name: 'New cluster' }).click();
  await page.locator('tp-top-bar .place a', { hasText: 'Cluster 2' }).waitFor();
  const numbers = async (name: string): Promise<readonly number[]> => {
    const small = row(name).locator('small', { hasText: /last used .*\d/ });
    const [, objects, size, revision] = /(\d+) objects, ([\d.]+) kB · revision (\d+)/.exec(await small.innerText()) ?? [];
    return [objects, size, revision].map(Number);
  };
  // What was put into the one makes it larger, and its revision higher, than the new one.
  const [own, other] = [await numbers('My cluster'), await numbers('Cluster 2')];
  expect(own.map((number, at) => number > (other[at] ?? Number.POSITIVE_INFINITY))).toEqual([true, true, true]);
  await open.click();
  expect(await page.evaluate(() => location.hash)).toBe('#/clusters');
});

test('clusters are made, renamed, copied, and their deletion undone', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  page.on('dialog', (dialog) => void dialog.accept('Second'));
  await page.getByRole('button', { name: 'New cluster' }).click();
  await page.getByRole('button', { name: 'leave' }).waitFor();
  await page.getByRole('button', { name: 'rename' }).click();
  await page.locator('tp-clusters .name', { hasText: 'Second' }).waitFor();
  await page.getByRole('button', { name: 'duplicate' }).click();
  await page.locator('tp-clusters .name', { hasText: 'Second (copy)' }).waitFor();
  await page.locator('tp-clusters li', { hasText: 'Second (copy)' }).getByRole('button', { name: 'delete' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.locator('tp-clusters .name', { hasText: 'Second (copy)' }).waitFor();
});

test.each(['light', 'dark'] as const)('axe finds nothing on the screens of clusters and links, %s', async (colorScheme) => {
  for (const [width, height] of [
    [1280, 800],
    [360, 640],
  ] as const) {
    const page = await site.visit({ hash: '#/clusters', colorScheme, viewport: { width, height } });
    await fill(page);
    const link = await madeLink(page);
    await picture(page, `clusters-${colorScheme}-${width}`);
    expect(await violations(page)).toEqual([]);
    await page.goto(link);
    await page.getByText('Someone shared this').waitFor();
    await picture(page, `shared-${colorScheme}-${width}`);
    expect(await violations(page)).toEqual([]);
    await page.close();
  }
});
