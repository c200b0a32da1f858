import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ContainerProcess } from '../../containers/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { certificatesv1CertificateSigningRequests, corev1ConfigMaps, corev1Nodes, corev1Pods } from '../../schema/api/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { type Cluster, type ClusterSettings, createLibraryCluster } from './library-cluster.ts';

const clock = createManualClock();
const openssl = (words: readonly string[]): string => execFileSync('openssl', words, { encoding: 'utf8', stdio: 'pipe' });
const start = (settings: ClusterSettings): Promise<Cluster> =>
  createLibraryCluster({ clock, random: createSeededRandom(1), log: createMemoryLog() }, createMemoryKeySpace, settings);

test('stores audit events according to the policy, and emits new ones', async () => {
  const auditPolicy =
    'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, users: [admin]}]\nomitStages: [RequestReceived]';
  const cluster = await start({ names: 'kubernetes', auditPolicy });
  const uris: string[] = [];
  cluster.audit.onEvent(({ requestUri }) => uris.push(requestUri));
  for (const authorization of ['Bearer admin-token', 'Bearer nobody'])
    await cluster.fetch('http://c.test/version', { headers: { authorization } });
  expect(uris).toEqual(['/version']);
  expect(cluster.audit.events).toMatchObject([{ stage: 'ResponseComplete', user: { username: 'admin' }, responseStatus: { code: 200 } }]);
  await cluster.close();
});

test('a typed client has the rights of its token', async () => {
  const cluster = await start({ tokens: 'a,admin,u-admin,"system:masters"\nb,bob,u-bob' });
  const key = { namespace: 'default', name: 'a' };
  const created = await cluster
    .client('a')
    .resource(corev1ConfigMaps)
    .create({ metadata: key, data: { a: '1' } });
  expect(await cluster.client('a').resource(corev1ConfigMaps).get(key)).toEqual(created);
  await expect(cluster.client('b').resource(corev1ConfigMaps).get(key)).rejects.toMatchObject({ status: 403, reason: 'Forbidden' });
  await expect(cluster.client('c').resource(corev1ConfigMaps).get(key)).rejects.toMatchObject({ status: 401 });
  const aborted = cluster.client('a', AbortSignal.abort(new Error('stopped'))).resource(corev1ConfigMaps);
  await expect(aborted.get(key)).rejects.toThrow('stopped');
  await cluster.close();
});

test('fetch rejects with the reason of an aborted signal', async () => {
  const cluster = await start({});
  const headers = { authorization: 'Bearer admin-token' };
  const before = cluster.fetch('http://c.test/api/v1/namespaces', { headers, signal: AbortSignal.abort(new Error('before')) });
  await expect(before).rejects.toThrow('before');
  const controller = new AbortController();
  const during = cluster.fetch('http://c.test/api/v1/namespaces', { headers, signal: controller.signal });
  controller.abort(new Error('during'));
  await expect(during).rejects.toThrow('during');
  await cluster.close();
});

test('moves the time of a cluster with nodes', async () => {
  const real = { ...clock, nextTurn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)) };
  const env = { clock: real, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace, { controllers: true, nodes: 2, clock: 'virtual' });
  const client = cluster.client('admin-token');
  await cluster.advance(1_000);
  expect((await client.resource(corev1Nodes).list()).items.map(({ metadata }) => metadata.name)).toEqual(['node-1', 'node-2']);
  const pods = client.resource(corev1Pods);
  const key = { namespace: 'default', name: 'task' };
  const container = { name: 'c', image: 'busybox', command: ['sleep', '600'] };
  await pods.create({ metadata: key, spec: { nodeName: 'node-2', restartPolicy: 'Never', containers: [container] } });
  const elapsedMs = await cluster.runUntilIdle();
  expect((await pods.get(key)).status.phase).toBe('Running');
  expect(elapsedMs).toBeLessThan(60_000);
  await cluster.advance(600_000);
  expect((await pods.get(key)).status.phase).toBe('Succeeded');
  await cluster.close();
});

/** A cluster with one node, in virtual time. */
async function startNode(settings: ClusterSettings = {}): Promise<Cluster> {
  const real = { ...clock, nextTurn: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)) };
  const env = { clock: real, random: createSeededRandom(1), log: createMemoryLog() };
  const cluster = await createLibraryCluster(env, createMemoryKeySpace, {
    ...settings,
    names: 'kubernetes',
    controllers: true,
    nodes: 1,
    clock: 'virtual',
  });
  await cluster.advance(5_000);
  return cluster;
}

const headers = { authorization: 'Bearer admin-token' };

