import { expect, test } from 'vitest';
import { type JsonObject, productNamed } from '../../meta/index.ts';
import { createCatalog } from '../../schema/index.ts';
import { mergedPatch } from './remaining-patch.ts';

const schema = createCatalog(productNamed('kubernetes')).kind('apps/v1', 'Deployment');
const pod = { containers: [{ name: 'c', image: 'i', args: ['1'] }] };
const live: JsonObject = { metadata: { labels: { a: 'b' } }, spec: { replicas: 1, strategy: { type: 'x' }, template: { spec: pod } } };
const ofPod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

test.each<readonly [string, JsonObject, JsonObject]>([
  ['directives of objects are carried out and gone', { spec: { $patch: 'replace', replicas: 2 } }, { spec: { replicas: 2 } }],
  [
    'what shall be kept is gone with its directive',
    { spec: { strategy: { $retainKeys: ['type'], type: 'y' } } },
    { spec: { strategy: { type: 'y' } } },
  ],
  [
    'a list in whose order something was set is gone with it',
    ofPod({ '$setElementOrder/containers': [{ name: 'c' }], containers: [{ name: 'c', image: 'j' }] }),
    ofPod({}),
  ],
  [
    'nulls below what the object does not have are gone',
    { metadata: { annotations: { a: null, b: '1' } }, ...ofPod({ volumes: [{ name: 'v', emptyDir: null, $patch: 'merge' }] }) },
    { metadata: { annotations: { b: '1' } }, ...ofPod({ volumes: [{ name: 'v', $patch: 'merge' }] }) },
  ],
  [
    'nulls beside what the object has, and items for lists that merge, are as they were',
    {
      metadata: { labels: { a: null }, annotations: null },
      ...ofPod({
        containers: [
          { name: 'c', args: null },
          { name: 'd', $patch: 'delete' },
        ],
      }),
    },
    {
      metadata: { labels: { a: null }, annotations: null },
      ...ofPod({
        containers: [
          { name: 'c', args: null },
          { name: 'd', $patch: 'delete' },
        ],
      }),
    },
  ],
  [
    'an item that merges loses what any object loses',
    ofPod({ containers: [{ name: 'c', resources: { limits: null, requests: { cpu: '1' } } }] }),
    ofPod({ containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }] }),
  ],
])('of a merged patch %s', (_, patch, left) => {
  const before = structuredClone(patch);
  expect(mergedPatch(live, patch, schema)).toEqual(left);
  expect(patch).toEqual(before);
});
