import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.test-support.ts';

const corsAndHsts = { corsAllowedOrigins: [/^http:\/\/app\.test$/], strictTransportSecurity: ['max-age=5', 'preload'] };

test('answers a preflight request of an allowed origin without authentication', async () => {
  const { send } = await startTestCluster({ corsAndHsts });
  const { status, headers } = await send('OPTIONS', '/api/v1/namespaces', undefined, {
    origin: 'http://app.test',
    authorization: 'Bearer nobody',
  });
  expect(status).toBe(204);
  expect(headers).toContainEqual(['access-control-allow-origin', 'http://app.test']);
  expect(headers).toContainEqual(['access-control-allow-methods', 'POST, GET, OPTIONS, PUT, DELETE, PATCH']);
});

test('adds CORS headers to requests of an allowed origin', async () => {
  const { send } = await startTestCluster({ corsAndHsts });
  const { status, headers } = await send('GET', '/api/v1/namespaces/nope', undefined, { origin: 'http://app.test' });
  expect(status).toBe(404);
  expect(headers).toContainEqual(['access-control-allow-origin', 'http://app.test']);
  expect(headers).toContainEqual(['strict-transport-security', 'max-age=5; preload']);
});

test('adds no CORS headers for other origins', async () => {
  const { send } = await startTestCluster({ corsAndHsts });
  const { headers } = await send('GET', '/version', undefined, { origin: 'http://other.test' });
  expect(headers.filter(([name]) => name.startsWith('access-control'))).toEqual([]);
});

test('does not warn about versions that are deprecated later', async () => {
  const { send } = await startTestCluster({ runtimeConfig: new Map([['api/beta', 'true']]) });
  const warningOf = async (path: string): Promise<string | undefined> =>
    (await send('GET', path)).headers.find(([name]) => name === 'warning')?.[1];
  expect(await warningOf('/apis/coordination.k8s.io/v1beta1/leasecandidates')).toBeUndefined();
  expect(await warningOf('/apis/networking.k8s.io/v1beta1/ipaddresses')).toBe(
    '299 - "networking.k8s.io/v1beta1 IPAddress is deprecated in v1.34+, unavailable in v1.37+"',
  );
});

test('starts without resources of its bootstrap objects', async () => {
  const { send } = await startTestCluster({ runtimeConfig: new Map([['scheduling.k8s.io/v1', 'false']]) });
  expect((await send('GET', '/apis/scheduling.k8s.io/v1/priorityclasses')).status).toBe(404);
});
