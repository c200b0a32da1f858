import { createFeatureGates, productByName } from '../../meta/index.ts';
import type { StrategyContext } from '../strategy.ts';

/** Of a write by user a, in a cluster where chance always draws the first. */
export const context: StrategyContext = {
  now: '2026-01-01T00:00:00Z',
  random: { integer: () => 0, uuid: () => '' },
  product: productByName('kubernetes'),
  gates: createFeatureGates(),
  dryRun: false,
  requester: { username: 'a', uid: '', groups: [], extra: {} },
  subresource: '',
};
