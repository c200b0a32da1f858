import { createFeatureGates, productByName } from '../../meta/index.ts';
import type { StrategyContext } from '../strategy.ts';

/** The context of a write by user `a`, with a random source that always returns 0. */
export const context: StrategyContext = {
  now: '2026-01-01T00:00:00Z',
  random: { integer: () => 0, uuid: () => '' },
  product: productByName('kubernetes'),
  gates: createFeatureGates(),
  dryRun: false,
  requester: { username: 'a', uid: '', groups: [], extra: {} },
  subresource: '',
};
