import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { everyScreen } from './every-screen.ts';
import {
  axeViolations,
  deployment,
  deployments,
  describeFocus,
  expectSuccess,
  navigate,
  runCommand,
  takeScreenshot,
  writeLesson,
} from './screens.ts';
import { useSite, type Visit } from './site.ts';

const site = useSite();
/** For tests that visit all screens. */
const slow = { timeout: 240_000 };

/** Opens the page with a Deployment `web` in the cluster. */
async function visitWithDeployment(visit: Visit = {}): Promise<Page> {
  const page = await site.visit(visit);
  await expectSuccess(page, { method: 'POST', target: deployments, body: deployment('web') });
  if (visit.hash === undefined) await page.locator('tp-command-line textarea').waitFor();
  return page;
}

async function forEachScreen(page: Page, check: (hash: string) => Promise<void>): Promise<void> {
  for (const [hash, readySelector] of everyScreen) {
    await navigate(page, hash);
    await page.locator(readySelector).first().waitFor({ state: 'attached' });
    await check(hash);
  }
}

/** A focused element and the visibility of its focus. */
interface FocusStop {
  readonly description: string;
  /** The width of the focus ring around the element or around its container. */
  readonly ringWidth: number;
  /** The element that covers its center; empty when none does. */
  readonly coveredBy: string;
  /** Whether an editor handles Tab until Escape is pressed. */
  readonly capturesTab: boolean;
}

