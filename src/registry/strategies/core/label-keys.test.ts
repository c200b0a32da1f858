import { expect, test } from 'vitest';
import { createFeatureGates, type JsonObject } from '../../../meta/index.ts';
import { withMergedLabelKeys } from './label-keys.ts';

const labels = { app: 'web', zone: 'a' };
const selector = { matchLabels: { x: 'y' } };
const merged = (spec: JsonObject, setting = ''): JsonObject => withMergedLabelKeys(spec, labels, createFeatureGates(setting));

test("merges a pod's label values into the selectors with their keys", () => {
  const term = { topologyKey: 'k', labelSelector: selector, matchLabelKeys: ['app', 'none'], mismatchLabelKeys: ['zone'] };
  const wanted = {
    labelSelector: {
      ...selector,
      matchExpressions: [
        { key: 'app', operator: 'In', values: ['web'] },
        { key: 'zone', operator: 'NotIn', values: ['a'] },
      ],
    },
  };
  expect(
    merged({
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term }] },
      },
    }),
  ).toMatchObject({
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [wanted] },
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: wanted }] },
    },
  });
});

test('merges keys of spread constraints only with the feature enabled and a label selector', () => {
  const spec = { topologySpreadConstraints: [{ matchLabelKeys: ['app'], labelSelector: {} }, { matchLabelKeys: ['app'] }] };
  expect(merged(spec)['topologySpreadConstraints']).toEqual([
    { matchLabelKeys: ['app'], labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['web'] }] } },
    { matchLabelKeys: ['app'] },
  ]);
  expect(merged(spec, 'MatchLabelKeysInPodTopologySpreadSelectorMerge=false')).toBe(spec);
});
