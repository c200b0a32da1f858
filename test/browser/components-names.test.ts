import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { buildPage } from './build-page.ts';
import { runCommand } from './screens.ts';
import { useSite } from './site.ts';

/** The page with the names of Kubernetes. */
const site = useSite('/', { built: () => buildPage('kubernetes', { TABPLANE_NAMES: 'kubernetes' }), nodes: 'on' });

test('a deployment becomes ready under the names of Kubernetes', async () => {
  const page = await site.visit();
  await page.locator('tp-command-line textarea').waitFor();
  await runCommand(page, 'kubectl create deployment web --image=nginx --replicas=3');
  await eventually(async () => (await runCommand(page, 'kubectl get deployment web')).includes('3/3'));
  expect(await runCommand(page, 'kubectl get nodes -o jsonpath={.items[*].metadata.labels}')).toContain('kubernetes.io/hostname');
});
