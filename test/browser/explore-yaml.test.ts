import { errors, type Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { eventually, sendRequest } from './browser.ts';
import {
  axeViolations,
  deployment,
  deployments,
  describeFocus,
  expectSuccess,
  navigate,
  takeScreenshot,
  widgetDefinition,
} from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
let page: Page;

beforeEach(async () => {
  page = await site.visit();
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
});

const web = `${deployments}/web`;
const editor = () => page.locator('tp-code-editor .cm-content');
const options = () => page.locator('.cm-tooltip-autocomplete li');
const dialog = () => page.getByRole('dialog');

/** Clicks an option of the list for the typed text. A list that changes meanwhile ignores the click, which is repeated then. */
async function chooseOption(text: string, typed: string): Promise<void> {
  const matched = page.locator('.cm-completionMatchedText').getByText(typed, { exact: true });
  const option = options().filter({ hasText: text, has: matched }).first();
  await option.waitFor();
  await eventually(async () => {
    await option.click({ timeout: 2_000 }).catch((error: unknown) => expect(error).toBeInstanceOf(errors.TimeoutError));
    return (await option.count()) === 0;
  });
}

async function openEditor(hash = '#/o/apps/v1/deployments/default/web?tab=yaml'): Promise<void> {
  await navigate(page, hash);
  await editor().filter({ hasText: 'apiVersion' }).waitFor();
}

/** Returns the whole text, including lines that are not rendered. */
function readText(): Promise<string> {
  return page.locator('tp-code-editor').evaluate((element) => (element as unknown as { text: string }).text);
}

/** Replaces the whole text. */
async function replaceText(some: string): Promise<void> {
  await editor().focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(some);
}

/** Changes the text through keyboard input. */
async function editText(change: (text: string) => string): Promise<void> {
  const before = await readText();
  const after = change(before);
  expect(after).not.toBe(before);
  await replaceText(after);
}

/** Inserts a line before the one that begins with `start`. The rest is untouched and may change meanwhile. */
async function insertLineBefore(start: string, line: string): Promise<void> {
  const at = (await readText()).split('\n').findIndex((one) => one.startsWith(start));
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

async function readObject(target = web): Promise<Record<string, Record<string, unknown>>> {
  return JSON.parse((await sendRequest(page, { target })).text);
}

async function revisionOf(target: string): Promise<unknown> {
  return (await readObject(target))['metadata']?.['resourceVersion'];
}

test('EX-4: completes kinds of the apiVersion, inserts a skeleton into an empty file, and completes each document by its kind', async () => {
  await openEditor();
  await replaceText('apiVersion: v1\nkind: ');
  await page.keyboard.type('Po');
  await options().filter({ hasText: /^Pod/ }).first().waitFor();
  expect(await options().filter({ hasText: 'Deployment' }).count()).toBe(0);
  await page.keyboard.press('Escape');
  await replaceText('');
  await page.keyboard.press('Control+Space');
  await page.keyboard.type('Config');
  await chooseOption('ConfigMap', 'Config');
  await eventually(async () => (await readText()).startsWith('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: '));
  await replaceText('apiVersion: v1\nkind: ConfigMap\n---\napiVersion: apps/v1\nkind: Deployment\nspec:\n  ');
  await page.keyboard.type('progr');
  await options().filter({ hasText: 'progressDeadlineSeconds' }).waitFor();
});

test('EX-4: completes and validates fields of a definition that was just created', async () => {
  await openEditor();
  await expectSuccess(page, { method: 'POST', target: '/apis/apiextensions.svc/v1/customresourcedefinitions', body: widgetDefinition });
  await eventually(async () => (await sendRequest(page, { target: '/apis/example.com/v1/widgets' })).status === 200);
  await replaceText('apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: big\n  ');
  await page.keyboard.type('col');
  const colour = options().filter({ hasText: 'colour' });
  // The editor may have read the list of schemas just before the definition was created: it reads it at most twice a second.
  await eventually(async () => {
    const isOffered = await colour.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    if (!isOffered) await page.keyboard.press('Control+Space');
    return isOffered;
  });
  await chooseOption('colour', 'col');
  await page.keyboard.type('gre');
  await chooseOption('green', 'gre');
  await eventually(async () => (await readText()).endsWith('colour: green'));
  await page.locator('.cm-lintRange-error', { hasText: 'big' }).waitFor();
});

test('EX-5: underlines an unknown field before saving and suggests a correction', async () => {
  await openEditor();
  await replaceText('apiVersion: apps/v1\nkind: Deployment\nmetadeta:\n  name: web\n');
  const underlined = page.locator('.cm-lintRange-error', { hasText: 'metadeta' });
  await underlined.waitFor();
  await underlined.hover();
  await page.getByText('unknown field "metadeta": did you mean metadata?').waitFor();
  await page.getByRole('button', { name: 'Change to metadata' }).click();
  await eventually(async () => (await readText()).includes('metadata:'));
});

test('saves a patch of the changed fields by default, also of a field that another manager owns, and focuses the editor', async () => {
  await openEditor();
  await editText((before) => before.replace('replicas: 2', 'replicas: 5'));
  await save();
  await page.getByText(/Saved as revision/).waitFor();
  await eventually(async () => (await describeFocus(page)).includes('cm-content'));
  expect((await readObject())['spec']?.['replicas']).toBe(5);
});

test('shows one line per invalid field, and marks the fields in the editor', async () => {
  await openEditor();
  await editText((before) => before.replace('replicas: 2', 'replicas: -1').replace('containerPort: 80', 'containerPort: 99999'));
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog().getByRole('status').getByText('spec.replicas', { exact: true }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await dialog().getByRole('button', { name: 'Keep editing' }).click();
  await page.locator('.cm-lintRange-error', { hasText: 'replicas' }).waitFor();
});

test('reviews a save with a server dry run, and an apply owns only the changed fields', async () => {
  await openEditor();
  await editText((before) => before.replace('replicas: 2', 'replicas: 5'));
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog().getByRole('region', { name: 'Your changes' }).getByText('replicas: 5').waitFor();
  await dialog().getByRole('radio', { name: 'Server-side apply' }).check();
  // Another manager owns the field: the dialog shows the conflict and requires force.
  await dialog()
    .getByText(/conflict with/)
    .waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'explore-conflict');
  expect(await dialog().getByRole('button', { name: 'Save', exact: true }).isEnabled()).toBe(false);
  await dialog()
    .getByRole('checkbox', { name: /^Force:/ })
    .check();
  await dialog().getByRole('region', { name: 'Preview (server dry run)' }).getByText('replicas: 5').waitFor();
  expect((await readObject())['spec']?.['replicas']).toBe(2);
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'explore-review');
  await dialog().getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText(/Saved as revision/).waitFor();
  const { spec, metadata } = await readObject();
  expect(spec?.['replicas']).toBe(5);
  const managed = metadata?.['managedFields'] as { manager: string; operation: string; fieldsV1: object }[];
  expect(managed.find(({ operation }) => operation === 'Apply')).toMatchObject({
    manager: 'console',
    fieldsV1: { 'f:spec': { 'f:replicas': {} } },
  });
});

test('EX-2: edits a Node that changes continuously, without conflicts or lost changes', async () => {
  await expectSuccess(page, {
    method: 'POST',
    target: '/api/v1/nodes',
    body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'busy' } },
  });
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
  await insertLineBefore('  name: busy', '  labels:\n    first: "yes"');
  await save('Server-side apply');
  await page.getByText(/Saved as revision/).waitFor();
  await insertLineBefore('  name: busy', '    second: "yes"');
  await save('Patch');
  await page.getByText(/Saved as revision/).waitFor();
  const { metadata } = await readObject('/api/v1/nodes/busy');
  expect(metadata?.['labels']).toMatchObject({ first: 'yes', second: 'yes' });
  // A replace of an outdated version is refused. The text is not lost but merged with the current version.
  await insertLineBefore('  name: busy', '    third: "yes"');
  const edited = await revisionOf('/api/v1/nodes/busy');
  await eventually(async () => (await revisionOf('/api/v1/nodes/busy')) !== edited);
  await page.getByRole('button', { name: 'Review and save' }).click();
  await dialog().getByRole('radio', { name: 'Replace' }).check();
  await dialog().getByRole('button', { name: 'Merge with the current version' }).click();
  await page.getByText(/Merged with revision/).waitFor();
  expect(await readText()).toContain('third: "yes"');
});

