import { expect, test } from 'vitest';
import table from '../../test/facts/tables/time-cron-misc.json' with { type: 'json' };
import { compareVersionPriority } from './version-priority.ts';

test.each(table.CompareKubeAwareVersionStrings)('compares $a with $b', ({ a, b, cmp }) => {
  // In the library the more stable version is greater; sorted, it comes first. 0 and -0 are equal.
  expect(Math.sign(compareVersionPriority(a, b)) + 0).toBe(-Math.sign(cmp) + 0);
});
