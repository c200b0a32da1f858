import { expect, test } from 'vitest';
import { runLine, violations } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

test('IN-3: a conflict of an apply shows both managers and three ways out, and is sent again as somebody else', {
  timeout: 60_000,
}, async () => {
  const page = await site.visit();
  await runLine(page, 'kubectl create configmap a --from-literal=k=v');
  const object = 'apiVersion: v1\\nkind: ConfigMap\\nmetadata:\\n  name: a\\ndata:\\n  k: w\\n';
  expect(await runLine(page, `printf '${object}' | kubectl apply --server-side -f -`)).toContain('conflict with "kubectl-create"');
  await page.getByRole('link', { name: 'PATCH 409' }).last().click();
  const owned = page.getByRole('row', { name: '.data.k kubectl-create kubectl' });
  await owned.waitFor();
  await page.getByText('Three ways out').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Send again as').selectOption('alice');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('as alice').first().waitFor();
  await owned.waitFor({ state: 'detached' });
});
