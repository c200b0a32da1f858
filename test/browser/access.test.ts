import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addImplicitGroups,
  isAllowed,
  type Rbac,
  type ResourceAttributes,
  readBinding,
  readRole,
  type UserInfo,
} from '../../src/console/access/rbac.ts';
import { configMap, configMaps, eventually, sendRequest } from './browser.ts';
import { axeViolations, deployment, deployments, expectSuccess, navigate, takeScreenshot, waitForAggregatedRoles } from './screens.ts';
import { useSite, type Visit } from './site.ts';

const site = useSite();
let page: Page;

const rbacGroup = '/apis/rbac.authorization.svc/v1';
const roleRef = (kind: string, name: string): object => ({ apiGroup: 'rbac.authorization.svc', kind, name });

/** Opens the page and creates a few roles and bindings. */
async function open(visit: Visit = {}): Promise<void> {
  page = await site.visit(visit);
  const post = (path: string, body: object): Promise<unknown> =>
    expectSuccess(page, { method: 'POST', target: `${rbacGroup}/${path}`, body });
  const rules = [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['one'] },
    { apiGroups: ['apps'], resources: ['deployments', 'deployments/scale'], verbs: ['get', 'update', 'patch'] },
  ];
  await post('namespaces/default/roles', { metadata: { name: 'some' }, rules });
  await post('namespaces/default/rolebindings', {
    metadata: { name: 'alice-some' },
    roleRef: roleRef('Role', 'some'),
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.svc', name: 'alice' }],
  });
  // With the rules that the aggregation controller would set.
  const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
  const team = [{ apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: all }];
  await post('clusterroles', { metadata: { name: 'team-objects', labels: { 'to-team': 'yes' } }, rules: team });
  const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { 'to-team': 'yes' } }] };
  await post('clusterroles', { metadata: { name: 'team' }, aggregationRule, rules: team });
  await post('namespaces/svc-system/rolebindings', {
    metadata: { name: 'qa-team' },
    roleRef: roleRef('ClusterRole', 'team'),
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.svc', name: 'qa' }],
  });
  await post('clusterrolebindings', {
    metadata: { name: 'bot-view' },
    roleRef: roleRef('ClusterRole', 'view'),
    subjects: [{ kind: 'ServiceAccount', name: 'bot', namespace: 'default' }],
  });
}

async function readRbac(): Promise<Rbac> {
  const items = async (resource: string): Promise<never[]> =>
    JSON.parse((await expectSuccess(page, { target: `${rbacGroup}/${resource}` })).text).items;
  const roles = [...(await items('clusterroles')), ...(await items('roles'))].map(readRole);
  const bindings = [...(await items('clusterrolebindings')), ...(await items('rolebindings'))].map(readBinding);
  return { roles, bindings };
}

/** Returns a function that picks items from a seeded pseudo-random sequence. */
function createPicker(seed: number): <Item>(items: readonly Item[]) => Item {
  let state = seed;
  return (items) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return items[Math.floor((state / 2_147_483_648) * items.length)] as (typeof items)[number];
  };
}

