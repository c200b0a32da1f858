import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom, type ManualClock } from '../../env/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { admissionregistrationv1ValidatingWebhookConfigurations, corev1ConfigMaps, corev1Services } from '../../schema/api/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import type { WebhookHandler } from '../webhook-handlers.ts';
import { type Cluster, createLibraryCluster } from './library-cluster.ts';

interface Started extends Cluster {
  readonly time: ManualClock;
  /** Creates the ConfigMap `a` and resolves with its name, or rejects with the error of the API. */
  createMap(): Promise<string | undefined>;
}

/** A cluster with one admission webhook for ConfigMaps. */
async function start(clientConfig: JsonObject): Promise<Started> {
  const time = createManualClock();
  const env = { clock: time, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace, { names: 'kubernetes' });
  const client = cluster.client('admin-token');
  await client.resource(admissionregistrationv1ValidatingWebhookConfigurations).create({
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'check.example.com',
        clientConfig,
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
  const createMap = async (): Promise<string | undefined> =>
    (await client.resource(corev1ConfigMaps).create({ metadata: { namespace: 'default', name: 'a' } })).metadata.name;
  return { ...cluster, time, createMap };
}

const answering =
  (allowed: boolean): WebhookHandler =>
  (review) => {
    const { uid } = review['request'] as { readonly uid: string };
    return { ...review, response: { uid, allowed, status: { message: 'not today' } } };
  };

const url = 'https://hooks.example/check';
const failed = `failed calling webhook "check.example.com": failed to call webhook`;

test('an admission webhook is the function of its URL', async () => {
  const cluster = await start({ url });
  cluster.webhooks.set(url, answering(false));
  await expect(cluster.createMap()).rejects.toThrow('admission webhook "check.example.com" denied the request: not today');
  cluster.webhooks.set(url, answering(true));
  expect(await cluster.createMap()).toBe('a');
  await cluster.close();
});

test('a webhook without a function, or with one that throws, fails as an unreachable or broken server', async () => {
  const cluster = await start({ url });
  await expect(cluster.createMap()).rejects.toThrow(`${failed}: Post "${url}?timeout=10s": dial tcp: lookup hooks.example: no such host`);
  cluster.webhooks.set(url, () => {
    throw new Error('broken');
  });
  await expect(cluster.createMap()).rejects.toThrow(
    `${failed}: an error on the server ("broken") has prevented the request from succeeding`,
  );
  await cluster.close();
});

test('a function that does not return in time exceeds the deadline', async () => {
  const cluster = await start({ url });
  const called = new Promise<void>((resolve) => {
    cluster.webhooks.set(url, () => {
      resolve();
      return new Promise(() => undefined);
    });
  });
  const outcome = expect(cluster.createMap()).rejects.toThrow('context deadline exceeded');
  await called;
  await cluster.time.advance(10_000);
  await outcome;
  await cluster.close();
});

test('the webhook of a Service has the URL of its name', async () => {
  const cluster = await start({ service: { namespace: 'default', name: 'hooks', path: '/check', port: 8443 } });
  const ports = [{ port: 8443 }];
  await cluster
    .client('admin-token')
    .resource(corev1Services)
    .create({ metadata: { namespace: 'default', name: 'hooks' }, spec: { ports } });
  cluster.webhooks.set('https://hooks.default.svc:8443/check', answering(false));
  await expect(cluster.createMap()).rejects.toThrow('not today');
  await cluster.close();
});
