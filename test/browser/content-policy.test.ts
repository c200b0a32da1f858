import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { frameAncestorsPolicy } from '../../build/content-policy.ts';
import { eventually, pageFolder } from './browser.ts';
import { createCluster, deployment, deployments, expectSuccess, navigate } from './screens.ts';
import { useSite } from './site.ts';
import { type StaticServer, startStaticServer } from './static-server.ts';

const site = useSite();
/** Another origin, which the page may not reach. */
let elsewhere: StaticServer;

declare global {
  /** Violations that the policy reported: `script-src-elem inline`. */
  var refusals: string[];
}

beforeAll(async () => {
  elsewhere = await startStaticServer(pageFolder);
});
afterAll(() => elsewhere.close());
afterEach(() => {
  elsewhere.requestedPaths.length = 0;
});

/** Opens the page and records policy violations from its first script on. */
async function visit(hash: string): Promise<Page> {
  const page = await site.visit({ hash });
  await page.addInitScript(() => {
    globalThis.refusals = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      globalThis.refusals.push(`${effectiveDirective} ${blockedURI}`),
    );
  });
  await page.reload();
  return page;
}

const readRefusals = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.refusals);
const hasRunInjectedScript = (page: Page): Promise<boolean> => page.evaluate(() => 'hacked' in globalThis);

async function type(page: Page, line: string): Promise<string> {
  await page.locator('tp-terminal:not([hidden]) textarea').fill(line);
  await page.keyboard.press('Enter');
  const block = page.locator('tp-terminal:not([hidden]) tp-command-block').last();
  await block.locator('.time').waitFor();
  return (await block.locator('pre').textContent()) ?? '';
}

test('the policy of the built page has no unsafe sources, and no screen violates it', async () => {
  const page = await visit('#/console');
  const policy = await page.locator('meta[http-equiv="content-security-policy"]').getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  expect(await type(page, 'kubectl get deploy')).toContain('web');
  for (const [hash, readySelector] of [
    ['#/o/apps/v1/deployments/default', 'tp-object-grid [role=gridcell]'],
    ['#/o/apps/v1/deployments/default/web?tab=yaml', '.cm-content'],
    ['#/requests', 'tp-requests [role=gridcell]'],
    ['#/access', 'tp-access'],
    ['#/learn/control-plane/01-objects', 'tp-lesson .prose'],
    ['#/files', 'tp-files'],
    ['#/clusters', 'tp-clusters'],
    ['#/settings', 'tp-settings'],
  ] as const) {
    await navigate(page, hash);
    await page.locator(readySelector).first().waitFor();
  }
  // Rows are positioned by script: the policy would refuse a style attribute.
  await navigate(page, '#/o/core/v1/namespaces');
  const row = page.locator('[role=row][aria-rowindex="3"]').first();
  await row.waitFor();
  expect(await row.evaluate((element) => (element as HTMLElement).style.top)).toMatch(/^[1-9]\d*px$/);
  expect(await readRefusals(page)).toEqual([]);
});

const injections: readonly (readonly [name: string, directive: string, html: string])[] = [
  ['a script in the text', 'script-src-elem', '<script>globalThis.hacked = 1</script>'],
  ['a handler in the text', 'script-src-attr', '<img src="data:," onerror="globalThis.hacked = 1">'],
  ['a script from elsewhere', 'script-src-elem', '<script src="ELSEWHERE/assets/x.js"></script>'],
  ['a script that is data', 'script-src-elem', '<script src="data:text/javascript,globalThis.hacked=1"></script>'],
  ['a frame', 'frame-src', '<iframe src="ELSEWHERE"></iframe>'],
  ['an object', 'object-src', '<object data="ELSEWHERE/icon.svg"></object>'],
  ['an image from elsewhere', 'img-src', '<img src="ELSEWHERE/icon.svg">'],
  ['styles in the text', 'style-src-elem', '<style>body { background: url(ELSEWHERE/icon.svg) }</style>'],
  ['styles of an element', 'style-src-attr', '<b style="background: url(ELSEWHERE/icon.svg)">b</b>'],
];

test('the policy blocks scripts, styles and requests of injected HTML', async () => {
  const page = await visit('#/settings');
  const origin = new URL(elsewhere.url.replace('localhost', '127.0.0.1')).origin;
  for (const [name, directive, html] of injections) {
    await page.evaluate(
      (text) => {
        globalThis.refusals = [];
        // A contextual fragment, since scripts inserted by innerHTML never run.
        document.body.append(document.createRange().createContextualFragment(text));
      },
      html.replaceAll('ELSEWHERE', origin),
    );
    await page
      .waitForFunction((prefix) => globalThis.refusals.some((one) => one.startsWith(prefix)), directive)
      .catch(() => {
        throw new Error(`${name} was not refused`);
      });
  }
  expect(await hasRunInjectedScript(page)).toBe(false);
  expect(elsewhere.requestedPaths).toEqual([]);
});

