import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './browser.ts';
import { lessonTerminal, runInLesson } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

/** Runs a command in the console of the lesson, and returns its output. */
async function run(page: Page, command: string): Promise<string> {
  await runInLesson(page, command);
  const block = lessonTerminal(page).locator('tp-command-block').last();
  await block.locator('.time').waitFor();
  return (await block.locator('pre').textContent()) ?? '';
}

const image = `export default {
  entrypoint: ['/app'],
  programs: { '/app': ({ out, serve, ended }) => { serve(8080, () => new Response('from the lesson')); out('listening\\n'); return ended; } },
};`;

test('containers run the programs of an image that a lesson has as a script of the origin of the page, and of no other', async () => {
  site.server.pages.set('/app.js', image);
  const elsewhere = new URL('app.js', site.url.replace('localhost', '127.0.0.1')).href;
  const images = `{example.com/app: app.js, example.com/other: '${elsewhere}'}`;
  const lesson = `---\ntitle: Own image\nnodes: 1\nimages: ${images}\n---\n## Run it {#run}\nRun the image.\n`;
  const page = await site.visit({ hash: '#/clusters' });
  await page.locator('input[type=file]').setInputFiles({ name: 'own.md', mimeType: 'text/markdown', buffer: Buffer.from(lesson) });
  await page.locator('tp-lesson h3', { hasText: 'Run it' }).waitFor();
  await run(page, 'kubectl run own --image=example.com/app; kubectl run other --image=example.com/other');
  await run(page, 'kubectl wait pod --all --for=condition=Ready --timeout=120s');
  await eventually(async () => (await run(page, 'kubectl logs own')).includes('listening'));
  expect(await run(page, 'kubectl get --raw /api/v1/namespaces/default/pods/own:8080/proxy/')).toContain('from the lesson');
  // Without a program it runs, and has no output.
  expect(await run(page, 'kubectl logs other')).toBe('');
  site.server.pages.clear();
});
