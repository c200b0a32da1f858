import { afterEach, expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../../cluster/test-cluster.test-support.ts';
import { type ApiResponse, productByName } from '../../meta/index.ts';
import { createStaticPods, numberedNodes, startNodes } from '../index.ts';
import type { StatsSummary } from './stats-summary.ts';

let cluster: TestCluster;
afterEach(() => cluster.close());

const proxy = '/api/v1/nodes/node-1/proxy';
const pods = '/api/v1/namespaces/default/pods';
const manifests = [{ metadata: { name: 'static' }, spec: { containers: [{ name: 's', image: 'redis', resources: {} }] } }];

async function advance(seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 4; step++) {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    await cluster.clock.advance(250);
  }
}

/** A node with a pod `web`. */
async function start(names: 'kubernetes' | 'svc' = 'kubernetes', staticPods = false): Promise<void> {
  const source = { of: () => manifests, onChange: () => () => undefined };
  const extra = staticPods ? { staticPods: createStaticPods(source) } : {};
  cluster = await startTestCluster({
    product: productByName(names),
    nodes: (options) => startNodes({ ...options, ...extra }, numberedNodes(1)),
  });
  await cluster.create('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const resources = { limits: { memory: '64Mi' } };
  const container = { name: 'c', image: 'redis', resources, volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const spec = { nodeName: 'node-1', containers: [container], volumes: [{ name: 'data', emptyDir: {} }] };
  await cluster.create(pods, { metadata: { name: 'web' }, spec });
  await cluster.until(`${pods}/web`, ({ status }) => (status as { phase: string }).phase === 'Running');
}

async function textOf(response: ApiResponse): Promise<string> {
  const { body } = response;
  if (body === undefined || typeof body === 'string') return body ?? '';
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  let text = '';
  for await (const part of body) text += typeof part === 'string' ? part : new TextDecoder().decode(part);
  return text;
}

const get = async (path: string): Promise<string> => textOf(await cluster.send('GET', proxy + path));
const summaryOf = async (query = ''): Promise<StatsSummary> => JSON.parse(await get(`/stats/summary${query}`)) as StatsSummary;

/** The values of a text by their names and labels. */
const valuesOf = (text: string): ReadonlyMap<string, number> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name = '', value = ''] = /^([^#{ ][^{ ]*(?:\{.*\})?) (\S+)/.exec(line) ?? [];
      return name === '' ? [] : [[name, Number(value)]];
    }),
  );

interface PodMetrics {
  readonly containers: readonly { readonly usage: Readonly<Record<'cpu' | 'memory', string>> }[];
}

