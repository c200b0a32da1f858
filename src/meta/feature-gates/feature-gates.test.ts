import { expect, test } from 'vitest';
import facts from '../../../test/facts/server/feature-gates.json' with { type: 'json' };
import { createFeatureGates } from './feature-gates.ts';

test('without a setting every gate is as the real server has it', () => {
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
])('%s is refused', (setting, message) => {
  expect(() => createFeatureGates(setting)).toThrow(message);
});

test('the last of several settings counts, of this component or of none, and spaces do not', () => {
  expect(createFeatureGates('WatchList=false, WatchList = T').enabled('WatchList')).toBe(true);
  expect(createFeatureGates('kube:WatchList=0,').enabled('WatchList')).toBe(false);
  expect(createFeatureGates('SidecarContainers=true').enabled('SidecarContainers')).toBe(true);
});

test('a whole stage is set save what is named itself', () => {
  const gates = createFeatureGates('AllAlpha=true,CBORServingAndStorage=false');
  expect([gates.enabled('APIServingWithRoutine'), gates.enabled('CBORServingAndStorage'), gates.enabled('AllBeta')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(createFeatureGates('AllBeta=false').enabled('WatchList')).toBe(false);
});

test('asking for a gate that is none is a bug', () => {
  expect(() => createFeatureGates().enabled('Nope')).toThrow('there is no feature gate Nope');
});

test('a gate that will be removed is warned of in the words of the real server', () => {
  expect(createFeatureGates('SidecarContainers=true,AllowDNSOnlyNodeCSR=true,WatchList=false').warnings).toEqual([
    'Setting GA feature gate SidecarContainers=true. It will be removed in a future release.',
    'Setting deprecated feature gate AllowDNSOnlyNodeCSR=true. It will be removed in a future release.',
  ]);
});
