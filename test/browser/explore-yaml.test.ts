import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { ask, eventually } from './browser.ts';
import { deployment, deployments, focused, go, must, picture, violations, widgetDefinition } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

beforeEach(async () => {
  page = await site.visit();
  await must(page, { method: 'POST', target: deployments, body: deployment('web') });
});

const web = `${deployments}/web`;
const editor = () => page.locator('tp-code-editor .cm-content');
const options = () => page.locator('.cm-tooltip-autocomplete li');
const dialog = () => page.getByRole('dialog');

async function openEditor(hash = '#/o/apps/v1/deployments/default/web?tab=yaml'): Promise<void> {
  await go(page, hash);
  await editor().filter({ hasText: 'apiVersion' }).waitFor();
}

/** The whole text, also what is out of sight. */
function text(): Promise<string> {
  return page.locator('tp-code-editor').evaluate((element) => (element as unknown as { text: string }).text);
}

/** Types over the whole text. */
async function write(some: string): Promise<void> {
  await editor().focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(some);
}

/** Changes the text as somebody does who types. */
async function edit(change: (text: string) => string): Promise<void> {
  const before = await text();
  const after = change(before);
  expect(after).not.toBe(before);
  await write(after);
}

/** Types a line before the one that begins with `start`: nothing else is touched, so the text may change meanwhile below it. */
async function typeBefore(start: string, line: string): Promise<void> {
  const at = (await text()).split('\n').findIndex((one) => one.startsWith(start));
  expect(at).toBeGreaterThanOrEqual(0);
  await editor().focus();
  await page.keyboard.press('Control+Home');
  for (let down = 0; down < at; down++) await page.keyboard.press('ArrowDown');
  await page.keyboard.insertText(`${line}\n`);
}

async function save(strategy?: string): Promise<void> {
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog().waitFor();
  if (strategy !== undefined) await dialog().getByRole('radio', { name: strategy }).check();
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
}

async function read(target = web): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse((await ask(page, { target })).text);
}

test('EX-4: a kind is offered after its apiVersion, an empty file gets a skeleton, the second document completes by its own kind', async () => {
  await openEditor();
  await write('apiVersion: v1\nkind: ');
  await page.keyboard.type('Po');
  await options().filter({ hasText: /^Pod/ }).first().waitFor();
  expect(await options().filter({ hasText: 'Deployment' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await write('');
  await page.keyboard.press('Control+Space');
  await page.keyboard.type('Config');
  await options().filter({ hasText: 'ConfigMap' }).first().click();
  await eventually(async () => (await text()).startsWith('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '));
  await write('apiVersion: v1\nkind: ConfigMap\n---\napiVersion: apps/v1\nkind: Deployment\nspec:\n  ');
  await page.keyboard.type('progr');
  await options().filter({ hasText: 'progressDeadlineSeconds' }).waitFor();
});

test('EX-4: fields of a definition made a moment ago are offered and checked', async () => {
  await openEditor();
  await must(page, { method: 'POST', target: '/apis/apiextensions.svc/v1/customresourcedefinitions', body: widgetDefinition });
  await eventually(async () => (await ask(page, { target: '/apis/example.com/v1/widgets' })).status === 200);
  await write('apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: big\n  ');
  await page.keyboard.type('col');
  await options().filter({ hasText: 'colour' }).click();
  await page.keyboard.type('gre');
  await options().filter({ hasText: 'green' }).click();
  await eventually(async () => (await text()).endsWith('colour: green'));
  await page.locator('.cm-lintRange-error', { hasText: 'big' }).waitFor();
});

test('EX-5: a field that does not exist is underlined before saving, with what was meant', async () => {
  await openEditor();
  await write('apiVersion: apps/v1\nkind: Deployment\nmetadeta:\n  name: web\n');
  const wrong = page.locator('.cm-lintRange-error', { hasText: 'metadeta' });
  await wrong.waitFor();
  await wrong.hover();
  await page.getByText('unknown field "metadeta": did you mean metadata?').waitFor();
  await page.getByRole('button', { name: 'Change to metadata' }).click();
  await eventually(async () => (await text()).includes('metadata:'));
});

test('a save is reviewed, tried out by the server, and an apply owns only what was changed', async () => {
  await openEditor();
  await edit((before) => before.replace('replicas: 2', 'replicas: 5'));
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog().getByRole('region', { name: 'Your changes' }).getByText('replicas: 5').waitFor();
  // The field is another's: the conflict names him, and force is asked for.
  await dialog()
    .getByText(/conflict with/)
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'explore-conflict');
  expect(await dialog().getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
  await dialog()
    .getByRole('checkbox', { name: /^Force:/ })
    .check();
  await dialog().getByRole('region', { name: 'Preview (server dry run)' }).getByText('replicas: 5').waitFor();
  expect((await read())['spec']?.['replicas']).toBe(2);
  expect(await violations(page)).toEqual([]);
  await picture(page, 'explore-review');
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/Saved as revision/).waitFor();
  const { spec, metadata } = await read();
  expect(spec?.['replicas']).toBe(5);
  const managed = metadata?.['managedFields'] as { manager: string; operation: string; fieldsV1: object }[];
  expect(managed.find(({ operation }) => operation === 'Apply')).toMatchObject({
    manager: 'console',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  });
});

test('EX-2: a Node that changes all the time is edited without a conflict and without a loss', async () => {
  await must(page, { method: 'POST', target: '/api/v1/nodes', body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'busy' } } });
  await page.evaluate(() => {
    const beat = async (count: number): Promise<void> => {
      const body = new TextEncoder().encode(
        JSON.stringify({
          status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date(count * 1000).toISOString() }] },
        }),
      );
      const headers = new Headers({ authorization: 'Bearer admin-token', 'content-type': 'application/merge-patch+json' });
      await globalThis.tabplane.api({
        method: 'PATCH',
        target: '/api/v1/nodes/busy/status',
        headers,
        body,
        signal: new AbortController().signal,
      });
      if (!('stopBeating' in globalThis)) setTimeout(() => void beat(count + 1), 100);
    };
    void beat(1);
  });
  await openEditor('#/o/core/v1/nodes/-/busy?tab=yaml');
  await typeBefore('  name: busy', '  labels:\n    first: "yes"');
  await save('Server-side apply');
  await page.getByText(/Saved as revision/).waitFor();
  await typeBefore('  name: busy', '    second: "yes"');
  await save('Patch');
  await page.getByText(/Saved as revision/).waitFor();
  const { metadata } = await read('/api/v1/nodes/busy');
  expect(metadata?.['labels']).toMatchObject({ first: 'yes', second: 'yes' });
  // A replace is refused while it is outdated; the text is merged, not lost, and saved at once by a patch.
  await typeBefore('  name: busy', '    third: "yes"');
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog().getByRole('radio', { name: 'Replace' }).check();
  await dialog().getByRole('button', { name: 'Merge with the current version' }).click();
  await page.getByText(/Merged with revision/).waitFor();
  expect(await text()).toContain('third: "yes"');
});

