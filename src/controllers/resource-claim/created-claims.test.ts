import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import type { resourcev1 } from '../../schema/api/index.ts';
import { CreatedClaims } from './created-claims.ts';

const claimOf = (name: string, uid: string): resourcev1.ResourceClaim => {
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid, controller: true };
  return { metadata: { namespace: 'n', name, ownerReferences: [owner] } } as unknown as resourcev1.ResourceClaim;
};

test('finds the created claims of a pod for an hour, unless the store has them', async () => {
  const clock = createManualClock(0);
  const stored = new Set<string>();
  const created = new CreatedClaims({ get: (key) => (stored.has(key) ? claimOf('a', 'u') : undefined) }, clock);
  created.add(claimOf('a', 'u'));
  created.add(claimOf('b', 'other'));
  const names = (): readonly unknown[] => created.ownedBy('u').map(({ metadata }) => metadata.name);
  expect(names()).toEqual(['a']);
  stored.add('n/a');
  expect(names()).toEqual([]);
  stored.clear();
  await clock.advance(3_599_999);
  expect(names()).toEqual(['a']);
  await clock.advance(1);
  expect(names()).toEqual([]);
});

test('stores the last hundred', () => {
  const created = new CreatedClaims({ get: () => undefined }, createManualClock(0));
  for (let index = 0; index < 101; index++) created.add(claimOf(`c${index}`, 'u'));
  expect(created.ownedBy('u').map(({ metadata }) => metadata.name)).toEqual(Array.from({ length: 100 }, (_, index) => `c${index + 1}`));
});
