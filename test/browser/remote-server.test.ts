import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { type StartedServer, startServer, tokenFile } from '../servers/start-server.ts';
import { eventually } from './browser.ts';
import { buildPage } from './build-page.ts';
import { navigate, runCommand } from './screens.ts';
import { useSite } from './site.ts';

let server: StartedServer;

/** A page that was built for a server. */
async function built(): Promise<string> {
  server = await startServer('--all-in-one', '--nodes', '1', '--token-auth-file', tokenFile, '--cors-allowed-origins', '//localhost:');
  return buildPage('remote', { TABPLANE_SERVER: server.url });
}
const site = useSite('/', { built, nodes: 'on' });
afterAll(() => server.stop());

async function visit(): Promise<Page> {
  const page = await (await site.context({ ignoreHTTPSErrors: true })).newPage();
  await page.goto(site.url);
  await page.locator('tp-command-line textarea').waitFor();
  return page;
}

async function runPod(page: Page, name: string): Promise<void> {
  await runCommand(page, `kubectl run ${name} --image=nginx`);
  expect(await runCommand(page, `kubectl wait pod ${name} --for=condition=Ready --timeout=120s`)).toBe(`pod/${name} condition met\n`);
}

test('kubectl runs commands in containers of a remote server, and copies files, by WebSockets', async () => {
  const page = await visit();
  await eventually(() => page.evaluate(() => globalThis.tabplane.status().transport === 'remote'));
  await runPod(page, 'box');
  expect(await runCommand(page, 'kubectl exec box -- hostname')).toBe('box\n');
  expect(await runCommand(page, 'echo hello | kubectl exec -i box -- tr a-z A-Z')).toBe('HELLO\n');
  expect(await runCommand(page, 'kubectl exec box -- sh -c "exit 3"')).toBe('command terminated with exit code 3\n');
  await runCommand(page, 'echo one > a; kubectl cp a box:/tmp/a; kubectl cp box:/tmp/a b');
  expect(await runCommand(page, 'cat b')).toBe('one\n');
});

test('a port of a pod is forwarded from a remote server by a WebSocket', async () => {
  const page = await visit();
  await runPod(page, 'web');
  await runCommand(page, 'kubectl port-forward web 8080:80 &');
  await eventually(async () => (await runCommand(page, 'curl -s localhost:8080')).includes('Welcome to nginx!'));
});

test('a refused connection has the reason of the server', async () => {
  const page = await visit();
  await runPod(page, 'closed');
  await runCommand(page, 'kubectl create clusterrolebinding bob --clusterrole=view --user=bob');
  expect(await runCommand(page, 'kubectl exec closed --token=bob-token -- true')).toBe(
    'Error from server (Forbidden): pods "closed" is forbidden: User "bob" cannot create resource "pods/exec" in API group "" in the namespace "default"\n',
  );
  expect(await runCommand(page, 'kubectl exec missing -- true')).toBe('Error from server (NotFound): pods "missing" not found\n');
});

test('the terminal of a container and its files are shown from a remote server', async () => {
  const page = await visit();
  await runPod(page, 'tabs');
  await navigate(page, '#/o/core/v1/pods/default/tabs?tab=terminal');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.getByLabel('Terminal input').waitFor({ state: 'attached' });
  await page.keyboard.type('echo sum-$((40+2))');
  await page.keyboard.press('Enter');
  await page.locator('tp-container-terminal pre').getByText('sum-42').waitFor();
  await navigate(page, '#/o/core/v1/pods/default/tabs?tab=files');
  await page.locator('tp-container-files').getByRole('link', { name: 'etc/' }).waitFor();
});
