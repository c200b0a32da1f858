import { expect, test } from 'vitest';
import type { JsonObject } from '../../../meta/index.ts';
import { applyJsonPatch, decodeJsonPatch } from '../../../patch/index.ts';
import type { KindSchema } from '../editor/schema-source.ts';
import { buildApplyConfiguration, findRetainedRemovals } from './apply-configuration.ts';
import { diffObjects, toJsonPatch } from './changes.ts';
import { isConflict, mergeTexts } from './merge-texts.ts';

const base: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    replicas: 2,
    containers: [
      { name: 'a', image: 'one' },
      { name: 'b', image: 'two' },
    ],
    args: ['x'],
  },
};
const mine: JsonObject = {
  ...base,
  metadata: { name: 'web', labels: {} },
  spec: {
    replicas: 3,
    containers: [
      { name: 'a', image: 'one' },
      { name: 'b', image: 'TWO' },
    ],
    args: ['x', 'y'],
  },
};

test('a patch has only the changes, and tests their previous values and item names', () => {
  const patch = toJsonPatch(diffObjects(base, mine), base);
  const steps = decodeJsonPatch(JSON.parse(JSON.stringify(patch)));
  expect(applyJsonPatch(base, steps)).toEqual(mine);
  const swapped = {
    ...base,
    spec: {
      ...(base['spec'] as JsonObject),
      containers: [
        { name: 'b', image: 'two' },
        { name: 'a', image: 'two' },
      ],
    },
  };
  expect(() => applyJsonPatch(swapped, steps)).toThrow();
  expect(patch).toContainEqual({ op: 'remove', path: '/metadata/labels/app' });
});

const raw = { properties: { spec: { properties: { containers: { keys: ['name'] } } } } } as unknown as JsonObject;
const none = { about: '', types: [], properties: {}, required: [], enum: [], more: undefined, items: undefined, listKeys: undefined };
const schema: KindSchema = {
  root: { ...none, properties: raw['properties'] as Record<string, JsonObject> },
  read: (one) => {
    const { properties = {}, keys } = (one ?? {}) as { properties?: Record<string, JsonObject>; keys?: string[] };
    return { ...none, properties, listKeys: keys };
  },
};
const ours = { manager: 'console', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:args': {} } } };

test('the apply configuration has changed and previously applied fields, items with their keys', () => {
  const changed = {
    ...base,
    spec: {
      ...(base['spec'] as JsonObject),
      containers: [
        { name: 'a', image: 'one' },
        { name: 'b', image: 'TWO' },
      ],
    },
  };
  const live = { ...base, metadata: { name: 'web', managedFields: [ours] } };
  const changes = diffObjects(base, changed);
  expect(buildApplyConfiguration({ mine: changed, live, changes, manager: 'console', schema })).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'b', image: 'TWO' }], args: ['x'] },
  });
});

test('reports that a removed field with other owners is retained', () => {
  const live = { ...base, metadata: { name: 'web', managedFields: [ours] } };
  expect(findRetainedRemovals(live, diffObjects(base, mine), 'console').map(({ path }) => path.join('.'))).toEqual(['metadata.labels.app']);
});

test('merges texts by lines, and returns conflicts', () => {
  const text = '# mine\na: 1\nb: 2\nc: 3\nd: 4\n';
  expect(mergeTexts(text, text.replace('a: 1', 'a: 9 # why'), text.replace('d: 4', 'd: 5\ne: 6')).join('')).toBe(
    '# mine\na: 9 # why\nb: 2\nc: 3\nd: 5\ne: 6\n',
  );
  const parts = mergeTexts(text, text.replace('b: 2', 'b: mine'), text.replace('b: 2', 'b: theirs'));
  expect(parts.filter(isConflict)).toEqual([{ base: 'b: 2\n', mine: 'b: mine\n', theirs: 'b: theirs\n' }]);
  expect(mergeTexts(text, text.replace('b: 2', 'b: 7'), text.replace('b: 2', 'b: 7')).join('')).toContain('b: 7');
});
