import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { eventually, type PageRequest, type PageResponse, sendRequest } from './browser.ts';

const require: NodeJS.Require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const screenshotFolder: string = new URL('../../dist/shots', import.meta.url).pathname;

/** Saves a screenshot for review if TABPLANE_SHOTS is set; screenshots are slow. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['TABPLANE_SHOTS'] !== undefined) await page.screenshot({ path: `${screenshotFolder}/${name}.png` });
}

/** Changes the address and waits until the frame has handled the change: a key that is pressed before would reach the previous screen. */
export async function navigate(page: Page, hash: string): Promise<void> {
  // Only then it observes the address.
  await page.locator('tp-app').waitFor({ state: 'attached' });
  await page.evaluate(async (to) => {
    const before = location.href;
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = to;
    if (location.href !== before) await changed;
  }, hash);
}

/** Waits for the script of the frame that fetches a file: before, its button has no effect, and the script overwrites its field. */
export async function waitForFetchFrame(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Fetch' }).waitFor();
  await eventually(() => frame.locator('html').evaluate(() => document.readyState !== 'loading'));
}

/** Sends a request and expects a status below 300. */
export async function expectSuccess(page: Page, request: PageRequest): Promise<PageResponse> {
  const response = await sendRequest(page, request);
  expect(response.status, response.text).toBeLessThan(300);
  return response;
}

/** Waits until the controller has filled the aggregated roles, which happens shortly after the cluster has started. */
export async function waitForAggregatedRoles(page: Page): Promise<void> {
  const rulesOf = async (role: string): Promise<readonly unknown[]> =>
    JSON.parse((await expectSuccess(page, { target: `/apis/rbac.authorization.svc/v1/clusterroles/${role}` })).text).rules ?? [];
  for (const role of ['view', 'edit', 'admin']) await eventually(async () => (await rulesOf(role)).length > 0);
}

/** Types a command, waits until it has completed, and returns its output. */
export async function runCommand(page: Page, command: string): Promise<string> {
  // Waits for the terminal, which shows the blocks of an earlier visit before its command line.
  await page.locator('tp-command-line textarea').focus();
  const at = await page.locator('tp-command-block').count();
  await page.keyboard.insertText(command);
  await page.keyboard.press('Enter');
  await waitForCommand(page, at);
  return outputOf(page, at);
}

/** Waits until the command of the block at an index of the terminal has completed. */
export async function waitForCommand(page: Page, at: number): Promise<void> {
  await page.waitForFunction((index) => {
    const all = document
      .querySelector('tp-app')
      ?.shadowRoot?.querySelector('tp-terminal')
      ?.shadowRoot?.querySelectorAll('tp-command-block');
    return (all?.[index] as unknown as { command?: { state: string } } | undefined)?.command?.state === 'done';
  }, at);
}

/** Returns the output of the command block at an index of the terminal. */
export function outputOf(page: Page, at: number): Promise<string> {
  return page
    .locator('tp-command-block')
    .nth(at)
    .evaluate((block) => (block as unknown as { outputText: string }).outputText);
}

/** The console of the lesson. That of the page is removed only after the lesson's text has appeared. */
export const lessonTerminal = (page: Page): Locator => page.locator('tp-terminal[data-place^=lesson]:not([hidden])');

/** Enters a command in the console of the lesson. */
export async function runInLesson(page: Page, command: string): Promise<void> {
  const line = lessonTerminal(page).locator('tp-command-line textarea');
  await line.fill(command);
  await line.press('Enter');
}

/** Replaces the text of the lesson editor. */
export async function writeLesson(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Source' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** Runs axe and returns its violations as texts. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Evaluated through the debugger: the page's content security policy refuses an injected script.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  await waitForElementDefinitions(page);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // Omits the descriptions of passed rules.
      resultTypes: ['violations'],
      // The report has the elements' HTML, so their selectors, which take long to compute, are not needed.
      selectors: false,
    });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

/** Waits until every custom element in the page is defined. Some, such as the top bar with its heading, load after the command line. */
async function waitForElementDefinitions(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const allDefined = (root: Document | ShadowRoot): boolean =>
      root.querySelector(':not(:defined)') === null &&
      [...root.querySelectorAll('*')].every(({ shadowRoot }) => shadowRoot === null || allDefined(shadowRoot));
    return allDefined(document);
  });
}

/** Describes the focused element, through all shadow roots, by name, class and `href`. */
export function describeFocus(page: Page): Promise<string> {
  return page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
    return `${active?.tagName.toLowerCase()} ${active?.className} ${active?.getAttribute('href') ?? ''}`.trim();
  });
}

export const deployment = (name: string, more: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image: 'nginx:1.29' }] } },
  },
  ...more,
});
export const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** The CustomResourceDefinition of a kind Widget. */
export const widgetDefinition: object = {
  apiVersion: 'apiextensions.svc/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['size'],
                properties: { size: { type: 'integer' }, colour: { type: 'string', enum: ['red', 'green'] } },
              },
            },
          },
        },
      },
    ],
  },
};

/** Creates a cluster on the page of clusters, which opens it. */
export async function createCluster(page: Page, names?: 'Kubernetes names' | 'svc names'): Promise<void> {
  await page.getByRole('button', { name: 'New cluster' }).click();
  if (names !== undefined) await page.getByRole('radio', { name: names }).check();
  await confirmPrompt(page, 'Create');
}

/** Answers the dialog in the page with the button of this name. */
export async function confirmPrompt(page: Page, action: string, text?: string): Promise<void> {
  const dialog = page.locator('tp-prompt dialog');
  if (text !== undefined) await dialog.getByRole('textbox').fill(text);
  await dialog.getByRole('button', { name: action }).click();
}