test('does not change the text when the object changes on the server, and merges on request', async () => {
  await openEditor();
  await editText((before) => `# mine\n${before.replace('image: nginx:1.29', 'image: nginx:1.30')}`);
  const typed = await readText();
  await expectSuccess(page, {
    method: 'PATCH',
    target: web,
    headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'kubectl-scale' },
    body: { spec: { replicas: 9 } },
  });
  await page.getByText(/Changed to rev \d+ by .*: spec.replicas/).waitFor();
  expect(await readText()).toBe(typed);
  await page.getByRole('button', { name: 'Merge' }).click();
  await page.getByText(/Merged with revision/).waitFor();
  expect(await readText()).toContain('# mine\n');
  expect(await readText()).toContain('replicas: 9');
  expect(await readText()).toContain('image: nginx:1.30');
});

test('shows conflicting lines side by side, and restores unsaved text after a reload', async () => {
  await openEditor();
  await editText((before) => before.replace('replicas: 2', 'replicas: 7'));
  await page.getByText('draft stored in this browser').waitFor();
  await page.reload();
  await page.getByText('Your unsaved text was restored.').waitFor();
  expect(await readText()).toContain('replicas: 7');
  const headers = { 'content-type': 'application/merge-patch+json' };
  await expectSuccess(page, { method: 'PATCH', target: web, headers, body: { spec: { replicas: 3 } } });
  await page.getByRole('button', { name: 'Merge' }).click();
  await dialog().getByText('replicas: 3').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await takeScreenshot(page, 'explore-merge');
  await dialog().getByRole('radio', { name: 'theirs' }).check();
  await dialog().getByRole('button', { name: 'Merge' }).click();
  await eventually(async () => (await readText()).includes('replicas: 3'));
});

