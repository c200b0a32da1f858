import { build } from 'vite';
import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { runCommand } from './screens.ts';
import { useSite } from './site.ts';

const folder = new URL('../../dist/kubernetes', import.meta.url).pathname;

/** The page with the names of Kubernetes. */
async function built(): Promise<string> {
  const { NODE_ENV, TABPLANE_NAMES } = process.env;
  Object.assign(process.env, { NODE_ENV: 'production', TABPLANE_NAMES: 'kubernetes' });
  await build({ logLevel: 'warn', mode: 'production', build: { outDir: folder } });
  Object.assign(process.env, { NODE_ENV, TABPLANE_NAMES: TABPLANE_NAMES ?? 'svc' });
  return folder;
}

const site = useSite('/', { built, nodes: 'on' });

test('a deployment becomes ready under the names of Kubernetes', async () => {
  const page = await site.visit();
  await page.locator('tp-command-line textarea').waitFor();
  await runCommand(page, 'kubectl create deployment web --image=nginx --replicas=3');
  await eventually(async () => (await runCommand(page, 'kubectl get deployment web')).includes('3/3'));
  expect(await runCommand(page, 'kubectl get nodes -o jsonpath={.items[*].metadata.labels}')).toContain('kubernetes.io/hostname');
});
