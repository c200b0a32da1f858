import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Ask, type Asked, ask, eventually } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const pictures: string = new URL('../../dist/shots', import.meta.url).pathname;

/** Saves a screenshot for review if TABPLANE_SHOTS is set; screenshots are slow. */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['TABPLANE_SHOTS'] !== undefined) await page.screenshot({ path: `${pictures}/${name}.png` });
}

export async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** One request that has to succeed. */
export async function must(page: Page, request: Ask): Promise<Asked> {
  const answer = await ask(page, request);
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

/** Roles that gather others' rules have them a moment after the page has come. */
export async function rolesGathered(page: Page): Promise<void> {
  const rulesOf = async (role: string): Promise<readonly unknown[]> =>
    JSON.parse((await must(page, { target: `/apis/rbac.authorization.svc/v1/clusterroles/${role}` })).text).rules ?? [];
  for (const role of ['view', 'edit', 'admin']) await eventually(async () => (await rulesOf(role)).length > 0);
}

/** Types a command with the keyboard and waits until it is done; what it printed. */
export async function runLine(page: Page, command: string): Promise<string> {
  const at = await page.locator('tp-command-block').count();
  await page.locator('tp-command-line textarea').focus();
  await page.keyboard.insertText(command);
  await page.keyboard.press('Enter');
  await page.waitForFunction((index) => {
    const all = document
      .querySelector('tp-app')
      ?.shadowRoot?.querySelector('tp-terminal')
      ?.shadowRoot?.querySelectorAll('tp-command-block');
    return (all?.[index] as unknown as { command?: { state: string } } | undefined)?.command?.state === 'done';
  }, at);
  return outputOf(page, at);
}

/** What the command at this place of the terminal printed. */
export function outputOf(page: Page, at: number): Promise<string> {
  return page
    .locator('tp-command-block')
    .nth(at)
    .evaluate((block) => (block as unknown as { outputText: string }).outputText);
}

/** What axe finds, in words. */
export async function violations(page: Page): Promise<string[]> {
  // As the browser's tools do it: a script in the page would be against its policy.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  await elementsDefined(page);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
      // What passes is not described.
      resultTypes: ['violations'],
    });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
  });
}

/** Waits until every custom element in the page is defined: some, the top bar with its heading among them, load after the command line. */
async function elementsDefined(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const allDefined = (root: Document | ShadowRoot): boolean =>
      root.querySelector(':not(:defined)') === null &&
      [...root.querySelectorAll('*')].every(({ shadowRoot }) => shadowRoot === null || allDefined(shadowRoot));
    return allDefined(document);
  });
}

/** The element that has the focus, through all shadow roots. */
export function focused(page: Page): Promise<string> {
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

/** A kind of our own, as its definition. */
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