test('a container runs the programs of its image, and its log can be read', async () => {
  const cluster = await startNode();
  const pods = cluster.client('admin-token').resource(corev1Pods);
  const container = { name: 'c', image: 'busybox', command: ['sh', '-c', 'echo hello from $HOSTNAME'] };
  await pods.create({ metadata: { namespace: 'default', name: 'task' }, spec: { restartPolicy: 'Never', containers: [container] } });
  await cluster.runUntilIdle();
  const log = await cluster.fetch('http://c.test/api/v1/namespaces/default/pods/task/log', { headers });
  expect(await log.text()).toBe('hello from task\n');
  expect((await pods.get({ namespace: 'default', name: 'task' })).status.phase).toBe('Succeeded');
  await cluster.close();
});

test('a container starts with the objects of that time, which are not read while its image is pulled', async () => {
  const user = 'system:node:node-1';
  const auditPolicy = `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, users: ['${user}']}]\nomitStages: [RequestReceived]`;
  const cluster = await startNode({ auditPolicy });
  const client = cluster.client('admin-token');
  const [pods, configMaps] = [client.resource(corev1Pods), client.resource(corev1ConfigMaps)];
  const key = { namespace: 'default', name: 'task' };
  await configMaps.create({ metadata: key, data: { text: 'first' } });
  const env = [{ name: 'TEXT', valueFrom: { configMapKeyRef: { name: 'task', key: 'text' } } }];
  const container = { name: 'c', image: 'busybox', command: ['sh', '-c', 'echo $TEXT'], env };
  await pods.create({ metadata: key, spec: { restartPolicy: 'Never', automountServiceAccountToken: false, containers: [container] } });
  const reads = (): number => cluster.audit.events.filter(({ requestUri }) => requestUri.endsWith('/services?limit=500')).length;
  await cluster.advance(300);
  const beforePull = reads();
  await configMaps.patch(key, 'merge', { data: { text: 'second' } });
  await pods.patch(key, 'merge', { metadata: { finalizers: ['example.com/a'] } });
  await cluster.advance(100);
  expect(reads()).toBe(beforePull);
  await cluster.runUntilIdle();
  const log = await cluster.fetch('http://c.test/api/v1/namespaces/default/pods/task/log', { headers });
  expect(await log.text()).toBe('second\n');
  await cluster.close();
});

test('the programs of a registered image are functions', async () => {
  const cluster = await startNode();
  cluster.images.set('example.com/app', {
    entrypoint: ['/app'],
    environment: { GREETING: 'hello' },
    files: { '/etc/app.conf': 'port=8080\n' },
    programs: {
      '/app': ({ args, environment, readFile, out, serve, ended }) => {
        out(`${args.join(' ')} ${readFile('/etc/app.conf')}`);
        serve(
          8080,
          async (request) => new Response(`${environment.get('GREETING')} ${new URL(request.url).pathname} ${await request.text()}`),
        );
        return ended;
      },
      '/usr/bin/fail': () => {
        throw new Error('no luck');
      },
    },
  });
  const pods = cluster.client('admin-token').resource(corev1Pods);
  const container = { name: 'c', image: 'example.com/app:1', args: ['-v'] };
  await pods.create({ metadata: { namespace: 'default', name: 'web' }, spec: { containers: [container] } });
  const failing = { name: 'c', image: 'example.com/app:1', command: ['sh', '-c', 'fail; echo $?; cat /nothing'] };
  await pods.create({ metadata: { namespace: 'default', name: 'failing' }, spec: { restartPolicy: 'Never', containers: [failing] } });
  await cluster.runUntilIdle();
  const pod = 'http://c.test/api/v1/namespaces/default/pods';
  const textOf = async (url: string, init: RequestInit = {}): Promise<string> => (await cluster.fetch(url, { ...init, headers })).text();
  expect((await pods.get({ namespace: 'default', name: 'web' })).status.phase).toBe('Running');
  expect(await textOf(`${pod}/web/log`)).toBe('-v port=8080\n');
  expect(await textOf(`${pod}/web:8080/proxy/a?b=c`, { method: 'POST', body: 'body' })).toBe('hello /a body');
  expect(await textOf(`${pod}/failing/log`)).toMatch(/^no luck\n1\ncat: /);
  expect((await pods.get({ namespace: 'default', name: 'failing' })).status.phase).toBe('Failed');
  await cluster.close();
});

test('containers end with their cluster', async () => {
  const cluster = await startNode();
  const seen: string[] = [];
  const run = async ({ signal, ended }: ContainerProcess): Promise<number> => {
    seen.push('started');
    signal.addEventListener('abort', () => seen.push('ended'));
    return ended;
  };
  cluster.images.set('app', { entrypoint: ['/app'], programs: { '/app': run } });
  const pods = cluster.client('admin-token').resource(corev1Pods);
  await pods.create({ metadata: { namespace: 'default', name: 'web' }, spec: { containers: [{ name: 'c', image: 'app' }] } });
  await cluster.runUntilIdle();
  expect(seen).toEqual(['started']);
  await cluster.close();
  expect(seen).toEqual(['started', 'ended']);
});

