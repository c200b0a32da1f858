import { expect, test } from 'vitest';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { createCatalog } from '../../schema/index.ts';
import { remainingPatch } from './remaining-patch.ts';

const schema = createCatalog(productByName('kubernetes')).kind('apps/v1', 'Deployment');
const pod = { containers: [{ name: 'c', image: 'i', args: ['1'] }] };
const live: JsonObject = { metadata: { labels: { a: 'b' } }, spec: { replicas: 1, strategy: { type: 'x' }, template: { spec: pod } } };
const ofPod = (spec: JsonObject): JsonObject => ({ spec: { template: { spec } } });

test.each<readonly [string, JsonObject, JsonObject]>([
  ['executed directives of objects are removed', { spec: { $patch: 'replace', replicas: 2 } }, { spec: { replicas: 2 } }],
  [
    '$retainKeys is removed after execution',
    { spec: { strategy: { $retainKeys: ['type'], type: 'y' } } },
    { spec: { strategy: { type: 'y' } } },
  ],
  [
    'an ordered list is removed with its $setElementOrder',
    ofPod({ '$setElementOrder/containers': [{ name: 'c' }], containers: [{ name: 'c', image: 'j' }] }),
    ofPod({}),
  ],
  [
    'nulls in new values are removed',
    { metadata: { annotations: { a: null, b: '1' } }, ...ofPod({ volumes: [{ name: 'v', emptyDir: null, $patch: 'merge' }] }) },
    { metadata: { annotations: { b: '1' } }, ...ofPod({ volumes: [{ name: 'v', $patch: 'merge' }] }) },
  ],
  [
    'nulls at existing paths and items of merging lists stay unchanged',
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
])('remaining patch: %s', (_, patch, left) => {
  const before = structuredClone(patch);
  expect(remainingPatch(live, patch, schema)).toEqual(left);
  expect(patch).toEqual(before);
});