test('AC-1: computes the same decisions from roles and bindings as the server, for 500 samples', async () => {
  await open();
  await waitForAggregatedRoles(page);
  const rbac = await readRbac();
  const pick = createPicker(42);
  const users: readonly UserInfo[] = [
    { user: 'admin', groups: ['system:masters'] },
    { user: 'alice', groups: ['dev', 'qa'] },
    { user: 'bob', groups: [] },
    { user: 'system:anonymous', groups: [] },
    { user: 'system:serviceaccount:default:bot', groups: [] },
    { user: 'system:svc-controller-manager', groups: [] },
    { user: 'system:svc-scheduler', groups: [] },
  ];
  const types = [
    ['', 'pods'],
    ['', 'configmaps'],
    ['', 'secrets'],
    ['', 'nodes'],
    ['', 'serviceaccounts'],
    ['', 'events'],
    ['apps', 'deployments'],
    ['rbac.authorization.svc', 'roles'],
    ['batch', 'jobs'],
    ['coordination.svc', 'leases'],
  ] as const;
  const samples = Array.from({ length: 500 }, () => {
    const [group, resource] = pick(types);
    const verb = pick(['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection']);
    const namespace = resource === 'nodes' ? '' : pick(['', 'default', 'svc-system', 'elsewhere']);
    const attempt: ResourceAttributes = {
      verb,
      group,
      resource,
      subresource: pick(['', '', '', 'status', 'scale']),
      namespace,
      name: pick(['', 'one', 'two']),
    };
    return { subject: addImplicitGroups(pick(users)), attempt };
  });
  const decided = await page.evaluate(async (all) => {
    const headers = new Headers({ authorization: 'Bearer admin-token', 'content-type': 'application/json' });
    const decisions: boolean[] = [];
    for (const { subject, attempt } of all) {
      const spec = { user: subject.user, groups: subject.groups, resourceAttributes: attempt };
      const body = new TextEncoder().encode(JSON.stringify({ apiVersion: 'authorization.svc/v1', kind: 'SubjectAccessReview', spec }));
      const target = '/apis/authorization.svc/v1/subjectaccessreviews';
      const answer = await globalThis.tabplane.api({ method: 'POST', target, headers, body, signal: new AbortController().signal });
      const text = typeof answer.body === 'string' ? answer.body : new TextDecoder().decode(answer.body as Uint8Array<ArrayBuffer>);
      decisions.push(JSON.parse(text).status.allowed);
    }
    return decisions;
  }, samples);
  const mismatches = samples.filter(({ subject, attempt }, at) => isAllowed(rbac, subject, attempt) !== decided[at]);
  expect(mismatches).toEqual([]);
  expect(new Set(decided).size).toBe(2);
});

test('AC-1: shows the permissions in a matrix and marks rules that are restricted to names', async () => {
  await open({ hash: '#/access/can-i?user=alice&groups=dev,qa&namespace=default' });
  const cells = async (type: string): Promise<string> => {
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: type, exact: true }) });
    await row.waitFor();
    return (await row.getByRole('cell').allInnerTexts()).join('');
  };
  await eventually(async () => (await cells('deployments.apps')) === '✓–––✓✓––');
  expect(await cells('configmaps')).toBe('◐–––––––');
  await page.locator('tp-access select').last().selectOption('svc-system');
  await eventually(async () => (await cells('configmaps')) === '✓✓✓✓✓✓✓✓');
  await page.getByRole('link', { name: 'configmaps', exact: true }).click();
  await page.getByRole('tab', { name: 'Who can', selected: true }).waitFor();
});

test('AC-2: lists system:masters and subjects of aggregated roles that can get secrets of the system namespace', async () => {
  await open({ hash: '#/access/who-can?verb=get&resource=secrets&namespace=svc-system' });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  await row('system:masters').filter({ hasText: 'built in' }).waitFor();
  await row('system:masters').filter({ hasText: 'cluster-admin' }).waitFor();
  const qa = row('RoleBinding svc-system/qa-team');
  await qa.filter({ hasText: 'aggregated from' }).waitFor();
  await qa.getByRole('link', { name: 'team-objects' }).click();
  await page.getByRole('heading', { name: 'team-objects' }).waitFor();
});

test('shows the rule that allows a request, or the closest rules and a command that would allow it', async () => {
  await open({ hash: '#/access/why?user=alice&groups=dev&verb=update&group=apps&resource=deployments&namespace=default' });
  await page.getByText('✓ allowed').waitFor();
  await page.getByRole('row').filter({ hasText: 'RoleBinding default/alice-some' }).filter({ hasText: 'rule 2' }).waitFor();
  await page.getByLabel('Verb').selectOption('delete');
  await page.getByText('✕ not allowed').waitFor();
  await page
    .getByText(/missing the verb delete/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Insert into the console' }).click();
  const line = page.locator('tp-command-line textarea');
  await eventually(async () => (await line.inputValue()).startsWith('kubectl create role delete-deployments --verb=delete'));
});

test('impersonates a user in the console and in Explore, with a banner until impersonation stops', async () => {
  await open({ hash: '#/access/try-as' });
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('seen') });
  await page.getByLabel('User').fill('jane');
  await page.getByLabel('Groups', { exact: true }).fill('qa');
  await page.getByRole('button', { name: 'Try' }).first().click();
  await page.getByText('You are impersonating jane in qa.').waitFor();
  await page.getByText(/authenticated as jane/).waitFor();
  await navigate(page, '#/o/core/v1/configmaps/default');
  await page.getByText(/User "jane" cannot list resource "configmaps"/).waitFor();
  await navigate(page, '#/o/core/v1/configmaps/svc-system');
  await page.getByRole('grid').waitFor();
  await navigate(page, '#/console');
  await page.locator('tp-command-line textarea').fill('kubectl auth whoami');
  await page.keyboard.press('Enter');
  await page.locator('tp-command-block').getByText(/jane/).first().waitFor();
  await navigate(page, '#/access/try-as');
  await page.getByRole('button', { name: 'Stop impersonating' }).click();
  await page.getByText(/authenticated as admin/).waitFor();
  await page.getByText('You are impersonating').waitFor({ state: 'detached' });
});

