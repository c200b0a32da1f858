import { expect, test } from 'vitest';
import { ApiClient, type KubeObject } from '../../client/index.ts';
import { type ApiRequest, productByName } from '../../meta/index.ts';
import { type corev1, corev1Pods, type metav1 } from '../../schema/api/index.ts';
import { claimObjects } from './index.ts';
import { podWith } from './pod.test-support.ts';

const deletionTimestamp = '2026-01-01T00:00:00Z';
const replicaSet = (metadata: metav1.ObjectMeta = {}): KubeObject => ({
  kind: 'ReplicaSet',
  apiVersion: 'apps/v1',
  metadata: { namespace: 'default', name: 'web', uid: 'rs', ...metadata },
});
const pod = (metadata: metav1.ObjectMeta): corev1.Pod => podWith({ metadata: { labels: { app: 'web' }, ...metadata } });
const ownedBy = (uid: string): metav1.ObjectMeta => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid, controller: true }],
});

interface Claimed {
  readonly claimed: readonly string[];
  /** Bodies of the requests. */
  readonly patches: readonly unknown[];
}

async function claim(pods: readonly corev1.Pod[], controller = replicaSet(), live = controller, status = 200): Promise<Claimed> {
  const patches: unknown[] = [];
  const api = async ({ body }: ApiRequest) => {
    patches.push(JSON.parse(new TextDecoder().decode(body as Uint8Array)));
    return { status, headers: [], body: '{}' };
  };
  const client = new ApiClient({ api, product: productByName('kubernetes'), signal: new AbortController().signal });
  const claimed = await claimObjects(pods, {
    controller,
    readController: async () => live,
    objects: client.resource(corev1Pods),
    matches: ({ metadata }) => metadata.labels?.['app'] === 'web',
  });
  return { claimed: claimed.map(({ metadata }) => metadata.name ?? ''), patches };
}

test('returns its own objects, adopts, and releases', async () => {
  const other = { labels: { app: 'other' } };
  const pods = [
    pod({ name: 'own', ...ownedBy('rs') }),
    pod({ name: 'released', uid: 'u2', ...ownedBy('rs'), ...other }),
    pod({ name: 'foreign', ...ownedBy('rs2') }),
    pod({ name: 'orphan', uid: 'u4' }),
    pod({ name: 'unselected', ...other }),
    pod({ name: 'deleted', deletionTimestamp }),
    pod({ name: 'elsewhere', namespace: 'shop' }),
  ];
  expect(await claim(pods)).toEqual({
    claimed: ['own', 'orphan'],
    patches: [
      { metadata: { uid: 'u2', ownerReferences: [{ $patch: 'delete', uid: 'rs' }] } },
      {
        metadata: {
          uid: 'u4',
          ownerReferences: [
            { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true, blockOwnerDeletion: true },
          ],
        },
      },
    ],
  });
});

const claimable = [pod({ name: 'own', ...ownedBy('rs') }), pod({ name: 'a', ...ownedBy('rs'), labels: {} }), pod({ name: 'orphan' })];

test('a controller that is being deleted neither adopts nor releases', async () => {
  expect(await claim(claimable, replicaSet({ deletionTimestamp }))).toEqual({ claimed: ['own'], patches: [] });
});

test.each([
  ['was deleted meanwhile', replicaSet({ deletionTimestamp }), 'default/web has just been deleted at 2026-01-01T00:00:00Z'],
  ['was replaced', replicaSet({ uid: 'new' }), 'original ReplicaSet default/web is gone: got uid new, wanted rs'],
])('does not adopt for a controller that %s', async (_, live, reason) => {
  await expect(claim([pod({ name: 'orphan' })], replicaSet(), live)).rejects.toThrow(`can't adopt Pod default/orphan (u1): ${reason}`);
});

test('ignores objects that do not exist any more', async () => {
  expect((await claim(claimable, replicaSet(), replicaSet(), 404)).claimed).toEqual(['own']);
});

test('reports other failures after all objects', async () => {
  await expect(claim([...claimable, ...claimable], replicaSet(), replicaSet(), 500)).rejects.toThrow('status 500');
});