test('a registered program gets signals, waits by the clock of the cluster, and replaces an emulated image', async () => {
  const cluster = await startNode();
  const seen: string[] = [];
  cluster.images.set('nginx', {
    command: ['/loop'],
    programs: {
      '/loop': async ({ sleep, onSignal, exit, signal }) => {
        onSignal('TERM', () => {
          seen.push('TERM');
          exit(0);
        });
        for (;;) {
          await sleep(10_000);
          seen.push(signal.aborted ? 'ended' : 'tick');
        }
      },
    },
  });
  const pods = cluster.client('admin-token').resource(corev1Pods);
  await pods.create({ metadata: { namespace: 'default', name: 'web' }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } });
  const isRunning = async (): Promise<boolean> => (await pods.get({ namespace: 'default', name: 'web' })).status.phase === 'Running';
  for (let second = 0; second < 60 && !(await isRunning()); second++) await cluster.advance(1_000);
  const before = seen.length;
  await cluster.advance(20_000);
  expect(seen.slice(before)).toEqual(['tick', 'tick']);
  await pods.delete({ namespace: 'default', name: 'web' });
  await cluster.advance(5_000);
  const afterTerm = seen.slice(seen.indexOf('TERM'));
  expect(afterTerm).toEqual(['TERM']);
  await cluster.close();
});

test('publishes its CA, signs requests, and serves pods over TLS', async () => {
  const cluster = await start({ names: 'kubernetes', controllers: true, nodes: 1, clock: 'virtual' });
  const client = cluster.client('admin-token');
  const script = 'cd /var/run/secrets/kubernetes.io/serviceaccount && curl -s --cacert ca.crt https://kubernetes.default.svc/livez';
  const containers = [{ name: 'c', image: 'curlimages/curl', command: ['sh', '-c', script] }];
  await cluster.runUntilIdle();
  await client.resource(corev1Pods).create({ metadata: { namespace: 'default', name: 'p' }, spec: { containers, restartPolicy: 'Never' } });
  const requests = client.resource(certificatesv1CertificateSigningRequests);
  const request = btoa(
    openssl(['req', '-newkey', 'ed25519', '-nodes', '-keyout', '-', '-subj', '/CN=carol']).replace(/^[\s\S]*(?=-----BEGIN CERT)/, ''),
  );
  const spec = { request, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  const created = await requests.create({ metadata: { name: 'carol' }, spec });
  const time = '2026-01-01T00:00:00Z';
  const approval = { type: 'Approved', status: 'True', reason: 'Test', lastUpdateTime: time, lastTransitionTime: time };
  await requests.update({ ...created, status: { conditions: [approval] } }, { subresource: 'approval' });
  await cluster.runUntilIdle();
  const { data = {} } = await client.resource(corev1ConfigMaps).get({ namespace: 'default', name: 'kube-root-ca.crt' });
  const { status } = await requests.get({ name: 'carol' });
  const issued = new X509Certificate(atob(status.certificate ?? ''));
  expect(issued.subject).toBe('CN=carol');
  expect(issued.verify(new X509Certificate(data['ca.crt'] ?? '').publicKey)).toBe(true);
  const log = await cluster.fetch('http://c.test/api/v1/namespaces/default/pods/p/log', {
    headers: { authorization: 'Bearer admin-token' },
  });
  expect(await log.text()).toBe('ok');
  await cluster.close();
});

test('the real clock cannot be moved', async () => {
  const cluster = await start({});
  await expect(cluster.advance(1)).rejects.toThrow("only a cluster with clock: 'virtual' can move its time");
  await expect(cluster.runUntilIdle()).rejects.toThrow('virtual');
  await cluster.close();
});

test('the scheduler follows a KubeSchedulerConfiguration, and an invalid one is refused', async () => {
  const schedulerConfig = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: [{schedulerName: own}]';
  const settings = { names: 'kubernetes', controllers: true, nodes: 1, clock: 'virtual' } as const;
  const cluster = await startNode({ schedulerConfig });
  const pods = cluster.client('admin-token').resource(corev1Pods);
  const create = (name: string, schedulerName: string): Promise<unknown> =>
    pods.create({ metadata: { name, namespace: 'default' }, spec: { schedulerName, containers: [{ name: 'c', image: 'nginx' }] } });
  await create('mine', 'own');
  await create('other', 'default-scheduler');
  await cluster.advance(5_000);
  const nodeOf = async (name: string): Promise<unknown> => (await pods.get({ namespace: 'default', name })).spec.nodeName;
  expect([await nodeOf('mine'), await nodeOf('other')]).toEqual(['node-1', undefined]);
  await cluster.close();
  await expect(start({ ...settings, schedulerConfig: 'kind: Pod' })).rejects.toThrow("Object 'apiVersion' is missing in 'kind: Pod'");
});