test('AC-3: shows 401 on every screen for an invalid token, and does not fall back to an anonymous user', async () => {
  await open({ hash: '#/access/try-as' });
  await page.getByLabel('Token').fill('no-such-token');
  await page.getByRole('button', { name: 'Try' }).last().click();
  await page.getByText('You are using another token.').waitFor();
  await page.getByRole('alert').filter({ hasText: '401' }).first().waitFor();
  await navigate(page, '#/o');
  await page.getByRole('alert').filter({ hasText: '401' }).first().waitFor();
  expect((await sendRequest(page, { target: configMaps, headers: { authorization: 'Bearer no-such-token' } })).status).toBe(401);
});

test('the columns of the matrix of permissions are in view at 1024 pixels', async () => {
  await open({ viewport: { width: 1024, height: 768 } });
  await navigate(page, '#/access/can-i?user=alice&groups=dev,qa&namespace=default');
  const lastColumn = page.getByRole('columnheader', { name: 'deletecollection' });
  const { x, width } = (await lastColumn.boundingBox()) ?? { x: 0, width: 0 };
  expect(width).toBeGreaterThan(0);
  expect(x + width).toBeLessThanOrEqual(1024);
});

test.each(['light', 'dark'] as const)('the views of Access have no axe violations and fit into 320 pixels, %s', async (colorScheme) => {
  await open({ colorScheme });
  const views = [
    ['can-i', '#/access/can-i?user=alice&groups=dev,qa&namespace=default', 'Permissions of alice'],
    ['who-can', '#/access/who-can?verb=get&resource=secrets&namespace=svc-system', 'Subjects with access'],
    ['why', '#/access/why?user=alice&verb=delete&resource=pods&namespace=default', ''],
    ['try-as', '#/access/try-as', ''],
  ] as const;
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 800 });
    for (const [name, hash, table] of views) {
      await navigate(page, hash);
      if (table !== '') await page.getByRole('table', { name: table }).waitFor();
      else
        await page
          .getByText(/✕ not allowed|authenticated as/)
          .first()
          .waitFor();
      await takeScreenshot(page, `access-${colorScheme}-${width}-${name}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
      expect(await axeViolations(page), name).toEqual([]);
    }
  }
});

test('EX-3: disables controls of forbidden actions, describes the reason, and links to its explanation', async () => {
  await open();
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  await expectSuccess(page, {
    method: 'POST',
    target: `${rbacGroup}/namespaces/default/rolebindings`,
    body: {
      metadata: { name: 'alice-sees' },
      roleRef: roleRef('ClusterRole', 'view'),
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.svc', name: 'alice' }],
    },
  });
  await waitForAggregatedRoles(page);
  await navigate(page, '#/o/apps/v1/deployments/default/web');
  const [edit, remove] = ['Edit', 'Delete…'].map((name) => page.getByRole('button', { name, exact: true }));
  await edit?.waitFor();
  expect([await edit?.isEnabled(), await remove?.isEnabled()]).toEqual([true, true]);
  await page.getByLabel('Identity').selectOption('alice');
  const why = page.getByText(/alice cannot delete/);
  await why.waitFor();
  // alice is in the group dev, which may update Deployments.
  expect([await edit?.isEnabled(), await remove?.isEnabled()]).toEqual([true, false]);
  expect(await remove?.getAttribute('aria-describedby')).toBe(await why.getAttribute('id'));
  expect(await axeViolations(page)).toEqual([]);
  await why.getByRole('link', { name: 'Why?' }).click();
  await page.locator('tp-access-why .verdict', { hasText: 'alice cannot delete deployments web in default' }).waitFor();
});
