import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { defaultConfig, emptyConfig, mergeConfigs, mergeSpecs } from './transformer-config.ts';

const path = 'spec/image';

test('a spec is left out where a known one has its path and selects no more', () => {
  const known = [{ kind: 'Thing', path }];
  expect(mergeSpecs(known, [{ path }, { kind: 'Other', path }, { kind: 'Thing', path }])).toEqual([...known, { kind: 'Other', path }]);
});

test('specs that differ in whether they create fields are a conflict, which names the member', () => {
  const [one, other] = [true, false].map((create) => ({ ...emptyConfig, images: [{ path, create }] }));
  expect(() => mergeConfigs(one ?? emptyConfig, other ?? emptyConfig)).toThrow('failed to merge Images fieldSpec: conflicting fieldspecs');
});

test('specs are sorted by kind, as resources are', () => {
  const merged = mergeConfigs(emptyConfig, defaultConfig(productByName('kubernetes')));
  expect(merged.replicas.map(({ kind }) => kind)).toEqual(['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController']);
});
