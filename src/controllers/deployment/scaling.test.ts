import { expect, test } from 'vitest';
import { deploymentWith, setWith, template } from './deployment.test-support.ts';
import { equalIgnoringHash, findActiveOrLatest, findNewSet } from './replica-set-order.ts';
import { maxSurge, maxUnavailable, newSetReplicas } from './replicas.ts';
import { maxScaledDown, proportionalSizes, type SetSize, scaledDownSizes, unhealthySizes } from './scaling.ts';
import { surplusOfHistory } from './sync-deployment.ts';

const rolling = (surge: number | string, unavailable: number | string, replicas = 10) =>
  deploymentWith({
    replicas,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
  });
const recreating = deploymentWith({ replicas: 10, strategy: { type: 'Recreate' } });
const sizes = (found: readonly SetSize[]): Readonly<Record<string, number>> =>
  Object.fromEntries(found.map(({ set, replicas }) => [set.metadata.name, replicas]));

test.each([
  [rolling('25%', '25%'), 3, 2],
  [rolling('25%', '25%', 1), 1, 0],
  [rolling(0, 0), 0, 1],
  [rolling('0%', '1%'), 0, 1],
  [rolling(0, 20), 0, 10],
  [rolling(1, 1, 0), 1, 0],
  [recreating, 0, 0],
])('surge and unavailable pods: %#', (deployment, surge, unavailable) => {
  expect([maxSurge(deployment), maxUnavailable(deployment)]).toEqual([surge, unavailable]);
});

test.each([
  ['as far as the surge allows', rolling(3, 2), 0, [setWith('a', 10)], 3],
  ['up to the desired replicas', rolling(3, 2), 8, [setWith('a', 0)], 10],
  ['not when there are too many pods', rolling(3, 2), 4, [setWith('a', 10)], 4],
  ['to all replicas when pods are recreated', recreating, 0, [setWith('a', 10)], 10],
])('scales the new set up %s', (_, deployment, current, others, expected) => {
  expect(newSetReplicas(deployment, current, others)).toBe(expected);
});

test('scales old sets down: unavailable pods first, then down to the minimum', () => {
  const deployment = rolling(3, 2);
  const [oldest, older, newSet] = [
    setWith('oldest', 4),
    setWith('older', 6, { availableReplicas: 3 }),
    setWith('new', 3, { availableReplicas: 1 }),
  ];
  expect(maxScaledDown(deployment, newSet, [oldest, older])).toBe(3);
  expect(sizes(unhealthySizes([oldest, older], 2).sizes)).toEqual({ older: 4 });
  expect(sizes(unhealthySizes([oldest, older], 5).sizes)).toEqual({ older: 3 });
  expect(sizes(scaledDownSizes(rolling(3, 5), newSet, [oldest, older]))).toEqual({ oldest: 1 });
  expect(sizes(scaledDownSizes(rolling(3, 8), newSet, [oldest, older]))).toEqual({ oldest: 0, older: 4 });
  expect(scaledDownSizes(deployment, newSet, [oldest, older])).toEqual([]);
});

test('does not count on a status from before a set was scaled down', () => {
  const unavailable = setWith('unavailable', 2, { availableReplicas: 1 });
  const scaledDown = setWith('scaled-down', 2, { availableReplicas: 3 });
  const { sizes: decided, isOutdated } = unhealthySizes([unavailable, scaledDown], 5);
  expect([sizes(decided), isOutdated]).toEqual([{ unavailable: 1 }, true]);
  expect(unhealthySizes([unavailable, scaledDown], 1).isOutdated).toBe(false);
  expect(unhealthySizes([setWith('empty', 0, { availableReplicas: 3 })], 1)).toEqual({ sizes: [], isOutdated: false });
});

test.each([
  ['up, with the rest to the larger set', 15, { a: 8, b: 5 }, 13, { a: 11, b: 7 }],
  ['down', 5, { a: 8, b: 5 }, 13, { a: 5, b: 3 }],
  ['to zero', 0, { a: 8, b: 5 }, 13, { a: 0, b: 0 }],
  ['with the rest to the newer of equal sets', 11, { a: 5, b: 5 }, 13, { a: 5, b: 9 }],
  ['without a change', 10, { a: 8, b: 5 }, 13, { a: 8, b: 5 }],
  ['without the annotation', 15, { a: 8, b: 5 }, undefined, { a: 11, b: 7 }],
])('scales in proportion %s', (_, replicas, before, maxBefore, expected) => {
  const created = { a: '2026-01-01T00:00:00Z', b: '2026-01-01T00:00:01Z' };
  const sets = (['a', 'b'] as const).map((name) => setWith(name, before[name], {}, { creationTimestamp: created[name] }));
  const deployment = { ...rolling(3, 2, replicas), status: { replicas: 13 } };
  expect(sizes(proportionalSizes(deployment, [...sets, setWith('empty', 0)], () => maxBefore))).toEqual(expected);
});

test('finds the oldest set with the template of the deployment', () => {
  const ofHash = (hash: string) => ({ template: template('nginx', { app: 'web', 'pod-template-hash': hash }) });
  const set = (name: string, second: string, image = 'nginx') => {
    const { spec, ...others } = setWith(name, 1, {}, { creationTimestamp: `2026-01-01T00:00:${second}Z` });
    return { ...others, spec: { ...spec, ...(image === 'nginx' ? ofHash(name) : { template: template(image) }) } };
  };
  const sets = [set('newer', '02'), set('older', '01'), set('other', '00', 'busybox')];
  expect(findNewSet(deploymentWith(), sets)?.metadata.name).toBe('older');
  expect(findNewSet(deploymentWith({ template: template('httpd') }), sets)).toBeUndefined();
  expect(
    equalIgnoringHash(
      { metadata: { labels: { 'pod-template-hash': 'a' } }, spec: { containers: [] } },
      { metadata: {}, spec: { containers: [] } },
    ),
  ).toBe(true);
});

test.each([
  ['the only active set', setWith('new', 0), [setWith('a', 1), setWith('b', 0)], 'a'],
  ['no set when several are active', setWith('new', 1), [setWith('a', 1)], undefined],
  ['the new set when none is active', setWith('new', 0), [setWith('a', 0)], 'new'],
  ['the latest set when none is active or new', undefined, [setWith('a', 0), setWith('b', 0)], 'b'],
])('scales %s', (_, newSet, oldSets, expected) => {
  expect(findActiveOrLatest(newSet, oldSets)?.metadata.name).toBe(expected);
});

test.each([
  ['no limit', undefined, []],
  ['the largest limit', 2 ** 31 - 1, []],
  ['2', 2, ['a']],
  ['1: a set with pods stays', 1, ['a']],
  ['0', 0, ['a', 'c']],
])('cleans the history up: %s', (_, revisionHistoryLimit, expected) => {
  const sets = [
    setWith('c', 0),
    setWith('b', 0, { replicas: 1 }),
    setWith('a', 0),
    setWith('deleted', 0, {}, { deletionTimestamp: 'now' }),
  ];
  const revision = ({ metadata }: (typeof sets)[number]): bigint => BigInt(' abc'.indexOf(metadata.name ?? ''));
  const deployment = deploymentWith(revisionHistoryLimit === undefined ? {} : { revisionHistoryLimit });
  expect(surplusOfHistory(deployment, sets, revision).map(({ metadata }) => metadata.name)).toEqual(expected);
});
