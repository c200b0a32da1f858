import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { configMap, configMaps } from './browser.ts';
import {
  axeViolations,
  confirmPrompt,
  expectSuccess,
  lessonTerminal,
  navigate,
  runInLesson,
  takeScreenshot,
  writeLesson,
} from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();
const folder = new URL('../../src/tutorials/lessons/control-plane/', import.meta.url);

const exam = '#/learn/control-plane/11-exam';
const settings =
  'kubectl create namespace shop && kubectl create configmap settings -n shop --from-literal=currency=EUR && kubectl label configmap settings -n shop part=settings';

async function startExam(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('tp-exam h3', { hasText: 'A namespace with settings' }).waitFor();
}

test('an exam has a timer and no hints, continues after a reload, and is graded when submitted', async () => {
  const page = await site.visit({ hash: exam });
  await startExam(page);
  await page
    .getByRole('timer')
    .getByText(/2[45]:\d\d left/)
    .waitFor();
  expect(await page.getByRole('button', { name: /Hint|Show me/ }).count()).toBe(0);
  await runInLesson(page, settings);
  await page.locator('tp-command-block', { hasText: 'configmap/settings labeled' }).waitFor();
  await page.reload();
  await page.getByRole('timer').waitFor();
  await page.getByRole('button', { name: 'Next task' }).click();
  await runInLesson(page, 'kubectl label pods web-1 web-canary traffic=on');
  await page.locator('tp-command-block', { hasText: 'pod/web-canary labeled' }).waitFor();
  await page.locator('tp-exam').getByRole('button', { name: 'Submit' }).click();
  await confirmPrompt(page, 'Submit');
  await page.getByText('Not passed with 16 %: 2 of 12 points.').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save report' }).click();
  const report = readFileSync(await (await download).path(), 'utf8');
  expect(report).toContain('| A namespace with settings | 1 of 1 |  |');
  expect(report).toContain('| Select the Pods | 1 of 2 | There is no Service "front"');
  await page.reload();
  await page.getByText('Not passed with 16 %').waitFor();
});

const source = (more = ''): string =>
  [
    '---',
    'title: Mine',
    'minutes: 3',
    'allow: [kubectl]',
    '---',
    'Five words are in here.',
    '## First {#first}',
    '```check',
    '- cel: has(get("v1", "ConfigMap", "default", "mine"))',
    '  message: Not there.',
    '```',
    '## Second {#second}',
    more,
  ].join('\n');

test('the lesson editor shows a preview, format errors and the state of the checks', async () => {
  const page = await site.visit({ hash: '#/author' });
  await page.locator('tp-lesson h3', { hasText: 'Make something' }).waitFor();
  await writeLesson(page, source('```sh run nonsense\ntrue\n```'));
  await page.getByRole('list', { name: 'Problems' }).getByText('a block of sh has the unknown option "nonsense"').waitFor();
  await page.getByText('5 words, about 1 min (stated: 3); 2 steps; format errors: 1.').waitFor();
  await page.getByRole('list', { name: 'Checks now' }).getByText('✗ fails').waitFor();
  await runInLesson(page, 'kubectl create configmap mine');
  await page.getByRole('list', { name: 'Checks now' }).getByText('✓ passes').waitFor();
  await runInLesson(page, 'cat x');
  await page.locator('tp-command-block', { hasText: 'cat: not among the commands that there are here (kubectl)' }).waitFor();
  await writeLesson(page, source('The text goes on here.'));
  await page.getByText('no format errors').waitFor();
  // The cluster and the output of the console are unchanged.
  await page.getByRole('list', { name: 'Checks now' }).getByText('✓ passes').waitFor();
  expect(await lessonTerminal(page).locator('tp-command-block').count()).toBe(2);
  await page.reload();
  await page.locator('tp-lesson h3', { hasText: 'First' }).waitFor();
});

