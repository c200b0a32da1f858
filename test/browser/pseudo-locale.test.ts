import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildPage } from './build-page.ts';
import { everyScreen } from './every-screen.ts';
import { deployment, deployments, expectSuccess, navigate, takeScreenshot } from './screens.ts';
import { useSite } from './site.ts';

const alias = [{ find: /^@lit\/localize$/, replacement: new URL('pseudo-localize.ts', import.meta.url).pathname }];
const site = useSite('/', { built: () => buildPage('pseudo', {}, { resolve: { alias } }) });

/**
 * Returns visible texts and accessible names that are not messages, with their positions. Output of the server and the shell is
 * marked as not translatable, lessons declare their language, and text in the monospace font is data.
 */
function findUntranslatedTexts(page: Page): Promise<readonly string[]> {
  return page.locator('body *').evaluateAll((elements) => {
    const isData = (element: Element): boolean => {
      const dataSelector = 'code, pre, kbd, samp, textarea, style, .mono, .cm-editor, tp-command-block, [translate=no], [lang]:not(html)';
      for (let at: Element | null = element; at !== null; at = at.parentElement ?? (at.getRootNode() as ShadowRoot).host ?? null)
        if (at.matches(dataSelector)) return true;
      return false;
    };
    // Names of objects in the address, and numbers with units.
    const isName = (text: string): boolean => location.hash.split(/[/?]/).includes(text) || /^[\d.]+ (?:m?s|MB)$/.test(text.trim());
    const isUntranslated = (text: string): boolean => /\p{L}{2}/u.test(text) && !/[⟦⟧]/.test(text) && !isName(text);
    const textsOf = (element: Element): readonly (readonly [where: string, text: string])[] => [
      ...[...element.childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [['', node.textContent ?? ''] as const] : [])),
      ...['aria-label', 'title', 'placeholder', 'alt'].map((name) => [` ${name}`, element.getAttribute(name) ?? ''] as const),
    ];
    const placeOf = (element: Element): string => {
      const host = (element.getRootNode() as ShadowRoot).host?.localName ?? 'page';
      return `${host} ${element.localName}${element.className ? `.${element.className}` : ''}`;
    };
    const found = elements
      .filter((element) => element.checkVisibility() && !isData(element))
      .flatMap((element) =>
        textsOf(element)
          .filter(([, text]) => isUntranslated(text))
          .map(([where, text]) => `${placeOf(element)}${where}: ${text.trim()}`),
      );
    return [...new Set(found)].sort();
  });
}

/** Messages that are cut off and cannot be scrolled into view. */
function findClippedMessages(page: Page): Promise<readonly string[]> {
  return page.locator('*').evaluateAll((elements) => {
    const isMessage = (node: Node): boolean => node.nodeType === Node.TEXT_NODE && /[⟦⟧]/.test(node.textContent ?? '');
    const isClipped = (element: Element): boolean => {
      const { overflowX, overflowY, textOverflow, display } = getComputedStyle(element);
      if (display === 'inline' || textOverflow === 'ellipsis') return false;
      const isWide = element.scrollWidth > element.clientWidth + 1;
      // Overflowing text would be covered by the next element.
      const isOverNext = isWide && overflowX === 'visible' && /^(a|button|label|summary)$/.test(element.localName);
      const isHigh = element.scrollHeight > element.clientHeight + 1;
      return isOverNext || (isWide && /hidden|clip/.test(overflowX)) || (isHigh && /hidden|clip/.test(overflowY));
    };
    return elements
      .filter((element) => [...element.childNodes].some(isMessage))
      .filter((element) => element.checkVisibility() && element.clientWidth > 1 && isClipped(element))
      .map((element) => `${element.localName}.${element.className}: ${element.textContent}`);
  });
}

const sizes: readonly (readonly [width: number, height: number])[] = [
  [1280, 800],
  [360, 640],
];

test.each(sizes)(
  'every text of every screen is a message, and none is cut off when it is 40 % longer, at %i × %i',
  async (width, height) => {
    const page = await site.visit({ viewport: { width, height } });
    await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
    for (const [hash, readySelector] of everyScreen) {
      await navigate(page, hash);
      await page.locator(readySelector).first().waitFor();
      await takeScreenshot(page, `pseudo-${width}${hash.replace(/\W+/g, '-')}`);
      expect.soft(await findUntranslatedTexts(page), hash).toEqual([]);
      expect.soft(await findClippedMessages(page), hash).toEqual([]);
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(width);
    }
  },
);
