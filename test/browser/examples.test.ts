import { expect, test } from 'vitest';
import { documentOf, example, runExample, useExamplesSite } from './examples-site.ts';
import { takeScreenshot } from './screens.ts';

const site = useExamplesSite();

const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  colour: blue\n';
const story = `<p>Create it:</p>${example('yaml', configMap)}<p>Then read it:</p>${example('sh', 'kubectl get configmap settings -o name')}
<pre><code class="language-text output">configmap/settings</code></pre><p>Change it:</p>
${example('sh', 'kubectl patch configmap settings -p \'{"data":{"colour":"red"}}\'', 'data-expect="patched"')}`;

test('a page loads one small script, and the engine on the first click', async () => {
  const page = await site.open(story);
  const before = site.host.requestedPaths.filter((path) => path.startsWith('/tabplane/'));
  expect(before.slice(before.lastIndexOf('/tabplane/example.js'))).toEqual(['/tabplane/example.js']);
  expect(await runExample(page, 0)).toBe('configmap/settings created\n');
  expect(await runExample(page, 1)).toBe('configmap/settings\n');
  expect(await page.locator('tabplane-example').nth(1).getByRole('status').innerText()).toBe('The result is as documented');
  expect(await page.locator('code.output').isVisible()).toBe(false);
  await runExample(page, 2);
  const last = page.locator('tabplane-example').nth(2);
  await last.getByText('Changed objects: 1').click();
  expect(await last.locator('details[open] li li').allInnerTexts()).toEqual(['data.colour: "blue" → "red"']);
  await last.getByText(/Requests: \d+/).click();
  expect(await last.locator('tbody tr').last().innerText()).toContain('PATCH /api/v1/namespaces/default/configmaps/settings');
  await takeScreenshot(page, 'examples-story');
  const cores = site.host.requestedPaths.filter((path) => path.includes('/assets/core-'));
  expect(cores).toHaveLength(1);
});

test('runs in a sandboxed frame on a host without CORS headers', async () => {
  site.host.pages.set('/framed.html', { html: documentOf(story, 'data-names="kubernetes"') });
  const page = await site.open('<iframe sandbox="allow-scripts" src="/framed.html" width="900" height="900"></iframe>');
  const frame = page.frames()[1];
  if (!frame) throw new Error('there is no frame');
  expect(await frame.evaluate(() => origin)).toBe('null');
  expect(await runExample(frame, 0)).toBe('configmap/settings created\n');
  await takeScreenshot(page, 'examples-sandbox');
});
