import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bundleScript, eventually } from './browser.ts';
import type { Ownership } from './ownership-in-page.ts';
import { useSite } from './site.ts';

const site = useSite();

declare global {
  var ownership: Ownership;
}

test('opening the database takes over its ownership: the previous owner is notified without a write and can no longer write', async () => {
  const context = await site.context();
  const script = await bundleScript(new URL('ownership-in-page.ts', import.meta.url));
  const open = async (): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${site.url}icon.svg`);
    await page.evaluate(script);
    await page.evaluate(() => globalThis.ownership.open());
    return page;
  };
  const write = (page: Page, key: string): Promise<string> => page.evaluate((name) => globalThis.ownership.write(name), key);
  const older = await open();
  expect(await write(older, 'first')).toBe('written');
  const newer = await open();
  await eventually(() => older.evaluate(() => globalThis.ownership.taken === 1));
  expect(await write(older, 'late')).toContain('another process has opened the database');
  expect(await write(newer, 'second')).toBe('written');
  // A closed page is no longer the owner, so opening the database then notifies nobody.
  await newer.close();
  await older.evaluate(() => globalThis.ownership.open());
  expect(await older.evaluate(() => globalThis.ownership.keys())).toEqual(['first', 'second']);
  expect(await older.evaluate(() => globalThis.ownership.taken)).toBe(1);
});
