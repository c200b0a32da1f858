import { expect, test } from 'vitest';
import { defaultPlugins } from '../plugins/index.ts';
import { testHandle } from '../plugins/test-handle.test-support.ts';
import { testCache } from '../testing.test-support.ts';
import type { SchedulerProfile } from './configuration.ts';
import { type KnownPlugins, resolveProfile } from './resolve-profile.ts';

const known: KnownPlugins = {
  Sort: { points: ['queueSort'] },
  Fit: { points: ['filter', 'score'], weight: 1 },
  Taints: { points: ['filter', 'score'], weight: 3 },
  Bind: { points: ['bind'] },
};

const resolve = (plugins: SchedulerProfile['plugins'] = {}, pluginConfig: SchedulerProfile['pluginConfig'] = []) => {
  const { byPoint, weights } = resolveProfile({ plugins, pluginConfig }, known);
  return { filter: byPoint.filter, score: byPoint.score, weights: Object.fromEntries(weights) };
};
const both = ['Fit', 'Taints'];
const byDefault = { filter: both, score: both, weights: { Fit: 1, Taints: 3 } };

const [enabled, disabled] = [
  (...names: readonly string[]) => ({ enabled: names.map((name) => ({ name })) }),
  (...names: readonly string[]) => ({ disabled: names.map((name) => ({ name })) }),
];

test.each<[string, SchedulerProfile['plugins'], object]>([
  ['the defaults', {}, byDefault],
  ['a point without one plugin', { score: disabled('Fit') }, { ...byDefault, score: ['Taints'] }],
  ['a point without any', { score: disabled('*') }, { ...byDefault, score: [] }],
  ['a weight', { score: { enabled: [{ name: 'Fit', weight: 5 }] } }, { ...byDefault, weights: { Fit: 5, Taints: 3 } }],
  [
    'a weight is 1 where it is not given',
    { score: enabled('Taints') },
    { ...byDefault, score: ['Taints', 'Fit'], weights: { Taints: 1, Fit: 1 } },
  ],
  ['multiPoint without one', { multiPoint: disabled('Fit') }, { filter: ['Taints'], score: ['Taints'], weights: { Taints: 3 } }],
  ['multiPoint with a weight', { multiPoint: { enabled: [{ name: 'Fit', weight: 7 }] } }, { ...byDefault, weights: { Fit: 7, Taints: 3 } }],
  [
    'other defaults in another order',
    { multiPoint: { ...disabled('*'), ...enabled('Taints', 'Sort', 'Bind', 'Fit') } },
    { filter: ['Taints', 'Fit'], score: ['Taints', 'Fit'], weights: { Taints: 1, Fit: 1 } },
  ],
  ['the order of a point comes first', { filter: enabled('Taints') }, { ...byDefault, filter: ['Taints', 'Fit'] }],
  [
    'a plugin at one point only',
    { multiPoint: disabled('Taints'), filter: enabled('Taints') },
    { filter: ['Fit', 'Taints'], score: ['Fit'], weights: { Fit: 1 } },
  ],
])('resolves %s', (_, plugins, expected) => {
  expect(resolve(plugins)).toEqual(expected);
});

test.each<[SchedulerProfile['plugins'], string]>([
  [{ filter: enabled('Other') }, 'FilterPlugin "Other" does not exist'],
  [{ multiPoint: enabled('Other') }, 'PreFilterPlugin "Other" does not exist'],
  [{ bind: enabled('Fit') }, 'plugin "Fit" does not extend BindPlugin plugin'],
  [{ filter: enabled('Fit', 'Fit') }, 'plugin "Fit" already registered as "FilterPlugin"'],
  [{ queueSort: disabled('*') }, 'only one queue sort plugin required for profile with scheduler name "default-scheduler", but got 0'],
  [{ bind: disabled('Bind') }, 'at least one bind plugin is needed for profile with scheduler name "default-scheduler"'],
])('refuses %j', (plugins, message) => {
  expect(() => resolve(plugins)).toThrow(message);
});

test('refuses arguments that are given twice', () => {
  expect(() => resolve({}, [{ name: 'Fit' }, { name: 'Fit' }])).toThrow('repeated config for plugin Fit');
});

test('the listed extension points of each plugin include those it implements', () => {
  const handle = testHandle(testCache([]));
  for (const [name, { create, points }] of Object.entries(defaultPlugins)) {
    const methods = Object.keys(create(handle, undefined)).filter(
      (method) => !['name', 'events', 'addPod', 'removePod', 'normalizeScore', 'unreserve'].includes(method),
    );
    const implemented = methods.map((method) => (method === 'less' ? 'queueSort' : method));
    expect([name, implemented.filter((point) => !points.some((one) => one === point))]).toEqual([name, []]);
  }
});