test('/metrics/resource has the usage that metrics.k8s.io has, and counters grow by it', async () => {
  await start();
  await advance(40);
  const labels = '{container="c",namespace="default",pod="web"}';
  const text = await get('/metrics/resource');
  expect(text).toContain(
    '# HELP node_cpu_usage_seconds_total [STABLE] Cumulative cpu time consumed by the node in core-seconds\n# TYPE node_cpu_usage_seconds_total counter\n',
  );
  expect(text).toContain('# HELP resource_scrape_error [STABLE] 1 if there was an error while getting container metrics, 0 otherwise\n');
  expect(text).toMatch(/^container_memory_working_set_bytes\{container="c",namespace="default",pod="web"\} \S+ \d{13}$/m);
  expect(text).toMatch(/^container_start_time_seconds\{container="c",namespace="default",pod="web"\} \S+$/m);
  const first = valuesOf(text);
  expect(first.get('resource_scrape_error')).toBe(0);
  expect([...first.keys()].map((name) => name.replace(/\{.*/, ''))).toEqual([
    'container_cpu_usage_seconds_total',
    'container_memory_working_set_bytes',
    'container_start_time_seconds',
    'container_swap_limit_bytes',
    'container_swap_usage_bytes',
    'node_cpu_usage_seconds_total',
    'node_memory_working_set_bytes',
    'node_swap_usage_bytes',
    'pod_cpu_usage_seconds_total',
    'pod_memory_working_set_bytes',
    'pod_swap_usage_bytes',
    'resource_scrape_error',
  ]);
  await advance(15);
  const second = valuesOf(await get('/metrics/resource'));
  const { containers } = bodyOf(
    await cluster.send('GET', '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/web'),
  ) as unknown as PodMetrics;
  const [used] = containers;
  expect(`${(second.get(`container_memory_working_set_bytes${labels}`) ?? 0) / 1024}Ki`).toBe(used?.usage.memory);
  const name = `container_cpu_usage_seconds_total${labels}`;
  expect(((second.get(name) ?? 0) - (first.get(name) ?? 0)) / 15).toBeCloseTo(Number.parseInt(used?.usage.cpu ?? '', 10) / 1e9, 9);
});

test('a container that has started after the last measurement has only its start', async () => {
  await start();
  const [pod] = (await summaryOf()).pods;
  expect(Object.keys(pod ?? {})).toEqual(['podRef', 'startTime', 'containers']);
  expect(Object.keys(pod?.containers[0] ?? {})).toEqual(['name', 'startTime']);
});

test('/stats/summary has the members of the real one, in their order', async () => {
  await start();
  await advance(40);
  expect(await get('/stats/summary')).toMatch(/^\{\n "node": \{\n {2}"nodeName": "node-1",\n/);
  const { node, pods: all } = await summaryOf();
  expect(Object.keys(node)).toEqual([
    'nodeName',
    'systemContainers',
    'startTime',
    'cpu',
    'memory',
    'io',
    'network',
    'fs',
    'runtime',
    'rlimit',
    'swap',
  ]);
  expect(node.systemContainers.map(({ name }) => name)).toEqual(['kubelet', 'runtime', 'pods']);
  const [pod] = all;
  expect(Object.keys(pod ?? {}).slice(2)).toEqual([
    'containers',
    'cpu',
    'memory',
    'io',
    'network',
    'volume',
    'ephemeral-storage',
    'process_stats',
    'swap',
  ]);
  const [container] = pod?.containers ?? [];
  expect(Object.keys(container ?? {})).toEqual(['name', 'startTime', 'cpu', 'memory', 'io', 'rootfs', 'logs', 'swap']);
  const { availableBytes = 0, workingSetBytes = 0 } = container?.memory ?? {};
  expect(availableBytes + workingSetBytes).toBe(64 * 1024 * 1024);
  const only = await summaryOf('?only_cpu_and_memory=true');
  expect(Object.keys(only.node)).toEqual(['nodeName', 'systemContainers', 'startTime', 'cpu', 'memory', 'swap']);
  expect(Object.keys(only.pods[0] ?? {})).toEqual(['podRef', 'startTime', 'containers', 'cpu', 'memory', 'swap']);
});

test('counters of a pod end with it', async () => {
  await start();
  await advance(40);
  expect(await get('/metrics/resource')).toContain('pod="web"');
  await cluster.send('DELETE', `${pods}/web?gracePeriodSeconds=0`);
  await advance(1);
  expect(await get('/metrics/resource')).not.toContain('pod="web"');
  expect((await summaryOf()).pods).toEqual([]);
  expect(await get('/pods')).toBe('{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}\n');
});

test('/metrics has what the node runs', async () => {
  await start();
  const text = await get('/metrics');
  expect(text).toContain(
    '# HELP kubelet_running_pods [ALPHA] Number of pods that have a running pod sandbox\n# TYPE kubelet_running_pods gauge\n',
  );
  expect(Object.fromEntries(valuesOf(text))).toMatchObject({
    'kubelet_node_name{node="node-1"}': 1,
    kubelet_running_pods: 1,
    'kubelet_running_containers{container_state="running"}': 1,
    'kubelet_desired_pods{static=""}': 1,
    'kubelet_desired_pods{static="true"}': 0,
  });
  expect(text).toMatch(/^kubernetes_build_info\{.*git_version="v1\.34\.\d+".*\} 1$/m);
  expect(await get('/metrics/probes')).toMatch(/^# HELP process_start_time_seconds \[ALPHA\] .*\n.*\nprocess_start_time_seconds \S+\n$/);
});

test('/metrics/cadvisor has the cgroups of the node and of containers', async () => {
  await start();
  await advance(40);
  const text = await get('/metrics/cadvisor');
  expect(text).toContain('# HELP container_memory_working_set_bytes Current working set in bytes.\n');
  expect(text).toMatch(/^container_memory_working_set_bytes\{container="",id="\/",image="",name="",namespace="",pod=""\} \S+ \d{13}$/m);
  expect(text).toMatch(
    /^container_cpu_usage_seconds_total\{container="c",cpu="total",id="\/kubepods\/burstable\/pod[-0-9a-f]+\/(\w+)",image="[^"]*redis[^"]*",name="\1",namespace="default",pod="web"\} \S+ \d{13}$/m,
  );
  expect(text).toMatch(/^machine_cpu_cores\{boot_id="[-\da-f]{36}",machine_id="[\da-f]{32}",system_uuid="[-\da-f]{36}"\} 4$/m);
});

test('/metrics/slis has the checks of /healthz that were made', async () => {
  await start();
  await get('/healthz?exclude=ping');
  await get('/healthz');
  const values = valuesOf(await get('/metrics/slis'));
  expect(values.get('kubernetes_healthcheck{name="ping",type="healthz"}')).toBe(1);
  expect(values.get('kubernetes_healthchecks_total{name="ping",status="success",type="healthz"}')).toBe(1);
  expect(values.get('kubernetes_healthchecks_total{name="syncloop",status="success",type="healthz"}')).toBe(2);
  expect([...values.keys()]).toContain('process_start_time_seconds');
});

test.each(['kubernetes', 'svc'] as const)('/pods has static pods instead of their mirror pods, with their source (%s)', async (names) => {
  await start(names, true);
  const { rename } = productByName(names);
  await cluster.until(`${pods}/static-node-1`, ({ status }) => (status as { phase: string }).phase === 'Running');
  const { kind, items } = JSON.parse(await get('/pods')) as {
    readonly kind: string;
    readonly items: readonly {
      readonly metadata: { readonly name: string; readonly uid: string; readonly annotations: Readonly<Record<string, string>> };
    }[];
  };
  expect(kind).toBe('PodList');
  const named = new Map(items.map(({ metadata }) => [metadata.name, metadata]));
  expect(named.get('web')?.annotations).toEqual({
    [rename('kubernetes.io/config.seen')]: expect.stringMatching(/^\d{4}-.*Z$/),
    [rename('kubernetes.io/config.source')]: 'api',
  });
  const hash = named.get('static-node-1')?.annotations[rename('kubernetes.io/config.hash')];
  expect(named.get('static-node-1')?.uid).toBe(hash);
  expect(Object.keys(named.get('static-node-1')?.annotations ?? {}).map((key) => key.replace(/.*\//, ''))).toEqual([
    'config.hash',
    'config.seen',
    'config.source',
  ]);
  expect(JSON.parse(await get('/runningpods/'))).toMatchObject({
    items: expect.arrayContaining([
      {
        metadata: { name: 'static-node-1', namespace: 'default', uid: hash },
        spec: { containers: [{ name: 's', image: 'redis', resources: {} }] },
        status: {},
      },
    ]),
  });
});

test.each([
  ['kubernetes', 'application/vnd.kubernetes.protobuf'],
  ['svc', 'application/vnd.svc.protobuf'],
] as const)('/configz has the defaults of the configuration (%s)', async (names, contentType) => {
  await start(names);
  const response = await cluster.send('GET', `${proxy}/configz`);
  expect(new Map(response.headers).get('content-type')).toBe('application/json');
  expect(JSON.parse(await textOf(response))).toMatchObject({
    kubeletconfig: {
      enableServer: true,
      port: 10250,
      contentType,
      evictionHard: { 'memory.available': '100Mi' },
      eventBurst: 100,
      shutdownGracePeriod: '30s',
    },
  });
});

test.each([
  ['GET', '/healthz', 200, 'ok'],
  ['POST', '/healthz', 200, 'ok'],
  ['GET', '/healthz/ping', 200, 'ok'],
  ['GET', '/healthz/log', 200, 'ok'],
  ['GET', '/healthz/syncloop', 200, 'ok'],
  ['GET', '/healthz?verbose', 200, '[+]ping ok\n[+]log ok\n[+]syncloop ok\n[+]device-plugin ok\nhealthz check passed\n'],
  [
    'GET',
    '/healthz?verbose&exclude=ping&exclude=x',
    200,
    '[+]ping excluded: ok\n[+]log ok\n[+]syncloop ok\n[+]device-plugin ok\nwarn: some health checks cannot be excluded: no matches for "x"\nhealthz check passed\n',
  ],
  ['GET', '/healthz/other', 404, '404 page not found\n'],
  ['GET', '/', 404, '404 page not found\n'],
  ['GET', '/toString', 404, '404 page not found\n'],
  ['GET', '/pods/web', 404, '404: Page Not Found'],
  ['POST', '/pods', 405, '405: Method Not Allowed'],
  ['DELETE', '/stats/summary', 405, '405: Method Not Allowed'],
  ['GET', '/stats/', 404, '404: Page Not Found'],
  ['GET', '/logs/pods/other', 404, '404 page not found\n'],
  ['POST', '/logs/', 405, '405: Method Not Allowed'],
  ['GET', '/containerLogs/default/web/c', 200, ''],
  ['POST', '/containerLogs/default/web/c', 405, '405: Method Not Allowed'],
  ['GET', '/containerLogs/default/web', 404, '404: Page Not Found'],
  ['GET', '/containerLogs/default/other/c', 404, 'pod "other" does not exist'],
  ['GET', '/logs/%2525', 404, '404 page not found\n'],
  ['GET', '/containerLogs/default/%25zz/c', 404, 'pod "%zz" does not exist'],
  ['GET', '/containerLogs/default/web/other', 404, 'container "other" not found in pod "web"'],
  ['GET', '/containerLogs/default/web/c?previous=true', 400, 'previous terminated container "c" in pod "web" not found'],
  ['GET', '/containerLogs/default/web/c?tail=x', 400, '{"message": "Unable to decode query."}'],
  ['GET', '/containerLogs/default/web/c?sinceTime=x', 400, '{"message": "Unable to decode query."}'],
  ['GET', '/containerLogs/default/web/c?tail=all&limitBytes=0', 422, '{"message": "Invalid request."}'],
  ['GET', '/containerLogs/default/web/c?stream=x', 422, '{"message": "Invalid request."}'],
  [
    'GET',
    '/containerLogs/default/web/c?stream=Stdout',
    400,
    'unable to return the given log stream: "Stdout". Please enable PodLogsQuerySplitStreams feature gate in kubelet',
  ],
  ['POST', '/run/default/other/c?cmd=ls', 404, 'pod does not exist'],
  ['POST', '/run/default/web/other?cmd=ls', 500, 'container not found ("other")'],
  [
    'POST',
    '/run/default/web/uid/c?cmd=ls',
    500,
    'rpc error: code = Unknown desc = failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: exec: "ls": executable file not found in $PATH: unknown',
  ],
  ['POST', '/exec/default/web/c?command=ls', 400, 'you must specify at least 1 of stdin, stdout, stderr'],
  ['POST', '/exec/default/web/other?command=ls&output=1', 500, 'container not found ("other")'],
  ['POST', '/exec/default/web/c?command=ls&output=1', 500, 'Upgrade request required\n'],
  ['POST', '/attach/default/web/other?output=1', 500, 'container other not found in pod web_default'],
  ['POST', '/portForward/default/other', 404, 'pod does not exist'],
  ['POST', '/portForward/default/web', 500, 'Upgrade request required\n'],
])('%s %s is %d', async (method, path, status, body) => {
  await start();
  const response = await cluster.send(method, proxy + path);
  expect([response.status, await textOf(response)]).toEqual([status, body]);
  expect(cluster.log.lines).toEqual([]);
});

test('a method that is not allowed is answered with the allowed ones, and a root without slash with its path', async () => {
  await start();
  const refused = await cluster.send('DELETE', `${proxy}/stats/summary`);
  expect(new Map(refused.headers).get('allow')).toBe('GET, POST');
  const moved = await cluster.send('GET', `${proxy}/runningpods`);
  expect([moved.status, new Map(moved.headers).get('location')]).toEqual([301, `${proxy}/runningpods/`]);
  expect(await get('/logs/')).toContain(`<a href="containers/">containers/</a>`);
  const directory = await cluster.send('GET', `${proxy}/logs/pods`);
  expect([directory.status, new Map(directory.headers).get('location')]).toEqual([301, 'pods/']);
});
