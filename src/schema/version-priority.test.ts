import { expect, test } from 'vitest';
import table from '../../test/facts/tables/time-cron-misc.json' with { type: 'json' };
import { byPriority } from './version-priority.ts';

test.each(table.CompareKubeAwareVersionStrings)('$a beside $b', ({ a, b, cmp }) => {
  // The library calls the more settled one greater; sorted, it comes first. Both zeros are one.
  expect(Math.sign(byPriority(a, b)) + 0).toBe(-Math.sign(cmp) + 0);
});