/** Returns the focused element, the width of its focus ring, and the element that covers it. */
function readFocusStop(page: Page): Promise<FocusStop> {
  return page.evaluate(() => {
    const up = (one: Element): Element | null =>
      one.parentElement ?? ((one.getRootNode() as ShadowRoot).host as Element | undefined) ?? null;
    const isWithin = (one: Element | null, outer: Element | null): boolean => {
      let at = one;
      while (at !== null && at !== outer) at = up(at);
      return at !== null;
    };
    const focusedElement = (): Element | null => {
      let element = document.activeElement;
      while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
      return element;
    };
    const ringOf = (one: Element): number => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
    };
    /** The center of the part that its scrolling containers show. */
    const centerOf = (one: Element): readonly [x: number, y: number] => {
      let { left, top, right, bottom } = one.getBoundingClientRect();
      const clip = (box: Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>): void => {
        [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
        [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
      };
      clip({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
      for (let outer = up(one); outer !== null; outer = up(outer))
        if (getComputedStyle(outer).overflowY !== 'visible') clip(outer.getBoundingClientRect());
      return [(left + right) / 2, (top + bottom) / 2];
    };
    const elementAt = (x: number, y: number): Element | null => {
      let hit = document.elementFromPoint(x, y);
      while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit)
        hit = hit.shadowRoot.elementFromPoint(x, y);
      return hit;
    };
    const element = focusedElement();
    if (element === null || element === document.body) return { description: '', ringWidth: 0, coveredBy: '', capturesTab: false };
    // The focus ring of an input may be around the box that also contains its prompt.
    const near = [element, up(element), up(up(element) ?? element)].filter((one) => one !== null);
    const hit = elementAt(...centerOf(element));
    const isCovered = !isWithin(hit, element) && !isWithin(element, hit);
    return {
      description: `${element.localName} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30) ?? ''}`,
      ringWidth: Math.max(...near.map(ringOf)),
      coveredBy: isCovered ? (hit?.localName ?? 'outside of the window') : '',
      capturesTab: element.classList.contains('cm-content'),
    };
  });
}

const isFocusHidden = ({ description, ringWidth, coveredBy }: FocusStop): boolean =>
  description !== '' && (ringWidth < 2 || coveredBy !== '');

/** Retries while the focus is hidden: an element may still scroll into view, and an editor draws its focus later. */
async function readSettledFocusStop(page: Page): Promise<FocusStop> {
  let stop = await readFocusStop(page);
  for (let tries = 0; tries < 20 && isFocusHidden(stop); tries++) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    stop = await readFocusStop(page);
  }
  return stop;
}

test.each([
  ['1280×800', 1280, 800],
  ['360×640', 360, 640],
] as const)('A-1: every focused element has a visible focus ring and is not covered, %s', slow, async (_name, width, height) => {
  const page = await visitWithDeployment({ viewport: { width, height } });
  await forEachScreen(page, async (hash) => {
    const found: string[] = [];
    for (let tabs = 0; tabs < 25; tabs++) {
      await page.keyboard.press('Tab');
      const stop = await readSettledFocusStop(page);
      if (isFocusHidden(stop)) found.push(`${stop.description}: ring ${stop.ringWidth}, under ${stop.coveredBy || 'nothing'}`);
      if (stop.capturesTab) await page.keyboard.press('Escape');
    }
    expect(found, hash).toEqual([]);
  });
});

/** Returns controls below the minimum height, except links within text. */
function findSmallTargets(page: Page, least: number): Promise<string[]> {
  return page.locator('*').evaluateAll((elements: HTMLElement[], least) => {
    const controls = 'button, select, input:not([type=hidden]), summary, a.button, nav a, [role=tab]';
    // The label of a checkbox is part of its target.
    const sizeOf = (control: HTMLElement): { readonly width: number; readonly height: number } => {
      const { width, height } = (control.closest('label') ?? control).getBoundingClientRect();
      return { width, height };
    };
    return elements
      .filter((element) => element.matches(controls) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .map((element) => ({ element, ...sizeOf(element) }))
      .filter(({ width, height }) => width > 1 && height > 1 && (height < least - 0.5 || width < 24))
      .map(
        ({ element, width, height }) =>
          `${element.localName} ${element.className} ${element.textContent?.trim().slice(0, 20)} ${Math.round(width)}×${Math.round(height)}`,
      );
  }, least);
}

/** Draggable elements, by local name. */
function findDraggable(page: Page): Promise<string[]> {
  return page.locator('*').evaluateAll((elements: HTMLElement[]) =>
    elements.flatMap((element) => {
      const { cursor, resize } = getComputedStyle(element);
      const { localName } = element;
      const isSeparator = element.role === 'separator' && element.tabIndex === 0;
      return [
        ...(element.draggable && !element.matches('a, img') ? [localName] : []),
        ...(/resize|grab|move/.test(cursor) ? [isSeparator ? 'separator' : localName] : []),
        ...(localName === 'textarea' && resize !== 'none' ? [`textarea ${element.ariaLabel}`] : []),
      ];
    }),
  );
}

/** The live region of the page. An editor has its own. */
const liveRegion = '[aria-live=polite]:not(.cm-announced)';

/** Properties of a screen that several tests check. */
interface ScreenSurvey {
  readonly smallTargets: readonly string[];
  readonly draggable: readonly string[];
  readonly liveRegions: number;
  /** Number of elements of each landmark. */
  readonly landmarks: { readonly headings: number; readonly mains: number; readonly navigations: number };
}

async function surveyScreens(page: Page): Promise<ReadonlyMap<string, ScreenSurvey>> {
  const screens = new Map<string, ScreenSurvey>();
  await forEachScreen(page, async (hash) => {
    screens.set(hash, {
      smallTargets: await findSmallTargets(page, 24),
      draggable: await findDraggable(page),
      liveRegions: await page.locator(liveRegion).count(),
      landmarks: {
        headings: await page.getByRole('heading', { level: 1 }).count(),
        mains: await page.getByRole('main').count(),
        navigations: await page.getByRole('navigation', { name: 'Screens' }).count(),
      },
    });
  });
  return screens;
}

let surveyResult: Promise<ReadonlyMap<string, ScreenSurvey>> | undefined;

/** Surveys the screens once for all tests, since visiting them is slow. */
async function surveyOnce(): Promise<ReadonlyMap<string, ScreenSurvey>> {
  surveyResult ??= (async () => {
    const page = await visitWithDeployment();
    const screens = await surveyScreens(page);
    await page.close();
    return screens;
  })();
  return surveyResult;
}

test('A-2: controls are at least 24 pixels high, and 44 on touch screens', slow, async () => {
  for (const [hash, { smallTargets }] of await surveyOnce()) expect(smallTargets, hash).toEqual([]);
  const touched = await visitWithDeployment({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await forEachScreen(touched, async (hash) => expect(await findSmallTargets(touched, 44), hash).toEqual([]));
});

test('A-4, A-5: has no axe violations and shows the selection in forced colours and with more contrast', slow, async () => {
  for (const media of [{ forcedColors: 'active' }, { contrast: 'more' }] as const) {
    const page = await visitWithDeployment();
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    await runCommand(page, 'kubectl get pods nobody');
    await forEachScreen(page, async (hash) => {
      expect(await axeViolations(page), hash).toEqual([]);
      await takeScreenshot(page, `${Object.keys(media)[0]}-${hash.replace(/\W+/g, '-')}`);
    });
    await navigate(page, '#/access/can-i');
    const rings = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).outlineStyle));
    expect(rings).toEqual(media.forcedColors === undefined ? rings : ['solid', 'none', 'none', 'none']);
    await page.close();
  }
});

test('A-5: has no animations when reduced motion is preferred', async () => {
  const page = await visitWithDeployment({ reducedMotion: 'reduce' });
  await page.keyboard.type('sleep 60');
  await page.keyboard.press('Enter');
  const moving = (): Promise<number> => page.locator('.spinner').evaluate((spinner) => spinner.getAnimations().length);
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await moving()).toBe(1);
});

