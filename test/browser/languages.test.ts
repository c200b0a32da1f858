import { expect, test } from 'vitest';
import { go, runLine } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

test('a language is chosen in the settings, spoken from then on, and English is chosen again', async () => {
  const page = await site.visit({ hash: '#/settings' });
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await go(page, '#/console');
  // What kubectl says is the same in all languages.
  expect(await runLine(page, 'kubectl get ns default -o name')).toBe('namespace/default\n');
  await go(page, '#/requests');
  await page.getByRole('heading', { name: 'Anfragen' }).waitFor();
  await go(page, '#/settings');
  await page.getByRole('radio', { name: 'English' }).check();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
});

test('who comes with a browser in German is spoken to in German', async () => {
  const page = await site.visit({ hash: '#/learn', locale: 'de-DE' });
  await page.getByRole('link', { name: 'Lernen' }).first().waitFor();
  await page.getByRole('heading', { name: 'Ihr Fortschritt' }).waitFor();
});