test('lists every revision with its changes, and compares it with the current state', async () => {
  const headers = { 'content-type': 'application/merge-patch+json' };
  await expectSuccess(page, { method: 'PATCH', target: web, headers, body: { spec: { replicas: 3 } } });
  await expectSuccess(page, { method: 'PATCH', target: web, headers, body: { spec: { replicas: 4 } } });
  await navigate(page, '#/o/apps/v1/deployments/default/web?tab=history');
  await eventually(async () => (await page.locator('tp-object-history li').count()) >= 3);
  await page.locator('tp-object-history li').first().getByRole('button').click();
  const changes = page.getByRole('region', { name: /Changes of revision/ });
  await changes
    .getByText('- replicas: 3')
    .or(changes.locator('.minus', { hasText: 'replicas: 3' }))
    .first()
    .waitFor();
  await navigate(page, '#/o/apps/v1/deployments/default/web?tab=diff');
  await page.locator('.diff .plus', { hasText: 'replicas: 4' }).waitFor();
});

/** Returns the text of the focused element. */
function focusedText(): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return active?.textContent?.trim() ?? '';
  });
}

test('the editor of an object gets the focus also when its module is loaded before the one that prints YAML', async () => {
  await openEditor();
  const focused = await page.locator('tp-object-yaml').evaluate(async (shown: HTMLElement) => {
    const { model, type, place, object, print } = shown as unknown as Record<string, object>;
    const opened = document.createElement('tp-object-yaml');
    const query = { tab: 'yaml', edit: '' };
    Object.assign(opened, { model, type, place: { ...place, query }, object, mayUpdate: true });
    document.body.append(opened);
    while (!(opened as unknown as { ready: boolean }).ready) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    Object.assign(opened, { print });
    for (let frames = 0; frames < 600 && !opened.shadowRoot?.activeElement; frames++) await new Promise(requestAnimationFrame);
    return opened.shadowRoot?.activeElement?.localName;
  });
  expect(focused).toBe('tp-code-editor');
});

test('EX-3, EX-7: edits and saves a Deployment with the keyboard alone, and shows the reason when an update is forbidden', async () => {
  await navigate(page, '#/o/apps/v1/deployments/default');
  await page.getByRole('row').filter({ hasText: 'web' }).waitFor();
  await page.getByRole('grid').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('e');
  await editor().filter({ hasText: 'apiVersion' }).waitFor();
  await eventually(async () => (await describeFocus(page)).includes('cm-content'));
  await page.keyboard.press('Control+End');
  await page.keyboard.press('Control+Home');
  const row = (await readText()).split('\n').findIndex((line) => line.includes('replicas: 2'));
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
  // From the selected write strategy, patch, to the next one: server-side apply. It conflicts, and so back.
  for (let tabs = 0; tabs < 10 && !(await describeFocus(page)).startsWith('input'); tabs++) await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await dialog()
    .getByText(/conflict with/)
    .waitFor();
  await page.keyboard.press('ArrowUp');
  await dialog().getByRole('region', { name: 'Preview (server dry run)' }).waitFor();
  await tabTo('Save', 'Tab');
  await page.keyboard.press('Enter');
  await page.getByText(/Saved as revision/).waitFor();
  expect((await readObject())['spec']?.['replicas']).toBe(6);
  await page.getByLabel('Identity').selectOption('alice');
  await page
    .getByText(/alice cannot update/)
    .or(page.getByRole('alert'))
    .first()
    .waitFor();
});
