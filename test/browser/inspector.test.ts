import { expect, test } from 'vitest';
import { go, must, runLine, violations } from './screens.ts';
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

const configMaps = '/api/v1/namespaces/default/configmaps';

test("a request's audit event is shown with its annotations, by the policy that the user sets on the cluster", {
  timeout: 60_000,
}, async () => {
  const page = await site.visit();
  await runLine(page, 'kubectl create configmap a --from-literal=k=v');
  await page.getByRole('link', { name: 'POST 201' }).last().click();
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('row', { name: 'authorization.svc/decision allow' }).waitFor();
  await page.getByText('Metadata', { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);

  await go(page, '#/clusters');
  const policy = page.getByLabel('Audit policy');
  const wanted = (level: string): string =>
    `apiVersion: audit.svc/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: ${level}}]`;
  await policy.fill(wanted('All'));
  await page.getByRole('button', { name: 'Use this policy' }).click();
  await page.getByText('rules[0].level: Unsupported value: "All"').waitFor();
  await policy.fill(wanted('RequestResponse'));
  await page.getByRole('button', { name: 'Use this policy' }).click();
  await page.getByText('The policy is in force.').waitFor();
  expect(await violations(page)).toEqual([]);

  await must(page, { method: 'POST', target: configMaps, body: { metadata: { name: 'b' }, data: { k: 'told' } } });
  const told = await page.evaluate(async () => (await fetch('cluster/~audit')).text());
  expect(JSON.parse(told.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ verb: 'create', requestObject: { data: { k: 'told' } } });

  await page.reload();
  await page.getByRole('button', { name: 'Off', exact: true }).click();
  await page.getByText('Nothing is told any more.').waitFor();
  const headers = { authorization: 'Bearer admin-token' };
  const off = await page.evaluate(async (init) => (await fetch('cluster/api/v1/nodes', init)).headers.get('audit-id'), { headers });
  expect(await page.evaluate(async (id) => (await fetch(`cluster/~audit?id=${id}`)).text(), off)).toBe('');
});

test('a request is compared with the one before it that asked for the same', { timeout: 60_000 }, async () => {
  const page = await site.visit();
  await runLine(page, 'kubectl get configmap a');
  await runLine(page, 'kubectl create configmap a --from-literal=k=v');
  await runLine(page, 'kubectl get configmap a');
  await page.getByRole('link', { name: 'GET 200' }).last().click();
  await page.getByRole('tab', { name: 'Diff' }).click();
  await page.getByText('Compared with').waitFor();
  const answered = page.getByRole('region', { name: 'Answered: what changed' });
  expect(await answered.textContent()).toMatch(/- 404\s*\+ 200/);
  await page.getByText('No difference.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: /^GET 404 at/ }).click();
  await page.getByText('No GET of this path came before.').waitFor();
});
