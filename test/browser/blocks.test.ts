import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { configMap, configMaps, eventually } from './browser.ts';
import { axeViolations, deployment, deployments, expectSuccess, navigate } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

async function visit(): Promise<void> {
  page = await site.visit();
}

const line = (): Locator => page.locator('tp-command-line textarea');

async function run(text: string): Promise<Locator> {
  await line().fill(text);
  await page.keyboard.press('Enter');
  return page.locator('tp-command-block').last();
}

test('shows the output of get as a table with links to the objects', async () => {
  await visit();
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  const block = await run('kubectl get deployments');
  await block.getByRole('button', { name: 'as table' }).click();
  await block.getByRole('columnheader', { name: 'Ready' }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await block.getByRole('link', { name: 'web', exact: true }).focus();
  await page.keyboard.press('d');
  expect(await line().inputValue()).toBe('kubectl describe deployments.apps web -n default');
  await block.getByRole('link', { name: 'YAML of web' }).click();
  await page.locator('.cm-content', { hasText: 'name: web' }).waitFor();
});

test('scrolls a wide table within its block at 320 pixels, not the page', async () => {
  page = await site.visit({ viewport: { width: 320, height: 640 } });
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('a-rather-long-name-of-a-deployment') });
  const block = await run('kubectl get deployments');
  await block.getByRole('button', { name: 'as table' }).click();
  await block.getByRole('columnheader', { name: 'Ready' }).waitFor();
  expect(await block.evaluate((element) => element.getBoundingClientRect().right)).toBeLessThanOrEqual(320);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
});

test('the link of a command inserts its line into the console without running it', async () => {
  await visit();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const block = await run(`echo 'a & b' | cat`);
  await block.getByRole('button', { name: 'link' }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await page.context().newPage();
  await other.goto(link);
  await eventually(async () => (await other.locator('tp-command-line textarea').inputValue()) === `echo 'a & b' | cat`);
  expect(await other.locator('tp-command-block').count()).toBe(0);
});

test('opens the console, the requests or the events below a screen, by key and by button', async () => {
  await visit();
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  await expectSuccess(page, {
    method: 'POST',
    target: '/api/v1/namespaces/default/events',
    body: {
      metadata: { name: 'made', namespace: 'default' },
      involvedObject: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'web', namespace: 'default' },
      reason: 'Made',
      message: 'it was made',
      type: 'Normal',
    },
  });
  await navigate(page, '#/o/apps/v1/deployments/default');
  await page.locator('tp-object-grid [role=gridcell]', { hasText: 'web' }).waitFor();
  await page.keyboard.press('Control+`');
  await line().waitFor();
  await run('kubectl get ns');
  await page.getByRole('button', { name: 'Events', exact: true }).click();
  await page.locator('tp-dock [role=gridcell]', { hasText: 'it was made' }).waitFor();
  expect(await line().isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Requests', exact: true }).click();
  await page.locator('tp-dock [role=gridcell]', { hasText: '/api/v1/namespaces' }).first().waitFor();
  const height = async (): Promise<number> => (await page.locator('tp-dock').boundingBox())?.height ?? 0;
  const before = await height();
  await page.getByRole('separator').focus();
  await page.keyboard.press('ArrowUp');
  await eventually(async () => (await height()) > before);
  await page.getByRole('button', { name: 'Lower' }).click();
  await eventually(async () => (await height()) < before);
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Close the panel' }).click();
  await page.locator('tp-dock').waitFor({ state: 'detached' });
});

test('CO-21: edits the output of a dry run in vi and applies it', async () => {
  await visit();
  await run('kubectl create deploy web --image=nginx --dry-run=client -o yaml > w.yaml; vi w.yaml; kubectl apply -f w.yaml');
  const editor = page.locator('tp-files .cm-content', { hasText: 'replicas: 1' });
  const text = await editor.innerText();
  await editor.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text.replace('replicas: 1', 'replicas: 3'));
  await page.getByRole('button', { name: 'Save and close' }).click();
  await page.locator('tp-command-block pre', { hasText: 'deployment.apps/web created' }).waitFor();
  expect(JSON.parse((await expectSuccess(page, { target: `${deployments}/web` })).text).spec.replicas).toBe(3);
});

test('CO-22: curl streams a watch, one document per line, until Ctrl-C, and its output can be paused', async () => {
  await visit();
  const block = await run('curl -N -s -H "Authorization: Bearer $TOKEN" "$APISERVER/api/v1/namespaces/default/configmaps?watch=1"');
  await block.getByRole('button', { name: 'pause' }).waitFor();
  const lines = async (): Promise<string[]> => ((await block.locator('pre').textContent()) ?? '').split('\n').filter((one) => one !== '');
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('one') });
  await eventually(async () => (await lines()).some((one) => one.includes('"name":"one"')));
  await block.getByRole('button', { name: 'pause' }).click();
  const before = (await lines()).length;
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('two') });
  await expectSuccess(page, { target: `${configMaps}/two` });
  expect((await lines()).length).toBe(before);
  await block.getByRole('button', { name: 'resume' }).click();
  await eventually(async () => (await lines()).some((one) => one.includes('"name":"two"')));
  await line().focus();
  await page.keyboard.press('Control+c');
  await block.locator('.chip', { hasText: 'exit 130' }).waitFor();
  for (const one of await lines()) expect(JSON.parse(one)).toMatchObject({ object: { kind: 'ConfigMap' } });
});
