import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.test-support.ts';

test('metrics show stored objects, the requests of the server itself, and its queues', async () => {
  // With an option, the cluster creates its objects at the start.
  const { send, close } = await startTestCluster({ disabledMetrics: new Set() });
  const text = String((await send('GET', '/metrics')).body);
  expect(text).toMatch(/^apiserver_storage_objects\{resource="namespaces"\} [1-9]\d*$/m);
  expect(text).toMatch(/^apiserver_resource_objects\{group="apps",resource="deployments"\} 0$/m);
  expect(text).toMatch(/^apiserver_admission_step_admission_duration_seconds_count\{operation="CREATE",rejected="false",type="admit"\} /m);
  expect(text).toMatch(/^apiserver_request_total\{code="404",.*resource="namespaces",.*verb="GET"/m);
  expect(text).toMatch(/^rest_client_requests_total\{code="201",host="[^"]+",method="POST"\} /m);
  expect(text).toMatch(/^workqueue_depth\{name="autoregister"\} \d+$/m);
  expect(text).toMatch(/^kubernetes_build_info\{.*git_version="v1\.34\.\d+".*\} 1$/m);
  expect(text).toContain('# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.\n');
  await close();
});

test('metrics show the sizes of responses to reads, and the durations of admission plugins', async () => {
  const { send, handle, close } = await startTestCluster();
  const textOf = async (): Promise<string> => String((await send('GET', '/metrics')).body);
  const sizesOf = async (labels: string): Promise<readonly string[]> =>
    [...(await textOf()).matchAll(new RegExp(`^apiserver_response_sizes_(?:sum|count)\\{${labels}\\} (.*)$`, 'gm'))].map(
      ([, value]) => value ?? '',
    );
  const configMaps = '/api/v1/namespaces/default/configmaps';
  await send('POST', configMaps, { metadata: { name: 'a' }, data: { a: 'é' } });
  const { body } = await send('GET', `${configMaps}/a`);
  const bytes = new TextEncoder().encode(String(body)).length;
  const single = 'component="apiserver",group="",resource="configmaps",scope="resource",subresource="",verb="GET",version="v1"';
  expect(await sizesOf(single)).toEqual([String(bytes), '1']);

  for (let at = 0; at < 10; at++) await send('POST', configMaps, { metadata: { name: `b${at}` }, data: { a: 'x'.repeat(20_000) } });
  const headers = new Headers({ authorization: 'Bearer admin' });
  const { signal } = new AbortController();
  const list = await handle({ method: 'GET', target: configMaps, headers, body: undefined, signal, acceptsChunks: true });
  let length = 0;
  for await (const chunk of list.body as AsyncIterable<string | Uint8Array>) length += Buffer.byteLength(chunk);
  expect(length).toBeGreaterThan(200_000);
  const ofList = single.replace('scope="resource"', 'scope="namespace"').replace('"GET"', '"LIST"');
  expect(await sizesOf(ofList)).toEqual([String(length), '1']);
  expect(await textOf()).toContain(`\napiserver_response_sizes_bucket{${ofList.replace('resource=', 'le="1e+06",resource=')}} 1\n`);

  const forbidden = { metadata: { name: 'p' }, spec: { serviceAccountName: 'none', containers: [{ name: 'c', image: 'i' }] } };
  expect((await send('POST', '/api/v1/namespaces/default/pods', forbidden)).status).toBe(403);
  const plugin = (rejected: boolean): string =>
    `apiserver_admission_controller_admission_duration_seconds_count{name="ServiceAccount",operation="CREATE",rejected="${rejected}",type="admit"}`;
  expect(await textOf()).toContain(`\n${plugin(true)} 1\n`);
  await close();
});

test('authentication, authorization and validation rules are measured', async () => {
  const { send, close, create, until } = await startTestCluster();
  const textOf = async (): Promise<string> => String((await send('GET', '/metrics')).body);
  expect(await textOf()).toContain('\napiserver_cel_evaluation_duration_seconds_count 0\n');
  await send('GET', '/api', undefined, { authorization: 'Bearer wrong' });
  const rules = [{ rule: 'self.size > 0' }];
  const spec = { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': rules };
  await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'widgets', kind: 'Widget' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }],
    },
  });
  const path = '/apis/example.com/v1/widgets';
  await until(path, ({ kind }) => kind === 'WidgetList');
  expect(
    (await send('POST', path, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 0 } })).status,
  ).toBe(422);
  const text = await textOf();
  const numberOf = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
  // When the definition is checked, and when the first object is validated.
  expect(numberOf('apiserver_cel_compilation_duration_seconds_count')).toBeGreaterThan(1);
  expect(numberOf('apiserver_cel_evaluation_duration_seconds_count')).toBeGreaterThan(0);
  expect(numberOf('authentication_attempts{result="error"}')).toBe(1);
  expect(numberOf('authentication_attempts{result="success"}')).toBeGreaterThan(3);
  expect(numberOf('authorization_attempts_total{result="allowed"}')).toBeGreaterThan(3);
  expect(text).toContain('\nversion_info{binary="1.34.4",component="kube",emulation="1.34",min_compat="1.33"} 1\n');
  await close();
});