test('what happens on the server never touches the text, and is merged when one asks', async () => {
  await openEditor();
  await edit((before) => `# mine\n${before.replace('image: nginx:1.29', 'image: nginx:1.30')}`);
  const typed = await text();
  await must(page, {
    method: 'PATCH',
    target: web,
    headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'kubectl-scale' },
    body: { spec: { replicas: 9 } },
  });
  await page.getByText(/Changed to rev \d+ by .*: spec.replicas/).waitFor();
  expect(await text()).toBe(typed);
  await page.getByRole('button', { name: 'Merge' }).click();
  await page.getByText(/Merged with revision/).waitFor();
  expect(await text()).toContain('# mine\n');
  expect(await text()).toContain('replicas: 9');
  expect(await text()).toContain('image: nginx:1.30');
});

test('lines that both changed are put side by side; what was typed survives a reload', async () => {
  await openEditor();
  await edit((before) => before.replace('replicas: 2', 'replicas: 7'));
  await page.getByText('draft stored in this browser').waitFor();
  await page.reload();
  await page.getByText('Your unsaved text was restored.').waitFor();
  expect(await text()).toContain('replicas: 7');
  const headers = { 'content-type': 'application/merge-patch+json' };
  await must(page, { method: 'PATCH', target: web, headers, body: { spec: { replicas: 3 } } });
  await page.getByRole('button', { name: 'Merge' }).click();
  await dialog().getByText('replicas: 3').waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'explore-merge');
  await dialog().getByRole('radio', { name: 'theirs' }).check();
  await dialog().getByRole('button', { name: 'Merge' }).click();
  await eventually(async () => (await text()).includes('replicas: 3'));
});

test('history tells every revision with its author, and any two states are compared', async () => {
  const headers = { 'content-type': 'application/merge-patch+json' };
  await must(page, { method: 'PATCH', target: web, headers, body: { spec: { replicas: 3 } } });
  await must(page, { method: 'PATCH', target: web, headers, body: { spec: { replicas: 4 } } });
  await go(page, '#/o/apps/v1/deployments/default/web?tab=history');
  await eventually(async () => (await page.locator('tp-object-history li').count()) >= 3);
  await page.locator('tp-object-history li').first().getByRole('button').click();
  const changes = page.getByRole('region', { name: /Changes of revision/ });
  await changes
    .getByText('- replicas: 3')
    .or(changes.locator('.minus', { hasText: 'replicas: 3' }))
    .first()
    .waitFor();
  await go(page, '#/o/apps/v1/deployments/default/web?tab=diff');
  await page.locator('.diff .plus', { hasText: 'replicas: 4' }).waitFor();
});

/** The words of the element that has the focus. */
function focusedText(): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent?.trim() ?? '';
  });
}

test('EX-3, EX-7: by keys alone a Deployment is edited and saved; who may not change it is told why', async () => {
  await go(page, '#/o/apps/v1/deployments/default');
  await page.getByRole('row').filter({ hasText: 'web' }).waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await editor().filter({ hasText: 'apiVersion' }).waitFor();
  await eventually(async () => (await focused(page)).includes('cm-content'));
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Home');
  const row = (await text()).split('\n').findIndex((line) => line.includes('replicas: 2'));
  for (let at = 0; at < row; at++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await page.keyboard.type('6');
  await page.keyboard.press('Escape');
  const tabTo = async (name: string, key: 'Tab' | 'Shift+Tab'): Promise<void> => {
    for (let tabs = 0; tabs < 15 && (await focusedText()) !== name; tabs++) await page.keyboard.press(key);
    expect(await focusedText()).toBe(name);
  };
  await tabTo('Review and save', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await dialog().waitFor();
  await dialog()
    .getByText(/conflict with/)
    .waitFor();
  // From the chosen way of writing to the next one: patch.
  for (let tabs = 0; tabs < 10 && !(await focused(page)).startsWith('input'); tabs++) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await dialog().getByRole('region', { name: 'Preview (server dry run)' }).waitFor();
  await tabTo('Save', 'Tab');
  await page.keyboard.press('Enter');
  await page.getByText(/Saved as revision/).waitFor();
  expect((await read())['spec']?.['replicas']).toBe(6);
  await page.getByLabel('Identity').selectOption('alice');
  await page
    .getByText(/alice cannot update/)
    .or(page.getByRole('alert'))
    .first()
    .waitFor();
});
