import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { navigate } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

/** Sizes of phones in CSS pixels. */
const phones = [
  [390, 844],
  [360, 640],
] as const;

const heightOf = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluateAll((all) => all.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0));

test.each([...phones, [1024, 768]] as const)(
  'at %i×%i pixels the top bar is one row, on the page and in a lesson',
  async (width, height) => {
    const page = await site.visit({ viewport: { width, height }, hasTouch: true, isMobile: true });
    // Controls for touch are 44 pixels high.
    expect(await heightOf(page, 'tp-top-bar')).toBeLessThanOrEqual(60);
    await navigate(page, '#/learn/control-plane/03-apply/2');
    await page.locator('tp-lesson .check').waitFor();
    expect(await heightOf(page, 'tp-top-bar')).toBeLessThanOrEqual(60);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  },
);

test.each(phones)('at %i×%i pixels the bars of a lesson are at most 120 pixels high', async (width, height) => {
  const page = await site.visit({ viewport: { width, height }, hasTouch: true, isMobile: true, hash: '#/learn/control-plane/03-apply/2' });
  await page.locator('tp-lesson .check').waitFor();
  expect(await heightOf(page, 'tp-lesson .top, tp-lesson footer')).toBeLessThanOrEqual(120);
});

test('More opens the screens that the bar of a phone does not have', async () => {
  const page = await site.visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  for (const [name, element] of [
    ['Access', 'tp-access'],
    ['Files', 'tp-files'],
    ['Clusters', 'tp-clusters'],
    ['Settings', 'tp-settings'],
  ] as const) {
    await page.getByRole('button', { name: 'More' }).tap();
    await page.getByRole('dialog', { name: 'More screens' }).getByRole('link', { name }).tap();
    await page.locator(element).waitFor();
  }
});
