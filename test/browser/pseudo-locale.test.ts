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
  return page.evaluate(() => {
    const found = new Set<string>();
    const isData = (element: Element): boolean => {
      const dataSelector = 'code, pre, kbd, samp, textarea, style, .mono, .cm-editor, tp-command-block, [translate=no], [lang]:not(html)';
      for (let at: Element | null = element; at !== null; at = at.parentElement ?? (at.getRootNode() as ShadowRoot).host ?? null)
        if (at.matches(dataSelector)) return true;
      return false;
    };
    const inspect = (text: string | null, element: Element, where: string): void => {
      // Names of objects in the address, and numbers with units.
      const isName = location.hash.split(/[/?]/).includes(text ?? '') || /^[\d.]+ (?:m?s|MB)$/.test((text ?? '').trim());
      if (text === null || isName || !/\p{L}{2}/u.test(text) || /[⟦⟧]/.test(text) || isData(element)) return;
      const host = (element.getRootNode() as ShadowRoot).host?.localName ?? 'page';
      found.add(`${host} ${element.localName}${element.className ? `.${element.className}` : ''}${where}: ${text.trim()}`);
    };
    const visit = (root: Document | ShadowRoot | Element): void => {
      for (const element of root.querySelectorAll('body *, :host *, *')) {
        if (element.shadowRoot !== null) visit(element.shadowRoot);
        if (!element.checkVisibility()) continue;
        for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) inspect(node.textContent, element, '');
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) inspect(element.getAttribute(name), element, ` ${name}`);
      }
    };
    visit(document.body);
    return [...found].sort();
  });
}

/** Messages that are cut off and cannot be scrolled into view. */
function findClippedMessages(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const visit = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        if (element.shadowRoot !== null) visit(element.shadowRoot);
        const hasMessage = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /[⟦⟧]/.test(node.textContent ?? ''));
        if (!hasMessage || !element.checkVisibility() || element.clientWidth <= 1) continue;
        const { overflowX, overflowY, textOverflow, display } = getComputedStyle(element);
        if (display === 'inline' || textOverflow === 'ellipsis') continue;
        const wide = element.scrollWidth > element.clientWidth + 1 && /hidden|clip/.test(overflowX);
        // Overflowing text would be covered by the next element.
        const beside =
          element.scrollWidth > element.clientWidth + 1 && overflowX === 'visible' && /^(a|button|label|summary)$/.test(element.localName);
        const high = element.scrollHeight > element.clientHeight + 1 && /hidden|clip/.test(overflowY);
        if (wide || beside || high) found.push(`${element.localName}.${element.className}: ${element.textContent}`);
      }
    };
    visit(document);
    return found;
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
