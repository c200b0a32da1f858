import { expect, test } from 'vitest';
import type { PolicyRule } from './policy.ts';
import { findUncoveredRules } from './rule-coverage.ts';

const rule = (part: Partial<PolicyRule>): PolicyRule => ({
  verbs: ['get'],
  apiGroups: [''],
  resources: ['pods'],
  resourceNames: [],
  nonResourceURLs: [],
  ...part,
});
const names = (prefix: string): readonly string[] => Array.from({ length: 1_000 }, (_, index) => `${prefix}${index}`);

test('a rule covers a right by its group or star, and its resource, subresource or star', () => {
  const wanted = rule({ apiGroups: ['apps'], resources: ['deployments/scale'] });
  const covering = [{ resources: ['*'] }, { resources: ['deployments/scale'] }, { resources: ['*/scale'] }];
  for (const part of covering)
    for (const group of ['apps', '*']) expect(findUncoveredRules([rule({ ...part, apiGroups: [group] })], [wanted])).toEqual([]);
  expect(findUncoveredRules([rule({ apiGroups: ['apps'], resources: ['deployments'] })], [wanted])).toEqual([wanted]);
});

test('does not split a rule of a million rights', () => {
  const wanted = rule({ apiGroups: names('g'), resources: names('r'), verbs: names('v'), resourceNames: names('n') });
  expect(findUncoveredRules([rule({})], [wanted])).toEqual([wanted]);
  expect(findUncoveredRules([rule({ apiGroups: ['*'], resources: ['*'], verbs: ['*'] })], [wanted])).toEqual([]);
});
