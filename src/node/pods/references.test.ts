import { expect, test } from 'vitest';
import { ApiClient } from '../../client/index.ts';
import { type ApiHandler, productByName } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { type References, readReferences } from './references.ts';

/** Every object has the key `a` and the handler `runsc`, except those with the name `none`, which do not exist. */
const api: ApiHandler = async ({ target }) => {
  const isMissing = target.endsWith('/none');
  const body = isMissing ? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 } : { data: { a: 'eA==' }, handler: 'runsc' };
  return { status: isMissing ? 404 : 200, headers: [['content-type', 'application/json']], body: JSON.stringify(body) };
};

const read = (spec: object): Promise<References> => {
  const pod = { metadata: { name: 'web', namespace: 'ns' }, spec } as unknown as corev1.Pod;
  return readReferences(pod, new ApiClient({ api, product: productByName('kubernetes'), signal: new AbortController().signal }));
};

const item = (key: string): object => ({ items: [{ key, path: key }] });

test.each([
  [{ configMap: { name: 'none' } }, 'configmap "none" not found'],
  [{ configMap: { name: 'c', ...item('b') } }, 'configmap references non-existent config key: b'],
  [{ secret: { secretName: 's', ...item('b') } }, 'references non-existent secret key: b'],
  [{ secret: { secretName: 's', ...item('b'), optional: true } }, undefined],
  [
    { projected: { sources: [{ secret: { name: 'none' } }, { configMap: { name: 'c', ...item('b') } }] } },
    '[secret "none" not found, configmap references non-existent config key: b]',
  ],
])('the volume %j', async (volume, error) => {
  const { mountErrors } = await read({ volumes: [{ name: 'v', ...volume }] });
  expect(mountErrors).toEqual(error === undefined ? [] : [`MountVolume.SetUp failed for volume "v" : ${error}`]);
});

test.each([
  [{ envFrom: [{ configMapRef: { name: 'none' } }] }, 'configmap "none" not found'],
  [{ envFrom: [{ secretRef: { name: 'none', optional: true } }] }, undefined],
  [{ env: [{ name: 'e', valueFrom: { secretKeyRef: { name: 'none', key: 'a' } } }] }, 'secret "none" not found'],
  [{ env: [{ name: 'e', valueFrom: { secretKeyRef: { name: 's', key: 'b' } } }] }, "couldn't find key b in Secret ns/s"],
  [{ env: [{ name: 'e', valueFrom: { configMapKeyRef: { name: 'c', key: 'b' } } }] }, "couldn't find key b in ConfigMap ns/c"],
  [{ env: [{ name: 'e', valueFrom: { configMapKeyRef: { name: 'c', key: 'b', optional: true } } }] }, undefined],
  [
    {
      env: [
        { name: 'e', valueFrom: { configMapKeyRef: { name: 'c', key: 'a' } } },
        { name: 'f', value: 'x' },
      ],
    },
    undefined,
  ],
])('the environment %j', async (container, error) => {
  const { configErrors } = await read({ containers: [{ name: 'c', ...container }] });
  expect(configErrors.get('c')).toBe(error);
});

test('secrets for pulls that do not exist', async () => {
  const imagePullSecrets = [{ name: 'none' }, { name: 's' }, {}];
  expect((await read({ imagePullSecrets })).missingPullSecrets).toEqual(['none']);
});

test.each([
  [undefined, { runtimeHandler: '' }],
  ['none', { runtimeHandler: '', runtimeClassError: 'runtimeclass.node.k8s.io "none" not found' }],
  ['gvisor', { runtimeHandler: 'runsc' }],
])('the RuntimeClass %j', async (runtimeClassName, expected) => {
  expect(await read({ runtimeClassName })).toMatchObject(expected);
});