test('A-6: at 400 % zoom only code and tables scroll horizontally, and nothing overlaps the navigation', slow, async () => {
  const page = await visitWithDeployment({ viewport: { width: 320, height: 256 } });
  await forEachScreen(page, async (hash) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(320);
    const sideways = await page.locator('*').evaluateAll((elements) => {
      const scrolls = (element: Element): boolean =>
        element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX);
      const allowed = 'pre, textarea, [role=grid], .cm-scroller, [role=tablist], :has(> table), .scroller, tp-table, input';
      return elements
        .filter((element) => scrolls(element) && !element.matches(allowed))
        .map((element) => `${element.localName} ${element.className} ${element.scrollWidth} in ${element.clientWidth}`);
    });
    expect(sideways, hash).toEqual([]);
    expect(await findOverlaidNavigation(page), hash).toEqual([]);
  });
});

/** The entries of the navigation below the screen that content of the screen overlaps. */
function findOverlaidNavigation(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.querySelector('tp-app')?.shadowRoot;
    const entries = [...(root?.querySelectorAll<HTMLElement>('nav :is(a, button)') ?? [])].filter((entry) => entry.checkVisibility());
    const overlaid = entries.filter((entry) => {
      const { left, top, right, bottom } = entry.getBoundingClientRect();
      return [top + 4, (top + bottom) / 2, bottom - 4].some((y) => !root?.elementFromPoint((left + right) / 2, y)?.closest('nav'));
    });
    return entries.length === 0 ? ['no entries'] : overlaid.map((entry) => entry.textContent?.trim() ?? '');
  });
}

test('A-3: draggable elements can also be moved with keys and buttons', slow, async () => {
  for (const [hash, { draggable }] of await surveyOnce()) expect(draggable, hash).toEqual([]);
  const page = await visitWithDeployment();
  await navigate(page, '#/o/apps/v1/deployments/default');
  await page.keyboard.press('Control+`');
  const separator = page.getByRole('separator');
  await separator.focus();
  expect(await findDraggable(page)).toEqual(['separator']);
  const height = async (): Promise<number> => Number(await separator.getAttribute('aria-valuenow'));
  const before = await height();
  await page.keyboard.press('ArrowUp');
  expect(await height()).toBe(before + 5);
  await page.getByRole('button', { name: 'Higher' }).click();
  expect(await height()).toBe(before + 15);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Lower' }).press('Enter');
  expect(await height()).toBe(before + 5);
});

test('A-7: every screen has exactly one live region', slow, async () => {
  for (const [hash, { liveRegions }] of await surveyOnce()) expect(liveRegions, hash).toBe(1);
});

test('A-7: a key mutes announcements, also after a reload, and unmutes them', async () => {
  const page = await visitWithDeployment();
  const region = page.locator(liveRegion);
  const waitForAnnouncement = (text: string): Promise<void> => region.filter({ hasText: text }).waitFor({ state: 'attached' });
  await runCommand(page, 'echo once');
  await waitForAnnouncement('exit 0, 1 line');
  await page.keyboard.press('Alt+Shift+A');
  await waitForAnnouncement('announcements are off');
  await runCommand(page, 'false');
  await page.reload();
  await page.locator('tp-command-line textarea').waitFor();
  await runCommand(page, 'false');
  expect(await region.textContent()).toBe('');
  await page.keyboard.press('Alt+Shift+A');
  await waitForAnnouncement('announcements are on');
  await runCommand(page, 'false');
  await waitForAnnouncement('exit 1, 0 lines');
});

test('A-7: announces at most one message per second when messages arrive continuously', async () => {
  const page = await visitWithDeployment();
  const announcements = await page.evaluate(async () => {
    const app = document.querySelector('tp-app');
    const region = app?.shadowRoot?.querySelector('[aria-live=polite]');
    if (!app || !region) throw new Error('nothing announces');
    const observed: [string, number][] = [];
    new MutationObserver(() => observed.push([region.textContent ?? '', performance.now()])).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    const announce = (detail: string): void => void app.dispatchEvent(new CustomEvent('announce', { detail }));
    for (let count = 1; count <= 50; count++) announce(`${count} of 50`);
    while (observed.length < 2) await new Promise((resolve) => requestAnimationFrame(resolve));
    return observed;
  });
  // The first one immediately; the newest of the others after a second.
  expect(announcements.map(([text]) => text)).toEqual(['1 of 50', '50 of 50']);
});

