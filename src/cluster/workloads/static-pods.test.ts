import { afterEach, expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { clusterDefaults, createOptionalPlugins, createStaticPods, numberedNodes, type StaticPodManifest, startNodes } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

let manifests: readonly StaticPodManifest[];
let onChange = (): void => undefined;
const target = '/api/v1/namespaces/default/pods/proxy-node-1';

async function started(names: 'kubernetes' | 'svc'): Promise<void> {
  const spec = { containers: [{ name: 'c', image: 'redis', resources: {} }] };
  manifests = [{ metadata: { name: 'proxy', labels: { tier: 'node' } }, spec }];
  const staticPods = {
    of: () => manifests,
    onChange(listener: () => void) {
      onChange = listener;
      return () => undefined;
    },
  };
  running = await startTestCluster({
    product: productByName(names),
    nodes: (options) => startNodes({ ...options, staticPods: createStaticPods(staticPods) }, numberedNodes(1)),
    admission: { ...clusterDefaults.admission, enabled: ['NodeRestriction'], defaultOffPlugins: createOptionalPlugins },
  });
}

async function until(isDone: (body: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  for (let round = 0; round < 200; round++) {
    const body = bodyOf(await running.send('GET', target));
    if (isDone(body)) return body;
    await running.clock.advance(100);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the mirror pod did not become what it should');
}

const contains =
  (text: string) =>
  (body: Record<string, unknown>): boolean =>
    JSON.stringify(body).includes(text);

interface Mirror {
  readonly metadata: { readonly uid: string; readonly annotations: Readonly<Record<string, string>> };
  readonly status: { readonly containerStatuses: readonly { readonly containerID: string }[] };
}

test.each(['kubernetes', 'svc'] as const)('a static pod has a mirror pod, which is created again (%s)', async (names) => {
  await started(names);
  const { rename } = productByName(names);
  const mirror = (await until(contains('"ready":true'))) as unknown as Mirror;
  const digest = mirror.metadata.annotations[rename('kubernetes.io/config.mirror')];
  expect(digest).toMatch(/^[0-9a-f]{32}$/);
  expect(mirror).toMatchObject({
    metadata: {
      labels: { tier: 'node' },
      annotations: { [rename('kubernetes.io/config.hash')]: digest, [rename('kubernetes.io/config.source')]: 'file' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'node-1', controller: true }],
    },
    spec: { nodeName: 'node-1', tolerations: [{ operator: 'Exists', effect: 'NoExecute' }] },
  });
  await running.send('DELETE', target);
  const again = (await until(
    (body) => contains('"ready":true')(body) && (body as unknown as Mirror).metadata.uid !== mirror.metadata.uid,
  )) as unknown as Mirror;
  expect(again.status.containerStatuses[0]?.containerID).toBe(mirror.status.containerStatuses[0]?.containerID);
});

test('the mirror pod follows the manifest', async () => {
  await started('kubernetes');
  await until(contains('"ready":true'));
  manifests = manifests.map((manifest) => ({ ...manifest, metadata: { name: 'proxy', labels: { tier: 'other' } } }));
  onChange();
  await until((body) => contains('"tier":"other"')(body) && contains('"ready":true')(body));
  manifests = [];
  onChange();
  await until(({ reason }) => reason === 'NotFound');
  expect(running.log.lines).toEqual([]);
});
