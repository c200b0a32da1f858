import { expect, test } from 'vitest';
import { pageSizes } from '../bench/sizes.mjs';

test('the first load is at most 60 kB of JavaScript, and 10 kB of html and css', () => {
  const { scripts, scriptFiles, htmlAndCss } = pageSizes();
  // None counted would be small, too.
  expect(scriptFiles).toBeGreaterThan(1);
  expect(scripts).toBeLessThanOrEqual(60_000);
  expect(htmlAndCss).toBeLessThanOrEqual(10_000);
});
