import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { everyScreen } from './every-screen.ts';
import { deployment, deployments, focused, go, must, picture, runLine, violations } from './screens.ts';
import { useSite, type Visit } from './site.ts';

const site = useSite();
/** Each visits all screens. */
const patient = { timeout: 240_000 };

/** Somebody who has a Deployment, and goes through all screens. */
async function visitor(visit: Visit = {}): Promise<Page> {
  const page = await site.visit(visit);
  await must(page, { method: 'POST', target: deployments, body: deployment('web') });
  if (visit.hash === undefined) await page.locator('tp-command-line textarea').waitFor();
  return page;
}

async function onEveryScreen(page: Page, look: (hash: string) => Promise<void>): Promise<void> {
  for (const [hash, seen] of everyScreen) {
    await go(page, hash);
    await page.locator(seen).first().waitFor({ state: 'attached' });
    await look(hash);
  }
}

interface Stop {
  readonly what: string;
  /** The width of the ring round it, or round the box that it stands in. */
  readonly ring: number;
  /** What lies over its middle, if anything does. */
  readonly over: string;
  /** Whether Tab is handled by an editor, until Escape. */
  readonly keepsTab: boolean;
}

/** What the focus is on, how one sees it, and what hides it. */
function stop(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (element === null || element === document.body) return { what: '', ring: 0, over: '', keepsTab: false };
    const up = (one: Element): Element | null =>
      one.parentElement ?? ((one.getRootNode() as ShadowRoot).host as Element | undefined) ?? null;
    const ringOf = (one: Element): number => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
    };
    // A line to type in may have its ring round the box that has its prompt, too.
    const near = [element, up(element), up(up(element) ?? element)].filter((one) => one !== null);
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [x, y] = [(Math.max(0, left) + Math.min(innerWidth, right)) / 2, (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2];
    let hit = document.elementFromPoint(x, y);
    while (hit?.shadowRoot?.elementFromPoint(x, y) && hit.shadowRoot.elementFromPoint(x, y) !== hit)
      hit = hit.shadowRoot.elementFromPoint(x, y);
    let inside = hit;
    while (inside !== null && inside !== element) inside = up(inside);
    let around: Element | null = element;
    while (around !== null && around !== hit) around = up(around);
    const covered = inside === null && around === null;
    return {
      what: `${element.localName} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30) ?? ''}`,
      ring: Math.max(...near.map(ringOf)),
      over: covered ? (hit?.localName ?? 'outside of the window') : '',
      keepsTab: element.classList.contains('cm-content'),
    };
  });
}

const isHidden = ({ what, ring, over }: Stop): boolean => what !== '' && (ring < 2 || over !== '');

/** What scrolls into sight, and an editor that has just been told of its focus, are given a moment. */
async function settledStop(page: Page): Promise<Stop> {
  let seen = await stop(page);
  for (let tries = 0; tries < 20 && isHidden(seen); tries++) {
    await page.evaluate(() => new Promise(requestAnimationFrame));
    seen = await stop(page);
  }
  return seen;
}

test.each([
  ['1280×800', 1280, 800],
  ['360×640', 360, 640],
] as const)('A-1: whatever has the focus is seen by a ring, and nothing covers it, %s', patient, async (_name, width, height) => {
  const page = await visitor({ viewport: { width, height } });
  await onEveryScreen(page, async (hash) => {
    const found: string[] = [];
    for (let tabs = 0; tabs < 25; tabs++) {
      await page.keyboard.press('Tab');
      const seen = await settledStop(page);
      if (isHidden(seen)) found.push(`${seen.what}: ring ${seen.ring}, under ${seen.over || 'nothing'}`);
      if (seen.keepsTab) await page.keyboard.press('Escape');
    }
    expect(found, hash).toEqual([]);
  });
});

/** Smaller than a finger: what one presses, and is no word in a text. */
function smallTargets(page: Page, least: number): Promise<string[]> {
  return page.evaluate((least) => {
    const found: string[] = [];
    const visit = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        if (element.shadowRoot !== null) visit(element.shadowRoot);
        if (!element.matches('button, select, input:not([type=hidden]), summary, a.button, nav a, [role=tab]')) continue;
        // A tick box is as large as the words that belong to it.
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 1 && height > 1;
        if (shown && (height < least - 0.5 || width < 24))
          found.push(
            `${element.localName} ${element.className} ${element.textContent?.trim().slice(0, 20)} ${Math.round(width)}×${Math.round(height)}`,
          );
      }
    };
    visit(document);
    return found;
  }, least);
}

/** Draggable elements, by local name. */
function dragged(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const visit = (root: Document | ShadowRoot): void => {
      for (const element of root.querySelectorAll<HTMLElement>('*')) {
        if (element.shadowRoot !== null) visit(element.shadowRoot);
        const { cursor, resize } = getComputedStyle(element);
        if (element.draggable && !element.matches('a, img')) found.push(element.localName);
        if (/resize|grab|move/.test(cursor))
          found.push(element.role === 'separator' && element.tabIndex === 0 ? 'separator' : element.localName);
        if (element.localName === 'textarea' && resize !== 'none') found.push(`textarea ${element.ariaLabel}`);
      }
    };
    visit(document);
    return found;
  });
}