test('the policy blocks the evaluation of text and requests to other origins', async () => {
  const page = await visit('#/settings');
  const origin = new URL(elsewhere.url).origin;
  const outcomes = await page.evaluate(async (other) => {
    const tried = async (run: () => unknown): Promise<string> => {
      try {
        await run();
        return 'done';
      } catch (error) {
        return error instanceof Error ? error.name : String(error);
      }
    };
    const opened = (socket: WebSocket | EventSource): Promise<unknown> =>
      new Promise((done, failed) => {
        socket.addEventListener('open', done);
        socket.addEventListener('error', () => failed(new Error('refused')));
      });
    return {
      fetch: await tried(() => fetch(`${other}/icon.svg`)),
      beacon: navigator.sendBeacon(`${other}/beacon`, 'x') ? 'queued' : 'refused',
      socket: await tried(() => opened(new WebSocket(other.replace('http', 'ws')))),
      events: await tried(() => opened(new EventSource(`${other}/events`))),
      timer: await tried(() => setTimeout('globalThis.hacked = 1' as unknown as () => void)),
    };
  }, origin);
  expect(outcomes).toMatchObject({ fetch: 'TypeError', socket: 'Error', events: 'Error' });
  // As text, since the test runner replaces import() by its own function.
  for (const module of [`${origin}/assets/x.js`, 'data:text/javascript,globalThis.hacked=1']) {
    expect(await page.evaluate(`import(${JSON.stringify(module)}).then(() => 'done', (error) => error.name)`)).toBe('TypeError');
  }
  await page.waitForFunction(() => globalThis.refusals.some((one) => one.startsWith('script-src') && one.includes('eval')));
  expect(await hasRunInjectedScript(page)).toBe(false);
  expect(elsewhere.requestedPaths).toEqual([]);
});

test('renders the contents of hostile manifests as text on every screen', async () => {
  const page = await visit('#/console');
  const evil = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>javascript:globalThis.hacked=1';
  await expectSuccess(page, {
    method: 'POST',
    target: deployments,
    body: deployment('web', { metadata: { name: 'web', annotations: { 'a/b': evil, description: evil } } }),
  });
  await expectSuccess(page, {
    method: 'POST',
    target: '/api/v1/namespaces/default/events',
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e', namespace: 'default' },
      involvedObject: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'web', namespace: 'default' },
      reason: evil,
      message: evil,
      type: 'Warning',
    },
  });
  expect(await type(page, 'kubectl get deploy web -o yaml; kubectl describe deploy web')).toContain('onerror');
  for (const tab of ['overview', 'yaml', 'diff', 'history', 'ownership', 'events', 'access', 'requests']) {
    await navigate(page, `#/o/apps/v1/deployments/default/web?tab=${tab}`);
    await page.locator(`tp-object-page [role=tab][aria-selected=true]`).waitFor();
  }
  await navigate(page, '#/o/core/v1/events/default');
  await page.locator('[role=gridcell]', { hasText: 'onerror' }).first().waitFor();
  expect(await hasRunInjectedScript(page)).toBe(false);
  expect(await readRefusals(page)).toEqual([]);
});

test('a hostile kubeconfig runs no command and reaches neither other origins nor other clusters', async () => {
  const page = await visit('#/clusters');
  await expectSuccess(page, {
    method: 'POST',
    target: '/api/v1/namespaces',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'own' } },
  });
  await createCluster(page);
  await page.getByRole('button', { name: 'leave' }).waitFor();
  await navigate(page, '#/console');
  const config = (server: string, user: object): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });
  const run = (text: string): Promise<string> =>
    type(page, `cat > evil.yaml << 'END'\n${text}\nEND\nkubectl --kubeconfig evil.yaml get ns`);
  const inside = (await type(page, 'kubectl config view -o jsonpath={.clusters[0].cluster.server}')).trim();
  const token = { token: 'admin-token' };
  expect(await run(config(elsewhere.url, token))).not.toContain('kube');
  expect(await run(config(`${site.url}cluster`, token))).not.toContain('own');
  expect(await run(config(`${inside}/../main`, token))).not.toContain('own');
  expect(await run(config(`${inside}/~clusters/main`, token))).not.toContain('own');
  const exec = {
    exec: { apiVersion: 'client.authentication.k8s.io/v1', command: 'curl', args: [elsewhere.url], interactiveMode: 'Never' },
  };
  await run(config(inside, exec));
  const out = `kubectl get --raw /../main/api/v1/namespaces; curl -s "$APISERVER/../main/api/v1/namespaces"; curl ${elsewhere.url}`;
  expect(await type(page, out)).not.toContain('"own"');
  // The cluster itself is still reachable.
  expect(await type(page, 'kubectl get ns')).toMatch(/default/);
  expect(elsewhere.requestedPaths).toEqual([]);
});

test('a page that the worker serves loads only in frames of its own origin', async () => {
  const page = await site.visit();
  const embedder = `<!doctype html><title>embedder</title><iframe src="${site.url}" width="700" height="500"></iframe>`;
  // Another origin of the same site, where the worker controls the frame too.
  site.server.pages.set('/embedder.html', embedder);
  elsewhere.pages.set('/embedder.html', embedder);
  const framedUrl = (): string =>
    page
      .frames()
      .find((one) => one !== page.mainFrame())
      ?.url() ?? '';
  await page.reload();
  await page.goto(`${site.url}embedder.html`);
  await eventually(async () => framedUrl() === site.url);
  await page.locator('iframe').contentFrame().locator('tp-app').waitFor();
  await page.goto(`${elsewhere.url}embedder.html`);
  await eventually(async () => framedUrl().startsWith('chrome-error:'));
  site.server.pages.clear();
  elsewhere.pages.clear();
});

test('the build rejects an invalid list of frame ancestors', () => {
  expect(frameAncestorsPolicy("'none'")).toBe("frame-ancestors 'none'");
  expect(frameAncestorsPolicy("'self' https://docs.example.com *.example.org:8443")).toBe(
    "frame-ancestors 'self' https://docs.example.com *.example.org:8443",
  );
  for (const sources of ['', "'self'; script-src *", 'a,b', 'a\nb', ' a'])
    expect(() => frameAncestorsPolicy(sources)).toThrow('source list');
});
