import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { axeViolations, describeFocus, expectSuccess, navigate, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

test('IN-3: shows the managers and the resolutions of an apply conflict, and sends the request again as another user', async () => {
  const page = await site.visit();
  await runCommand(page, 'kubectl create configmap a --from-literal=k=v');
  const object = 'apiVersion: v1\\nkind: ConfigMap\\nmetadata:\\n  name: a\\ndata:\\n  k: w\\n';
  expect(await runCommand(page, `printf '${object}' | kubectl apply --server-side -f -`)).toContain('conflict with "kubectl-create"');
  await page.getByRole('link', { name: 'PATCH 409' }).last().click();
  const owned = page.getByRole('row', { name: '.data.k kubectl-create kubectl' });
  await owned.waitFor();
  await page.getByText('How to resolve the conflict').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel('Send again as').selectOption('alice');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByText('as alice').first().waitFor();
  await owned.waitFor({ state: 'detached' });
});

const configMaps = '/api/v1/namespaces/default/configmaps';

test('shows the audit event of a request with its annotations, by the audit policy of the cluster', async () => {
  const page = await site.visit();
  await runCommand(page, 'kubectl create configmap a --from-literal=k=v');
  await page.getByRole('link', { name: 'POST 201' }).last().click();
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByRole('row', { name: 'authorization.svc/decision allow' }).waitFor();
  await page.getByText('Metadata', { exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await navigate(page, '#/clusters');
  await page.locator('tp-clusters summary').click();
  const policy = page.getByLabel('Audit policy');
  const wanted = (level: string): string =>
    `apiVersion: audit.svc/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: ${level}}]`;
  await policy.fill(wanted('All'));
  await page.getByRole('button', { name: 'Use this policy' }).click();
  await page.getByText('rules[0].level: Unsupported value: "All"').waitFor();
  await policy.fill(wanted('RequestResponse'));
  await page.getByRole('button', { name: 'Use this policy' }).click();
  await page.getByText('The policy is active.').waitFor();
  expect(await axeViolations(page)).toEqual([]);

  await expectSuccess(page, { method: 'POST', target: configMaps, body: { metadata: { name: 'b' }, data: { k: 'recorded' } } });
  const events = await page.evaluate(async () => (await fetch('cluster/~audit')).text());
  expect(JSON.parse(events.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    verb: 'create',
    requestObject: { data: { k: 'recorded' } },
  });

  await page.reload();
  await page.locator('tp-clusters summary').click();
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  await page.getByText('Auditing is off.', { exact: true }).waitFor();
  const headers = { authorization: 'Bearer admin-token' };
  const off = await page.evaluate(async (init) => (await fetch('cluster/api/v1/nodes', init)).headers.get('audit-id'), { headers });
  expect(await page.evaluate(async (id) => (await fetch(`cluster/~audit?id=${id}`)).text(), off)).toBe('');
});

test('compares a request with the previous one for the same path', async () => {
  const page = await site.visit();
  await runCommand(page, 'kubectl get configmap a');
  await runCommand(page, 'kubectl create configmap a --from-literal=k=v');
  await runCommand(page, 'kubectl get configmap a');
  await page.getByRole('link', { name: 'GET 200' }).last().click();
  await page.getByRole('tab', { name: 'Diff' }).click();
  await page.getByText('Compared with').waitFor();
  const answered = page.getByRole('region', { name: 'Changes of the response' });
  expect(await answered.textContent()).toMatch(/- 404\s*\+ 200/);
  await page.getByText('No difference.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole('link', { name: /^GET 404 at/ }).click();
  await page.getByText('No earlier GET request for this path.').waitFor();
});

test('IN-1: commands and screen actions link to their requests and back', async () => {
  const page = await site.visit();
  await runCommand(page, 'kubectl create configmap a --from-literal=k=v');
  await runCommand(page, 'kubectl get configmaps');
  await page.getByRole('link', { name: 'POST 201' }).click();
  await page.getByRole('link', { name: /^console #\d+$/ }).click();
  await eventually(async () => (await page.evaluate(() => location.hash)).startsWith('#/console?block='));
  await eventually(async () => (await describeFocus(page)).startsWith('tp-command-block'));
  const focusedLine = await page
    .locator('tp-command-block:focus')
    .evaluate((block) => (block as unknown as { command: { line: string } }).command.line);
  expect(focusedLine).toContain('create configmap a');

  await navigate(page, '#/o/core/v1/configmaps/default/a');
  await page.getByRole('button', { name: 'Delete…', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.locator('tp-explore').waitFor();
  await navigate(page, '#/requests');
  await page.locator('tp-requests .row', { hasText: 'DELETE' }).first().click();
  await page.locator('tp-request-detail').getByRole('link', { name: 'explore' }).click();
  await eventually(async () => (await page.evaluate(() => location.hash)).startsWith('#/o/'));
});

test('IN-6: copies include tokens and secrets only when selected', async () => {
  const page = await site.visit();
  await runCommand(page, 'kubectl create secret generic s --from-literal=k=hush --token=admin-token');
  await page.getByRole('link', { name: 'POST 201' }).last().click();
  await page.getByRole('tab', { name: 'Copy as…' }).click();
  const detail = page.locator('tp-request-detail [role=tabpanel]');
  await detail.getByText('Python').waitFor();
  const masked = (await detail.textContent()) ?? '';
  expect([masked.includes('admin-token'), masked.includes(btoa('hush'))]).toEqual([false, false]);
  await page.getByLabel('include tokens and secrets').check();
  const complete = (await detail.textContent()) ?? '';
  expect([complete.includes('admin-token'), complete.includes(btoa('hush'))]).toEqual([true, true]);
});

test('IN-7: renders only the visible ones of ten thousand requests at every scroll position', async () => {
  const page = await site.visit({ hash: '#/requests' });
  await page.locator('tp-requests').evaluate((screen) => {
    const trace = (id: number): object => ({
      auditId: `a${id}`,
      attemptId: `r${id}`,
      method: 'GET',
      target: `/api/v1/pods/p${id}`,
      status: 200,
      user: 'admin',
      startMs: id,
      ms: 1,
      stages: [],
    });
    const { model } = screen as unknown as { model: { requests: { addTraces(traces: readonly object[]): void } } };
    model.requests.addTraces(Array.from({ length: 12_000 }, (_, id) => trace(id)));
  });
  const grid = page.getByRole('grid', { name: 'Requests, newest first' });
  const rows = grid.getByRole('row');
  await eventually(async () => Number(await grid.getAttribute('aria-rowcount')) > 10_000);
  for (const part of [0, 0.3, 0.9, 1]) {
    await grid.evaluate((element, at) => {
      element.scrollTop = at * (element.scrollHeight - element.clientHeight);
    }, part);
    await eventually(async () => (await rows.count()) < 80 && (await countVisibleRows(page)) > 5);
  }
  expect(Number(await grid.getAttribute('aria-rowcount'))).toBeLessThanOrEqual(11_001);
});

/** Counts the visible rows of the list of requests. */
function countVisibleRows(page: Page): Promise<number> {
  return page.locator('tp-requests .grid').evaluate((grid) => {
    const { top, bottom } = grid.getBoundingClientRect();
    return [...grid.querySelectorAll('.row')].filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    }).length;
  });
}