/** Where the page announces. An editor says by its own what concerns its text. */
const announced = '[aria-live=polite]:not(.cm-announced)';

/** Properties of a screen that several tests check. */
interface Surveyed {
  readonly smallTargets: readonly string[];
  readonly dragged: readonly string[];
  readonly announcers: number;
  /** Number of elements of each landmark. */
  readonly landmarks: { readonly headings: number; readonly mains: number; readonly navigations: number };
}

async function survey(page: Page): Promise<ReadonlyMap<string, Surveyed>> {
  const screens = new Map<string, Surveyed>();
  await onEveryScreen(page, async (hash) => {
    screens.set(hash, {
      smallTargets: await smallTargets(page, 24),
      dragged: await dragged(page),
      announcers: await page.locator(announced).count(),
      landmarks: {
        headings: await page.getByRole('heading', { level: 1 }).count(),
        mains: await page.getByRole('main').count(),
        navigations: await page.getByRole('navigation', { name: 'Screens' }).count(),
      },
    });
  });
  return screens;
}

let surveying: Promise<ReadonlyMap<string, Surveyed>> | undefined;

/** Computed once, since visiting all screens is slow. */
async function surveyed(): Promise<ReadonlyMap<string, Surveyed>> {
  surveying ??= (async () => {
    const page = await visitor();
    const screens = await survey(page);
    await page.close();
    return screens;
  })();
  return surveying;
}

test('A-2: what is pressed is at least 24 pixels high, and 44 for a finger', patient, async () => {
  for (const [hash, { smallTargets }] of await surveyed()) expect(smallTargets, hash).toEqual([]);
  const touched = await visitor({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await onEveryScreen(touched, async (hash) => expect(await smallTargets(touched, 44), hash).toEqual([]));
});

test('A-4, A-5: in forced colours and with more contrast axe finds nothing, and what is chosen still shows', patient, async () => {
  for (const media of [{ forcedColors: 'active' }, { contrast: 'more' }] as const) {
    const page = await visitor();
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    await runLine(page, 'kubectl get pods nobody');
    await onEveryScreen(page, async (hash) => {
      expect(await violations(page), hash).toEqual([]);
      await picture(page, `${Object.keys(media)[0]}-${hash.replace(/\W+/g, '-')}`);
    });
    await go(page, '#/access/can-i');
    const rings = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).outlineStyle));
    expect(rings).toEqual(media.forcedColors === undefined ? rings : ['solid', 'none', 'none', 'none']);
    await page.close();
  }
});

test('A-5: who wants no motion has none', async () => {
  const page = await visitor({ reducedMotion: 'reduce' });
  await page.keyboard.type('sleep 60');
  await page.keyboard.press('Enter');
  const moving = (): Promise<number> => page.locator('.spinner').evaluate((spinner) => spinner.getAnimations().length);
  expect(await moving()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await moving()).toBe(1);
});

test('A-6: at 400 % nothing but code and tables scrolls sideways, on any screen', patient, async () => {
  const page = await visitor({ viewport: { width: 320, height: 256 } });
  await onEveryScreen(page, async (hash) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth), hash).toBeLessThanOrEqual(320);
    const sideways = await page.evaluate(() => {
      const found: string[] = [];
      const visit = (root: Document | ShadowRoot): void => {
        for (const element of root.querySelectorAll<HTMLElement>('*')) {
          if (element.shadowRoot !== null) visit(element.shadowRoot);
          const scrolls = element.scrollWidth > element.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(element).overflowX);
          const allowed = element.matches(
            'pre, textarea, [role=grid], .cm-scroller, [role=tablist], :has(> table), .scroller, tp-table, input',
          );
          if (scrolls && !allowed) found.push(`${element.localName} ${element.className} ${element.scrollWidth} in ${element.clientWidth}`);
        }
      };
      visit(document);
      return found;
    });
    expect(sideways, hash).toEqual([]);
  });
});

