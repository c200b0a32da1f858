import { beforeAll, expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const pods = '/api/v1/namespaces/default/pods';
const services = '/api/v1/namespaces/default/services';

const pod = (name: string, nodeName?: string) => ({
  metadata: { name },
  spec: {
    nodeName,
    containers: [
      { name: 'a', image: 'x', ports: [{ containerPort: 8080 }] },
      { name: 'b', image: 'x' },
    ],
  },
});

/** Nodes without address, with a local one, and with a remote one; a pod on each. */
async function startCluster(): Promise<TestCluster> {
  const running = await startTestCluster();
  const post = async (path: string, object: object) => expect((await running.send('POST', path, object)).status).toBe(201);
  const status = async (path: string, value: object) => {
    const answer = await running.send('PATCH', `${path}/status`, { status: value }, { 'content-type': 'application/merge-patch+json' });
    expect(answer.status).toBe(200);
  };
  await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  for (const name of ['bare', 'near', 'far']) await post('/api/v1/nodes', { metadata: { name } });
  await status('/api/v1/nodes/near', {
    addresses: [
      { type: 'InternalIP', address: '10.0.0.1' },
      { type: 'Hostname', address: 'localhost' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 7 } },
  });
  await status('/api/v1/nodes/far', { addresses: [{ type: 'InternalIP', address: '10.0.0.2' }] });
  await post(pods, pod('none'));
  for (const node of ['bare', 'near', 'far', 'missing']) await post(pods, pod(`on-${node}`, node));
  await status(`${pods}/on-far`, { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }] });
  await post(services, { metadata: { name: 'web' }, spec: { clusterIP: 'None', ports: [{ name: 'http', port: 80 }] } });
  await post('/api/v1/namespaces/default/endpoints', {
    metadata: { name: 'web' },
    subsets: [
      {
        addresses: [{ ip: '10.1.0.9' }, { ip: '10.1.0.1', targetRef: { kind: 'Pod', namespace: 'default', name: 'on-far' } }],
        ports: [{ name: 'http', port: 8080 }],
      },
    ],
  });
  return running;
}

let running: TestCluster;
beforeAll(async () => {
  running = await startCluster();
});

const refused = 'connect: connection refused';
const noRoute = 'connect: no route to host';

test.each<[string, number, string | undefined]>([
  ['none/log?container=a', 204, undefined],
  ['none/log', 400, 'a container name must be specified for pod none, choose one of: [a b]'],
  ['on-bare/log?container=a', 500, 'no preferred addresses found; known addresses: []'],
  ['on-missing/log?container=a', 404, 'pods "missing" not found'],
  ['on-near/log?container=a', 500, `Get "https://localhost:7/containerLogs/default/on-near/a": dial tcp 127.0.0.1:7: ${refused}`],
  [
    'on-far/log?container=a&timestamps=1&follow=true&sinceTime=2026-01-01T00:00:00%2B01:00&tailLines=3',
    500,
    `Get "https://10.0.0.2:10250/containerLogs/default/on-far/a?follow=true&sinceTime=2025-12-31T23%3A00%3A00Z&tailLines=3&timestamps=true": dial tcp 10.0.0.2:10250: ${noRoute}`,
  ],
  ['none/log?tailLines=abc&sinceSeconds=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['none/log?sinceTime=bad', 400, 'parsing time "bad" as "2006-01-02T15:04:05Z07:00": cannot parse "bad" as "2006"'],
  ['none/log?stream=All', 422, 'PodLogOptions "none" is invalid: stream: Forbidden: may not be specified'],
  [
    'none/log?sinceSeconds=1&sinceTime=',
    422,
    'PodLogOptions "none" is invalid: []: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  ],
  ['none/exec?container=a', 400, 'pod none does not have a host assigned'],
  ['on-near/exec?container=a', 400, 'Upgrade request required'],
  ['on-near/portforward?ports=80,x', 400, 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax'],
  ['on-near/portforward?ports=70000', 400, 'cannot convert to []int32: strconv.ParseUint: parsing "70000": value out of range'],
  ['none/proxy/', 400, 'address not allowed'],
  ['on-far/proxy', 301, undefined],
  ['on-far/proxy/x', 503, `error trying to reach service: dial tcp 10.1.0.1:8080: ${noRoute}`],
  ['http:on-far:99999/proxy/', 503, 'error trying to reach service: dial tcp: address 99999: invalid port'],
  ['ftp:on-far:80/proxy/', 400, 'invalid pod request "ftp:on-far:80"'],
])('answers pods/%s as with an unreachable kubelet', async (path, code, message) => {
  const answer = await running.send('GET', `${pods}/${path}`);
  expect([answer.status, bodyOf(answer)['message']]).toEqual([code, message]);
});

test.each<[string, number, string]>([
  [`${services}/web:80/proxy/`, 503, `error trying to reach service: dial tcp 10.1.0.1:8080: ${noRoute}`],
  [`${services}/web/proxy/`, 503, 'no endpoints available for service "web"'],
  [`${services}/web:81/proxy/`, 503, 'no service port 81 found for service "web"'],
  [`${services}/none/proxy/`, 404, 'services "none" not found'],
  ['/api/v1/nodes/bare/proxy/healthz', 500, 'no preferred addresses found; known addresses: []'],
  ['/api/v1/nodes/near/proxy/', 400, 'address not allowed'],
  ['/api/v1/nodes/far/proxy/', 503, `error trying to reach service: dial tcp 10.0.0.2:10250: ${noRoute}`],
  ['/api/v1/nodes/missing/proxy/', 404, 'nodes "missing" not found'],
])('answers %s as with an unreachable backend', async (path, code, message) => {
  const answer = await running.send('GET', path);
  expect([answer.status, bodyOf(answer)['message']]).toEqual([code, message]);
});

test('fails an upgrade request when the kubelet is dialled', async () => {
  const answer = await running.send('POST', `${pods}/on-near/attach?container=a`, undefined, {
    connection: 'Upgrade',
    upgrade: 'SPDY/3.1',
  });
  expect([answer.status, bodyOf(answer)['message']]).toEqual([500, `error dialing backend: dial tcp 127.0.0.1:7: ${refused}`]);
});

test('redirects a proxy root to its trailing slash, and proxies every method', async () => {
  const { headers } = await running.send('GET', `${pods}/on-far/proxy?a=b`);
  expect(headers).toContainEqual(['location', `${pods}/on-far/proxy/?a=b`]);
  for (const method of ['OPTIONS', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'POST'])
    expect((await running.send(method, `${pods}/on-far/proxy/x`)).status).toBe(503);
});

test('requests a log by stream with the feature gate on', async () => {
  const gated = await startTestCluster({}, 'PodLogsQuerySplitStreams=true');
  const messageOf = async (query: string) => bodyOf(await gated.send('GET', `${pods}/p/log?${query}`))['message'];
  expect(await messageOf('stream=Foo')).toBe(
    'PodLogOptions "p" is invalid: stream: Unsupported value: "Foo": supported values: "All", "Stderr", "Stdout"',
  );
  expect(await messageOf('stream=Stdout&tailLines=3')).toContain('`tailLines` and specific `stream` are mutually exclusive for now');
  expect(await messageOf('')).toBe('pods "p" not found');
});
