import { expect, test } from 'vitest';
import { parseCidr } from '../../meta/index.ts';
import { CidrSet } from './cidr-set.ts';

test('allocates ranges in turn, without those in use', () => {
  const base = parseCidr('10.0.0.0/22');
  if (!base) throw new Error('no range');
  const set = new CidrSet(base, 24);
  set.occupy('10.0.1.0/24');
  expect([set.allocate(), set.allocate(), set.allocate(), set.allocate()]).toEqual([
    '10.0.0.0/24',
    '10.0.2.0/24',
    '10.0.3.0/24',
    undefined,
  ]);
  set.release('10.0.1.0/24');
  expect(set.allocate()).toBe('10.0.1.0/24');
});
