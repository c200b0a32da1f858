import { expect, test } from 'vitest';
import facts from '../../../test/facts/server/feature-gates.json' with { type: 'json' };
import { createFeatureGates } from './feature-gates.ts';

test('without a setting every gate has the default of the real server', () => {
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  expect(createFeatureGates().all()).toEqual([...facts].sort(byName));
});

test.each([
  ['NoSuchGate=true', 'unrecognized feature gate: NoSuchGate'],
  ['APIResponseCompression', 'missing bool value for APIResponseCompression'],
  ['WatchList=maybe', 'invalid value of WatchList=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax'],
  ['foo:WatchList=true', 'component not registered: foo'],
  [
    'WatchList=true,kube:CBORServingAndStorage=true',
    'set kube feature gates with default empty prefix or kube: prefix consistently, do not mix use',
  ],
  [
    'SidecarContainers=false,NodeSwap=false',
    '[cannot set feature gate SidecarContainers to false, feature is locked to true, cannot set feature gate NodeSwap to false, feature is locked to true]',
  ],
  ['AllowServiceLBStatusOnNonLB=true', 'cannot set feature gate AllowServiceLBStatusOnNonLB to true, feature is locked to false'],
])('rejects %s', (setting, message) => {
  expect(() => createFeatureGates(setting)).toThrow(message);
});

test('the last setting of this component or without a component wins, and spaces are ignored', () => {
  expect(createFeatureGates('WatchList=false, WatchList = T').enabled('WatchList')).toBe(true);
  expect(createFeatureGates('kube:WatchList=0,').enabled('WatchList')).toBe(false);
  expect(createFeatureGates('SidecarContainers=true').enabled('SidecarContainers')).toBe(true);
});

test('AllAlpha and AllBeta set a stage except for gates named individually', () => {
  const gates = createFeatureGates('AllAlpha=true,CBORServingAndStorage=false');
  expect([gates.enabled('APIServingWithRoutine'), gates.enabled('CBORServingAndStorage'), gates.enabled('AllBeta')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(createFeatureGates('AllBeta=false').enabled('WatchList')).toBe(false);
});

test('throws for an unknown gate name', () => {
  expect(() => createFeatureGates().enabled('Nope')).toThrow('there is no feature gate Nope');
});

test('warns about a gate that will be removed', () => {
  expect(createFeatureGates('SidecarContainers=true,AllowDNSOnlyNodeCSR=true,WatchList=false').warnings).toEqual([
    'Setting GA feature gate SidecarContainers=true. It will be removed in a future release.',
    'Setting deprecated feature gate AllowDNSOnlyNodeCSR=true. It will be removed in a future release.',
  ]);
});