test('the lesson editor highlights YAML, marks problems at their lines, and completes blocks and keys', async () => {
  const page = await site.visit({ hash: '#/author' });
  const editor = page.locator('tp-lesson-editor');
  await writeLesson(page, source('```sh run nonsense\ntrue\n```'));
  await editor.locator('.cm-line', { hasText: '## Second' }).and(editor.locator('.cm-heading')).waitFor();
  // The names of the check are highlighted as in other YAML.
  await editor.locator('.cm-code span', { hasText: /^message$/ }).waitFor();
  await editor.locator('.cm-lintRange-error', { hasText: 'sh run nonsense' }).waitFor();
  await editor.locator('.cm-lint-marker-error').waitFor();
  await page.keyboard.type('\n``');
  await page.getByRole('option', { name: '```check' }).click();
  await editor.locator('.cm-line', { hasText: 'missing' }).waitFor();
  await page.keyboard.press('ControlOrMeta+Home');
  await page.keyboard.press('End');
  await page.keyboard.type('\nsum');
  await page.getByRole('option', { name: 'summary' }).click();
  await editor.locator('.cm-line', { hasText: 'summary:' }).waitFor();
});

test('a new lesson from the template replaces a changed one after a confirmation', async () => {
  const page = await site.visit({ hash: '#/author' });
  await page.locator('tp-lesson h3', { hasText: 'Make something' }).waitFor();
  await writeLesson(page, source('Text.'));
  await page.locator('tp-lesson h3', { hasText: 'First' }).waitFor();
  await page.getByRole('button', { name: 'New from template' }).click();
  await confirmPrompt(page, 'Replace the text');
  await page.locator('tp-lesson h3', { hasText: 'Make something' }).waitFor();
  await page.locator('tp-lesson-editor .cm-line', { hasText: 'title: A lesson of yours' }).waitFor();
});

test('updates the preview when a file of a watched folder is saved', async () => {
  const page = await site.visit({ hash: '#/author' });
  await page.locator('tp-lesson h3').waitFor();
  await page.evaluate(async (text) => {
    // The origin private file system, since only a user can choose a folder.
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('lessons', { create: true });
    const write = async (name: string, content: string): Promise<void> => {
      const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await file.write(content);
      await file.close();
    };
    await write('mine.md', text.replace('minutes: 3', 'cluster: {apply: [setup.yaml]}'));
    await write('setup.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: mine}\n');
    Object.assign(globalThis, { showDirectoryPicker: async () => folder, write });
  }, source());
  await page.getByRole('button', { name: 'Watch a folder…' }).click();
  await page.getByText('Source of mine.md in the folder lessons').waitFor();
  await page.getByRole('list', { name: 'Checks now' }).getByText('✓ passes').waitFor();
  await page.evaluate(
    (text) => (globalThis as unknown as { write(name: string, text: string): Promise<void> }).write('mine.md', text),
    source().replace('Five words', 'Six other words'),
  );
  await page.locator('tp-lesson .prose', { hasText: 'Six other words' }).waitFor();
});

test('ends an endless check, and evaluates checks in the cluster of the lesson only', async () => {
  const page = await site.visit();
  await expectSuccess(page, { method: 'POST', target: configMaps, body: configMap('outside') });
  const endless = 'abcdefgh'.split('').reduce((inner, name) => `[0,1,2,3,4,5,6,7,8,9].all(${name}, ${inner})`, 'true');
  const checks = `- cel: '${endless}'\n  message: endless\n- cel: has(get("v1", "ConfigMap", "default", "outside"))\n  message: outside\n`;
  const lesson = `---\ntitle: Bad\n---\n## A\n\`\`\`check\n${checks}\`\`\`\n`;
  await navigate(page, '#/clusters');
  const file = { name: 'bad.md', mimeType: 'text/markdown', buffer: Buffer.from(lesson) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.locator('tp-lesson .seen', { hasText: 'the check exceeds the cost limit' }).waitFor();
  await page.locator('tp-lesson .checks [role=status]', { hasText: '(0 of 2)' }).waitFor();
});

test('exports the progress to a file and imports it in another tab', async () => {
  const page = await site.visit({ hash: '#/learn/control-plane/01-objects' });
  await page.locator('tp-lesson h3').waitFor();
  await runInLesson(page, 'kubectl create configmap greeting');
  await page.locator('tp-lesson .check.passed').waitFor();
  await page.getByRole('link', { name: 'Learn', exact: true }).first().click();
  await page.getByText('1 of 4 steps').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).click();
  const path = await (await download).path();
  const other = await site.visit({ hash: '#/learn' });
  await other.getByLabel('Add from a file').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('[]') });
  await other.getByText('This file contains no lesson progress.').waitFor();
  await other.getByLabel('Add from a file').setInputFiles(path);
  await other.getByText('1 of 4 steps').waitFor();
});

