import { expect, test } from 'vitest';
import { navigate, runCommand } from './screens.ts';
import { useSite } from './site.ts';

const site = useSite();

test('switches the language in the settings, and back to English', async () => {
  const page = await site.visit({ hash: '#/settings' });
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await navigate(page, '#/console');
  // The output of kubectl is not translated.
  expect(await runCommand(page, 'kubectl get ns default -o name')).toBe('namespace/default\n');
  await navigate(page, '#/requests');
  await page.getByRole('heading', { name: 'Anfragen' }).waitFor();
  await navigate(page, '#/settings');
  await page.getByRole('radio', { name: 'English' }).check();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
});

test('uses German when the browser prefers it', async () => {
  const page = await site.visit({ hash: '#/learn', locale: 'de-DE' });
  await page.getByRole('link', { name: 'Lernen' }).first().waitFor();
  await page.getByRole('heading', { name: 'Ihr Fortschritt' }).waitFor();
});