test('A-3: what is dragged can be moved by keys and by buttons, too', patient, async () => {
  for (const [hash, { dragged }] of await surveyed()) expect(dragged, hash).toEqual([]);
  const page = await visitor();
  await go(page, '#/o/apps/v1/deployments/default');
  await page.keyboard.press('Control+`');
  const separator = page.getByRole('separator');
  await separator.focus();
  expect(await dragged(page)).toEqual(['separator']);
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

test('A-7: every screen has the one place that announces', patient, async () => {
  for (const [hash, { announcers }] of await surveyed()) expect(announcers, hash).toBe(1);
});

test('A-7: a key mutes what is announced, also after a reload, and lets it be heard again', async () => {
  const page = await visitor();
  const told = page.locator(announced);
  const says = (text: string): Promise<void> => told.filter({ hasText: text }).waitFor({ state: 'attached' });
  await runLine(page, 'echo once');
  await says('exit 0, 1 line');
  await page.keyboard.press('Alt+Shift+A');
  await says('announcements are off');
  await runLine(page, 'false');
  await page.reload();
  await page.locator('tp-command-line textarea').waitFor();
  await runLine(page, 'false');
  expect(await told.textContent()).toBe('');
  await page.keyboard.press('Alt+Shift+A');
  await says('announcements are on');
  await runLine(page, 'false');
  await says('exit 1, 0 lines');
});

test('A-7: of what changes all the time one thing a second is said at most', async () => {
  const page = await visitor();
  const said = await page.evaluate(async () => {
    const app = document.querySelector('tp-app');
    const region = app?.shadowRoot?.querySelector('[aria-live=polite]');
    if (!app || !region) throw new Error('nothing announces');
    const heard: [string, number][] = [];
    new MutationObserver(() => heard.push([region.textContent ?? '', performance.now()])).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    const tell = (detail: string): void => void app.dispatchEvent(new CustomEvent('announce', { detail }));
    for (let count = 1; count <= 50; count++) tell(`${count} of 50`);
    while (heard.length < 2) await new Promise((resolve) => requestAnimationFrame(resolve));
    return heard;
  });
  // The first at once; of the others the newest, when a second has gone.
  expect(said.map(([text]) => text)).toEqual(['1 of 50', '50 of 50']);
});

test('A-8: every screen has its landmarks, one first heading, and a way past the bars', patient, async () => {
  for (const [hash, { landmarks }] of await surveyed()) expect(landmarks, hash).toEqual({ headings: 1, mains: 1, navigations: 1 });
  const page = await visitor({ hash: '#/settings' });
  await page.locator('tp-settings h2').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toContain('skip');
  await page.keyboard.press('Enter');
  expect(await focused(page)).toContain('main');
});

test('A-9: keys of one letter are told by ?, and can be switched off', async () => {
  const page = await visitor({ hash: '#/o/apps/v1/deployments/default' });
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

test('A-10: what is wrong is told at its field, and in words that name it', async () => {
  const page = await visitor({ hash: '#/clusters' });
  const wrong = (label: string): Promise<string> =>
    page.getByLabel(label, { exact: true }).evaluate((field) => {
      const said = (field.getRootNode() as ShadowRoot).getElementById(field.getAttribute('aria-describedby') ?? '');
      return `${field.getAttribute('aria-invalid')}: ${said?.textContent?.trim() ?? ''}`;
    });
  await page.getByLabel('Audit policy').fill('kind: Policy\nrules: many');
  await page.getByRole('button', { name: 'Use this policy' }).click();
  await page.locator('tp-audit-settings .bad').waitFor();
  expect(await wrong('Audit policy')).toMatch(/^true: .*polic/i);
  expect(await violations(page)).toEqual([]);
  await go(page, '#/author');
  await page.locator('tp-author .check').first().waitFor();
  await page.getByLabel('Source').fill('---\ntitle: Mine\n---\n## First {#first}\n```sh run nonsense\ntrue\n```\n');
  await page.getByRole('list', { name: 'Problems' }).waitFor();
  expect(await wrong('Source')).toMatch(/^true: Line \d+: /);
  expect(await violations(page)).toEqual([]);
});

test('A-11: only an exam has a time, and who needs more of it takes more', async () => {
  const page = await site.visit({ hash: '#/learn/control-plane/03-apply/2' });
  await page.locator('tp-lesson .check').first().waitFor();
  expect(await page.getByRole('timer').count()).toBe(0);
  await page.close();
  const left = async (allowance: string): Promise<number> => {
    const visit = await site.visit({ hash: '#/learn/control-plane/11-exam' });
    visit.on('dialog', (dialog) => void dialog.accept());
    await visit.getByLabel('Time').selectOption(allowance);
    await visit.getByRole('button', { name: 'Start' }).click();
    await visit.locator('tp-exam h3').first().waitFor();
    const timer = visit.getByRole('timer');
    const minutes = (await timer.count()) === 0 ? Number.POSITIVE_INFINITY : Number.parseInt(await timer.innerText(), 10);
    await visit.close();
    return minutes;
  };
  // The exam is meant to take 25 minutes, of which a few seconds may have gone.
  expect(await left('double')).toBeGreaterThan(25);
  expect(await left('no limit')).toBe(Number.POSITIVE_INFINITY);
});

test('A-12: the page and its lessons say their language', async () => {
  const page = await visitor({ hash: '#/learn/control-plane/01-objects', locale: 'de-DE' });
  await page.locator('tp-lesson .parts').waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  expect(await page.locator('tp-lesson .parts').getAttribute('lang')).toBe('de');
  // This one is not translated.
  await go(page, '#/learn/control-plane/03-apply');
  await page.locator('tp-lesson .parts[lang=en]').waitFor();
});