/** Imports a progress file in which all lessons are completed. */
async function finishTrack(page: Page): Promise<void> {
  const files = readdirSync(folder).filter((name) => /^\d\d-[^.]*\.md$/.test(name));
  const lessons = files.map((name) => {
    const done = [...readFileSync(new URL(name, folder), 'utf8').matchAll(/^## .*\{#([\w-]+)\}/gm)].map(([, id]) => id);
    return [`control-plane/${name.replace('.md', '')}`, { step: 0, done, hints: {}, shown: [], startedMs: 0 }] as const;
  });
  const text = JSON.stringify({ format: 'tabplane-progress', version: 1, lessons: Object.fromEntries(lessons) });
  await page.getByLabel('Add from a file').setInputFiles({ name: 'all.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.getByText('Added.').waitFor();
}

test('shows a certificate after all lessons, and prints nothing else', async () => {
  const page = await site.visit({ hash: '#/learn?certificate=control-plane' });
  await page.getByText('Not yet: Objects').waitFor();
  await page.getByRole('link', { name: 'All lessons' }).click();
  await finishTrack(page);
  await page.getByRole('link', { name: 'Your certificate' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ada Lovelace');
  await page.getByText('has completed all 9 lessons of this track and passed its exam.').waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('nav').first().isVisible()).toBe(false);
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  await takeScreenshot(page, 'certificate-print');
  await page.emulateMedia({ media: 'screen' });
  await page.goBack();
  expect(await page.locator('nav').first().isVisible()).toBe(true);
});

test('shows a lesson in the browser’s language if it is translated, and switches the language within a step', async () => {
  const page = await site.visit({ hash: '#/learn/control-plane/01-objects', locale: 'de-DE' });
  await page.locator('tp-lesson h3', { hasText: 'Ein Objekt anlegen' }).waitFor();
  expect(await page.locator('tp-lesson .parts').getAttribute('lang')).toBe('de');
  await runInLesson(page, 'kubectl create configmap greeting');
  await page.locator('tp-lesson .check.passed').waitFor();
  await page.getByRole('button', { name: 'Weiter' }).click();
  await page.locator('tp-lesson h3', { hasText: 'Zurücklesen' }).waitFor();
  await page.getByLabel('Sprache').selectOption('en');
  await page.locator('tp-lesson h3', { hasText: '2. Read it back' }).waitFor();
  await page.reload();
  await page.locator('tp-lesson h3', { hasText: '2. Read it back' }).waitFor();
});

test.each(['light', 'dark'] as const)('the lesson editor and the exam have no axe violations, %s', async (colorScheme) => {
  for (const [width, height] of [
    [1280, 800],
    [360, 640],
  ] as const) {
    const visitor = { colorScheme, viewport: { width, height } };
    const check = async (page: Page, state: string): Promise<void> => {
      await takeScreenshot(page, `learn-${colorScheme}-${width}-${state}`);
      expect(await axeViolations(page), state).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), state).toBeLessThanOrEqual(width);
    };
    const author = await site.visit({ hash: '#/author', ...visitor });
    await author.getByRole('list', { name: 'Checks now' }).waitFor();
    await check(author, 'author');
    await author.close();
    const page = await site.visit({ hash: exam, ...visitor });
    await page.getByRole('button', { name: 'Start' }).waitFor();
    await check(page, 'exam-before');
    await startExam(page);
    await check(page, 'exam-task');
    const overflow = await page.locator('tp-exam .steps').evaluate((steps) => {
      const { host } = steps.getRootNode() as ShadowRoot;
      return steps.getBoundingClientRect().right - host.getBoundingClientRect().right;
    });
    expect(overflow, 'the tasks are beside the console').toBeLessThanOrEqual(0);
    await page.locator('tp-exam').getByRole('button', { name: 'Submit' }).click();
    await confirmPrompt(page, 'Submit');
    await page.getByText('Not passed').waitFor();
    await check(page, 'exam-over');
    await page.close();
  }
});