test('A-8: every screen has its landmarks, one level-1 heading, and a skip link', slow, async () => {
  for (const [hash, { landmarks }] of await surveyOnce()) expect(landmarks, hash).toEqual({ headings: 1, mains: 1, navigations: 1 });
  const page = await visitWithDeployment({ hash: '#/settings' });
  await page.locator('tp-settings h2').waitFor();
  await page.keyboard.press('Tab');
  expect(await describeFocus(page)).toContain('skip');
  await page.keyboard.press('Enter');
  expect(await describeFocus(page)).toContain('main');
});

test('A-9: ? lists the single-letter shortcuts, and they can be switched off', async () => {
  const page = await visitWithDeployment({ hash: '#/o/apps/v1/deployments/default' });
  const grid = page.getByRole('grid');
  await page.getByRole('row').filter({ hasText: 'web' }).waitFor();
  await grid.focus();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog');
  for (const key of ['/', 'y', 'e', 'd', 'x', 'o', 'u', 'j', 'k', ':']) await dialog.locator('dt', { hasText: key }).first().waitFor();
  await dialog.getByRole('checkbox').first().uncheck();
  await page.keyboard.press('Escape');
  await grid.focus();
  await page.keyboard.press('j');
  expect(await page.locator('#active').count()).toBe(0);
  await page.keyboard.press('ArrowDown');
  expect(await page.locator('#active').count()).toBe(1);
});

test('A-10: shows errors at their field, with a text that identifies them', async () => {
  const page = await visitWithDeployment({ hash: '#/clusters' });
  const errorOf = (label: string): Promise<string> =>
    page.getByLabel(label, { exact: true }).evaluate((field) => {
      const description = (field.getRootNode() as ShadowRoot).getElementById(field.getAttribute('aria-describedby') ?? '');
      return `${field.getAttribute('aria-invalid')}: ${description?.textContent?.trim() ?? ''}`;
    });
  await page.locator('tp-clusters summary').click();
  await page.getByLabel('Audit policy').fill('kind: Policy\nrules: many');
  await page.getByRole('button', { name: 'Use this policy' }).click();
  await page.locator('tp-audit-settings .bad').waitFor();
  expect(await errorOf('Audit policy')).toMatch(/^true: .*polic/i);
  expect(await axeViolations(page)).toEqual([]);
  await navigate(page, '#/author');
  await page.locator('tp-author .check').first().waitFor();
  await writeLesson(page, '---\ntitle: Mine\n---\n## First {#first}\n```sh run nonsense\ntrue\n```\n');
  await page.getByRole('list', { name: 'Problems' }).waitFor();
  expect(await errorOf('Source')).toMatch(/^true: Line \d+: /);
  expect(await axeViolations(page)).toEqual([]);
});

test('A-11: only an exam has a time limit, and it can be extended', async () => {
  const page = await site.visit({ hash: '#/learn/control-plane/03-apply/2' });
  await page.locator('tp-lesson .check').first().waitFor();
  expect(await page.getByRole('timer').count()).toBe(0);
  await page.close();
  const left = async (allowance: string): Promise<number> => {
    const visit = await site.visit({ hash: '#/learn/control-plane/11-exam' });
    await visit.getByLabel('Time').selectOption(allowance);
    await visit.getByRole('button', { name: 'Start' }).click();
    await visit.locator('tp-exam h3').first().waitFor();
    const timer = visit.getByRole('timer');
    const minutes = (await timer.count()) === 0 ? Number.POSITIVE_INFINITY : Number.parseInt(await timer.innerText(), 10);
    await visit.close();
    return minutes;
  };
  // The exam takes 25 minutes; a few seconds may have passed.
  expect(await left('double')).toBeGreaterThan(25);
  expect(await left('no limit')).toBe(Number.POSITIVE_INFINITY);
});

test('A-12: the page and its lessons declare their language', async () => {
  const page = await visitWithDeployment({ hash: '#/learn/control-plane/01-objects', locale: 'de-DE' });
  await page.locator('tp-lesson .parts').waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  expect(await page.locator('tp-lesson .parts').getAttribute('lang')).toBe('de');
  // The reader selects the original for all lessons.
  await page.getByLabel('Sprache').selectOption('en');
  await navigate(page, '#/learn/control-plane/03-apply');
  await page.locator('tp-lesson .parts[lang=en]').waitFor();
});
