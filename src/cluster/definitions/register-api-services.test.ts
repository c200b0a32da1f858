import { afterEach, expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const contains =
  (...texts: readonly string[]) =>
  (body: Record<string, unknown>): boolean =>
    texts.every((text) => JSON.stringify(body).includes(text));

const services = '/apis/apiregistration.k8s.io/v1/apiservices';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function definition(plural: string, versions: readonly string[]): object {
  const kind = plural.toUpperCase();
  return {
    metadata: { name: `${plural}.ex.io` },
    spec: {
      group: 'ex.io',
      scope: 'Namespaced',
      names: { plural, singular: plural, kind, listKind: `${kind}List` },
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: { type: 'object' } },
      })),
    },
  };
}

test('the group versions of definitions are registered as APIServices, restored, and removed with the last definition', async () => {
  running = await startTestCluster();
  await running.create(definitions, definition('a', ['v1', 'v2']));
  await running.create(definitions, definition('b', ['v1']));
  const service = await running.until(`${services}/v1.ex.io`, contains('"Available"'));
  expect(service).toMatchObject({
    metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
    spec: { group: 'ex.io', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
    status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
  });
  const first = JSON.stringify(service['metadata']);
  await running.send('DELETE', `${services}/v1.ex.io`);
  await running.until(`${services}/v1.ex.io`, (body) => contains('"Available"')(body) && JSON.stringify(body['metadata']) !== first);
  await running.send('PATCH', `${services}/v2.ex.io`, { spec: { versionPriority: 7 } }, { 'content-type': 'application/merge-patch+json' });
  await running.until(`${services}/v2.ex.io`, contains('"versionPriority":100'));
  await running.send('DELETE', `${definitions}/a.ex.io`);
  await running.until(`${services}/v2.ex.io`, contains('"NotFound"'));
  expect((await running.send('GET', `${services}/v1.ex.io`)).status).toBe(200);
  await running.send('DELETE', `${definitions}/b.ex.io`);
  await running.until(`${services}/v1.ex.io`, contains('"NotFound"'));
});

test('an APIService that a user wrote is left alone, and a deleted built-in one is not restored before the next start', async () => {
  running = await startTestCluster();
  const spec = { group: 'ex.io', version: 'v1', groupPriorityMinimum: 5, versionPriority: 5 };
  await running.create(services, { metadata: { name: 'v1.ex.io' }, spec });
  await running.create(definitions, definition('a', ['v1']));
  await running.send('DELETE', `${services}/v1.apps`);
  await running.clock.advance(5_000);
  await running.until(`${definitions}/a.ex.io`, contains('"Established"'));
  expect(await bodyOf(await running.send('GET', `${services}/v1.ex.io`))).toMatchObject({ spec: { versionPriority: 5 } });
  expect((await running.send('GET', `${services}/v1.apps`)).status).toBe(404);
});
