import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { pageFolder } from './browser.ts';
import { axeViolations, navigate, waitForFetchFrame } from './screens.ts';
import { useSite } from './site.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

const site = useSite();
/** Another origin, which allows cross-origin requests. */
let elsewhere: StaticServer;

beforeAll(async () => {
  elsewhere = await startStaticServer(pageFolder);
});
afterAll(() => elsewhere.close());
afterEach(() => {
  elsewhere.requestedPaths.length = 0;
  elsewhere.pages.clear();
});

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: from-afar\ndata:\n  far: away\n';

async function openFrame(page: Page): Promise<FrameLocator> {
  await page.getByRole('button', { name: 'From a URL…' }).click();
  const frame = page.frameLocator('iframe[title="Open from a URL"]');
  await waitForFetchFrame(frame);
  return frame;
}

async function fetchFrom(page: Page, address: string): Promise<FrameLocator> {
  const frame = await openFrame(page);
  await frame.getByLabel('URL').fill(address);
  await frame.getByRole('button', { name: 'Fetch' }).click();
  return frame;
}

async function hasConfigMap(page: Page, name: string): Promise<void> {
  await navigate(page, '#/console');
  await page.locator('tp-terminal:not([hidden]) textarea').fill('kubectl get cm -o name');
  await page.locator('tp-terminal:not([hidden]) textarea').press('Enter');
  await page.locator('tp-terminal:not([hidden]) tp-command-block', { hasText: `configmap/${name}` }).waitFor();
}

test('opens manifests from a URL in a new cluster', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  elsewhere.pages.set('/far.yaml', manifest);
  await fetchFrom(page, `${elsewhere.url}far.yaml`);
  await page.getByText('far.yaml is open in a new cluster.').waitFor();
  expect(elsewhere.requestedPaths).toEqual(['/far.yaml']);
  expect(await page.locator('iframe').count()).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  await hasConfigMap(page, 'from-afar');
});

test('shows an error for a URL that cannot be fetched', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  const frame = await fetchFrom(page, `${elsewhere.url}nothing.yaml`);
  await frame.getByRole('status').getByText('The server responded with 404.').waitFor();
  for (const [address, words] of [
    ['nonsense', 'This is not a URL'],
    ['file:///etc/passwd', 'The scheme file: is not supported'],
    ['http://localhost:1/a.yaml', 'does not allow cross-origin requests'],
  ] as const) {
    await frame.getByLabel('URL').fill(address);
    await frame.getByLabel('URL').press('Enter');
    await frame.getByRole('status').getByText(words).waitFor();
  }
  expect(await axeViolations(page)).toEqual([]);
});

test('page scripts can neither trigger a fetch in the frame nor access it, and forged messages are ignored', async () => {
  const page = await site.visit({ hash: '#/clusters' });
  await openFrame(page);
  const outcome = await page.evaluate(async (url) => {
    const find = (root: Document | ShadowRoot): HTMLIFrameElement | null => {
      const found = root.querySelector('iframe');
      if (found !== null) return found;
      for (const one of root.querySelectorAll('*')) {
        const inner = one.shadowRoot === null ? null : find(one.shadowRoot);
        if (inner !== null) return inner;
      }
      return null;
    };
    const shown = find(document);
    shown?.contentWindow?.postMessage({ url, address: url, click: true }, '*');
    postMessage({ name: 'forged.yaml', bytes: new TextEncoder().encode('kind: ConfigMap').buffer }, '*');
    const fetched = await fetch(url).then(
      () => 'reached',
      () => 'refused',
    );
    return { inside: shown?.contentDocument ?? null, fetched };
  }, `${elsewhere.url}far.yaml`);
  expect(outcome).toEqual({ inside: null, fetched: 'refused' });
  expect(elsewhere.requestedPaths).toEqual([]);
  expect(await page.getByText('forged').count()).toBe(0);
});

test('opens pasted manifests in a new cluster', async () => {
  const page = await site.visit({ hash: '#/clusters', permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('heading', { name: 'Clusters' }).waitFor();
  await page.evaluate((text) => navigator.clipboard.writeText(text), manifest.replace('from-afar', 'pasted'));
  await page.keyboard.press('Control+v');
  await page.getByText('pasted.yaml is open in a new cluster.').waitFor();
  await hasConfigMap(page, 'pasted');
});
