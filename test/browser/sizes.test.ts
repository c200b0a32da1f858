import { expect, test } from 'vitest';
import { pageSizes } from '../bench/sizes.mjs';

test('the first load is at most 60 kB of JavaScript, and 10 kB of html and css', () => {
  const { scripts, scriptFiles, htmlAndCss } = pageSizes();
  // None counted would be small, too.
  expect(scriptFiles).toBeGreaterThan(1);
  expect(scripts).toBeLessThanOrEqual(60_000);
  expect(htmlAndCss).toBeLessThanOrEqual(10_000);
});

test('what reads lessons of others is at most 25 kB, and comes with the first of them', () => {
  const { lessonReader, scripts } = pageSizes();
  expect(lessonReader).toBeGreaterThan(10_000);
  expect(lessonReader).toBeLessThanOrEqual(25_000);
  expect(scripts).toBeLessThanOrEqual(60_000);
});

test('the editor is at most 185 kB, and all screens opened once are at most 300 kB', () => {
  const { editor, screens } = pageSizes();
  // The editor is there, and is one of the screens' files.
  expect(editor).toBeGreaterThan(50_000);
  expect(editor).toBeLessThanOrEqual(185_000);
  expect(screens).toBeGreaterThan(editor);
  expect(screens).toBeLessThanOrEqual(300_000);
});