test('disabled metrics are left out and counted', async () => {
  const disabledMetrics = new Set(['apiserver_request_total', 'none']);
  const { send, close } = await startTestCluster({ disabledMetrics });
  const text = String((await send('GET', '/metrics')).body);
  expect(text).not.toContain('apiserver_request_total');
  expect(text).toContain('\ndisabled_metrics_total 1\n');
  await close();
});

test('pages of the host are served as plain text, and listed', async () => {
  const { send, close } = await startTestCluster({ hostPages: new Map([['/statusz', ({ version }) => version.gitVersion]]) });
  const get = (accept: string): ReturnType<typeof send> => send('GET', '/statusz', undefined, { accept });
  for (const accept of ['*/*', 'text/*', 'text/plain;charset=utf-8'])
    expect(await get(accept)).toMatchObject({ status: 200, body: expect.stringMatching(/^v1\.34/) });
  for (const accept of ['', 'application/json'])
    expect(await get(accept)).toMatchObject({ status: 406, body: 'media type not acceptable, must be: text/plain\n' });
  expect(JSON.parse(String((await send('GET', '/')).body)).paths).toContain('/statusz');
  expect((await send('GET', '/flagz')).status).toBe(404);
  await close();
});

test('requests are counted under the verbs of the real server, as are those of health, discovery and OpenAPI', async () => {
  const { send, close } = await startTestCluster();
  const maps = '/api/v1/namespaces/default/configmaps';
  const aggregated = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' };
  await send('DELETE', maps);
  await send('GET', '/api/v1/namespaces/default/pods/p/log');
  await send('GET', maps, undefined, { accept: 'text/unknown' });
  for (const path of ['/livez', '/livez/ping', '/openapi/v3', '/openapi/v3/version', '/apis', '/version']) await send('GET', path);
  await send('GET', '/apis', undefined, aggregated);
  await send('GET', '/healthz', undefined, { authorization: 'Bearer wrong' });
  const text = String((await send('GET', '/metrics')).body);
  const counted = Array.from(text.matchAll(/^apiserver_request_total\{(.*)\} (\d+)$/gm), ([, labels = '', value = '']) => {
    const of = (name: string): string => new RegExp(`\\b${name}="(.*?)"`).exec(labels)?.[1] ?? '';
    return [of('component'), of('resource'), of('scope'), of('subresource'), of('verb'), of('code'), value].join(' ');
  });
  // Other requests are of the server itself.
  expect(counted.filter((line) => /configmaps namespace|pods resource|^ | apis /.test(line)).sort()).toEqual([
    '   /livez GET 200 1',
    '   openapi/v3 GET 200 1',
    '   openapi/v3/ GET 200 1',
    'apiserver   apis GET 200 1',
    'apiserver configmaps namespace  DELETE 200 1',
    'apiserver pods resource log CONNECT 404 1',
  ]);
  await close();
});

test('a request that waits for nothing has a wait of nothing', async () => {
  const { send, close } = await startTestCluster();
  await send('GET', '/api/v1/namespaces/default/configmaps', undefined, { authorization: 'Bearer bob' });
  const text = String((await send('GET', '/metrics')).body);
  expect(text).toMatch(
    /^apiserver_flowcontrol_request_wait_duration_seconds_count\{execute="true",flow_schema="[a-z-]+",priority_level="[a-z-]+"\} 1$/m,
  );
  expect(text).not.toMatch(/^apiserver_flowcontrol_request_wait_duration_seconds.*exempt/m);
  await close();
});

test('DELETE resets metrics', async () => {
  const { send, close } = await startTestCluster();
  await send('GET', '/healthz');
  const checks = /^kubernetes_healthchecks_total\{name="ping",status="success",type="healthz"\} 1$/m;
  const requests = /^apiserver_request_total\{.*verb="GET"/m;
  const bodyOf = async (path: string): Promise<string> => String((await send('GET', path)).body);
  expect(await bodyOf('/metrics')).toMatch(requests);
  expect(await bodyOf('/metrics/slis')).toMatch(checks);
  for (const path of ['/metrics', '/metrics/slis'])
    expect(await send('DELETE', path)).toMatchObject({ status: 200, body: 'metrics reset\n' });
  expect(await bodyOf('/metrics')).not.toMatch(requests);
  expect(await bodyOf('/metrics/slis')).not.toMatch(checks);
  expect((await send('GET', '/metrics/')).status).toBe(404);
  await close();
});
