import { expect, test } from 'vitest';
import { repackSubsets } from './repack-subsets.ts';
import { truncateSubsets } from './truncate-subsets.ts';

const udp = { name: 'd', port: 53, protocol: 'UDP' };
const sctp = { name: 's', port: 54, protocol: 'SCTP' };

test('addresses with the same ports share a subset, with ports in the order of the real controller', () => {
  const both = ['10.0.0.2', '10.0.0.1'].flatMap((ip) => [udp, sctp].map((port) => ({ address: { ip }, port, isReady: ip === '10.0.0.1' })));
  const subsets = repackSubsets([...both, { address: { ip: '10.0.0.3' }, port: udp, isReady: true }]);
  expect(subsets).toHaveLength(2);
  expect(subsets.map(({ ports }) => ports)).toEqual([[sctp], [udp]]);
  expect(repackSubsets(both)).toEqual([{ addresses: [{ ip: '10.0.0.1' }], notReadyAddresses: [{ ip: '10.0.0.2' }], ports: [sctp, udp] }]);
});

test('addresses without ports are a subset without ports', () => {
  expect(repackSubsets([{ address: { ip: '10.0.0.1' }, port: undefined, isReady: true }])).toEqual([{ addresses: [{ ip: '10.0.0.1' }] }]);
});

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ip: `10.0.${Math.floor(index / 256)}.${index % 256}` }));

test.each([
  [[1000], [0], undefined],
  [[900], [200], [[900, 100]]],
  [[1500], [10], [[1000, 0]]],
  [
    [600, 600],
    [5, 5],
    [
      [500, 0],
      [500, 0],
    ],
  ],
])('truncates %j ready and %j not ready addresses', (ready, notReady, expected) => {
  const subsets = ready.map((count, index) => ({ addresses: addresses(count), notReadyAddresses: addresses(notReady[index] ?? 0) }));
  const truncated = truncateSubsets(subsets);
  expect(truncated?.map((subset) => [subset.addresses?.length ?? 0, subset.notReadyAddresses?.length ?? 0])).toEqual(expected);
});
