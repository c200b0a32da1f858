import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually, sendRequest } from './browser.ts';
import { navigate, runCommand, runInLesson } from './screens.ts';
import { useSite } from './site.ts';

/** The scenes of the README. With TABPLANE_PICTURES set, their pictures in docs are written. */
const site = useSite('/', { nodes: 'on' });
const folder = new URL('../../docs', import.meta.url).pathname;

async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['TABPLANE_PICTURES'] !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

async function availableReplicas(page: Page): Promise<number> {
  const { text } = await sendRequest(page, { target: '/apis/apps/v1/namespaces/shop/deployments' });
  const { items } = JSON.parse(text) as { items: readonly { status: { availableReplicas?: number } }[] };
  return items.reduce((sum, { status }) => sum + (status.availableReplicas ?? 0), 0);
}

test('the sample application becomes ready', async () => {
  const page = await site.visit({ viewport: { width: 1200, height: 760 } });
  await page.locator('tp-command-line textarea').waitFor();
  expect(await runCommand(page, 'kubectl apply -f shop.yaml')).toContain('deployment.apps/storefront created');
  await eventually(async () => (await availableReplicas(page)) === 3);
  const listed = await runCommand(page, 'kubectl get deployments,pods -n shop');
  expect(listed).toMatch(/deployment\.apps\/catalogue +1\/1 [\s\S]*deployment\.apps\/storefront +2\/2 /);
  expect(listed.match(/pod\/\S+ +1\/1 +Running +0 /g)).toHaveLength(3);
  expect(await runCommand(page, `kubectl patch deploy storefront -n shop -p '{"spec":{"replicas":-1}}'`)).toContain('Invalid value: -1');
  await takePicture(page, 'console');
  await runCommand(
    page,
    'printf "apiVersion: apps/v1\\nkind: Deployment\\nmetadata: {name: storefront}\\nspec: {replicas: 4}\\n" > scale.yaml',
  );
  await runCommand(page, 'kubectl apply --server-side --field-manager=autoscaler --force-conflicts -n shop -f scale.yaml');
  await eventually(async () => (await availableReplicas(page)) === 5);
  await page.setViewportSize({ width: 1280, height: 760 });
  await navigate(page, '#/o/apps/v1/deployments/shop/storefront?tab=ownership');
  await page.getByText('autoscaler', { exact: true }).first().waitFor();
  await page
    .getByText(/controller-manager/)
    .first()
    .waitFor();
  await takePicture(page, 'explore');
});

/** Runs a command in the console of the lesson and waits until all checks of the step pass. */
async function solveStep(page: Page, command: string, checks: number): Promise<void> {
  await runInLesson(page, command);
  await page.locator('tp-lesson .checks [role=status]', { hasText: `(${checks} of ${checks})` }).waitFor();
}

test('a lesson has controllers and nodes of its own, also after a step was reset', async () => {
  const page = await site.visit({ hash: '#/learn/workloads/01-rollouts', viewport: { width: 1280, height: 760 } });
  await page.locator('tp-lesson h3', { hasText: 'Create a Deployment' }).waitFor();
  await solveStep(page, 'kubectl create deployment web --image=nginx:1.27 --replicas=3', 1);
  await page.getByRole('button', { name: 'Reset step' }).click();
  await page.locator('tp-lesson .checks [role=status]', { hasText: '(0 of 1)' }).waitFor();
  await solveStep(page, 'kubectl create deployment web --image=nginx:1.27 --replicas=3', 1);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('tp-lesson h3', { hasText: 'Update the image' }).waitFor();
  await solveStep(page, 'kubectl set image deployment/web nginx=nginx:1.28', 2);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.locator('tp-lesson h3', { hasText: 'An update that fails' }).waitFor();
  await runInLesson(page, 'clear');
  await solveStep(
    page,
    'kubectl set image deployment/web nginx=nginx:does-not-exist; kubectl rollout status deployment/web --timeout=10s',
    1,
  );
  await runInLesson(page, 'kubectl get pods');
  const pods = page.locator('tp-terminal[data-place^=lesson] tp-command-block', { hasText: 'kubectl get pods' });
  await pods.getByText('ImagePull').or(pods.getByText('ErrImagePull')).first().waitFor();
  const output = await pods.last().evaluate((block) => (block as unknown as { outputText: string }).outputText);
  expect(output.match(/1\/1\s+Running/g)).toHaveLength(3);
  await page.locator('tp-lesson .good').scrollIntoViewIfNeeded();
  await takePicture(page, 'learn');
});
