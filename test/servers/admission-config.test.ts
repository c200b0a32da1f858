import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { productByName } from '../../src/meta/index.ts';
import { httpTransport } from '../conformance/http-transport.ts';
import { type StartedServer, startServer, tokenFile } from './start-server.ts';

const products = ['svc', 'kubernetes'] as const;
type Names = (typeof products)[number];

let folder: string;
/** Denies images with the name `bad`. */
const images = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { kind, apiVersion, spec } = JSON.parse(body) as { kind: string; apiVersion: string; spec: { containers: { image: string }[] } };
  const allowed = spec.containers.every(({ image }) => image !== 'bad');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ kind, apiVersion, status: { allowed, reason: 'it is bad' } }));
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabplane-admission-'));
  await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  images.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a file of the test; returns its path. */
function write(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

interface Settings {
  readonly name: string;
  readonly configuration?: object;
  readonly path?: string;
}

/** The flags for these settings; their plugins are enabled. */
function flagsFor(names: Names, plugins: readonly Settings[], more: readonly string[] = []): readonly string[] {
  const { rename } = productByName(names);
  const file = { apiVersion: rename('apiserver.config.k8s.io/v1'), kind: 'AdmissionConfiguration', plugins };
  return [
    ...['--names', names, '--token-auth-file', tokenFile, '--controllers=', '--disable-admission-plugins=ServiceAccount'],
    `--admission-control-config-file=${write(`${names}.json`, file)}`,
    `--enable-admission-plugins=${[...plugins.map(({ name }) => name), ...more].join(',')}`,
  ];
}

async function send({ url }: StartedServer, method: string, target: string, body?: object) {
  const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
  const response = await httpTransport(url)({ method, target, headers, body: body && JSON.stringify(body) });
  let text = '';
  for await (const chunk of response.chunks) text += Buffer.from(chunk).toString();
  return { status: response.status, json: JSON.parse(text) as Record<string, unknown> };
}

const pod = (name: string, spec: object = {}, image = 'good'): object => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image }], ...spec },
});

test.each(products)('the plugins of %s work with the settings of the file', async (names) => {
  const { rename } = productByName(names);
  const { port } = images.address() as AddressInfo;
  const kubeConfigFile = write('images.json', {
    'current-context': 'x',
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}/` } }],
  });
  write('events.json', {
    apiVersion: rename('eventratelimit.admission.k8s.io/v1alpha1'),
    kind: 'Configuration',
    limits: [{ type: 'Namespace', qps: 1, burst: 1 }],
  });
  const quota = { apiVersion: rename('apiserver.config.k8s.io/v1'), kind: 'ResourceQuotaConfiguration' };
  const tolerations = { apiVersion: rename('podtolerationrestriction.admission.k8s.io/v1alpha1'), kind: 'Configuration' };
  const settings: readonly Settings[] = [
    { name: 'EventRateLimit', path: 'events.json' },
    { name: 'PodNodeSelector', configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'env=test' } } },
    { name: 'PodTolerationRestriction', configuration: { ...tolerations, default: [{ key: 'a', operator: 'Exists' }] } },
    { name: 'ImagePolicyWebhook', configuration: { imagePolicy: { kubeConfigFile } } },
    { name: 'ResourceQuota', configuration: { ...quota, limitedResources: [{ resource: 'secrets', matchContains: ['secrets'] }] } },
  ];
  const server = await startServer(
    ...flagsFor(names, settings, ['NamespaceAutoProvision']),
    '--feature-gates=PodTopologyLabelsAdmission=true',
  );
  const inNamespace = (resource: string): string => `/api/v1/namespaces/new/${resource}`;
  const made = await send(server, 'POST', inNamespace('pods'), pod('a'));
  expect(made).toMatchObject({ status: 201, json: { spec: { nodeSelector: { env: 'test' } } } });
  expect(made.json['spec']).toHaveProperty('tolerations', expect.arrayContaining([{ key: 'a', operator: 'Exists' }]));
  expect(await send(server, 'POST', inNamespace('pods'), pod('b', { nodeSelector: { env: 'other' } }))).toMatchObject({ status: 403 });
  expect(await send(server, 'POST', inNamespace('pods'), pod('b', {}, 'bad'))).toMatchObject({
    status: 403,
    json: { message: 'pods "b" is forbidden: image policy webhook backend denied one or more images: it is bad' },
  });
  const event = (name: string) => ({ metadata: { name, namespace: 'new' }, involvedObject: { namespace: 'new', name: 'a' } });
  expect((await send(server, 'POST', inNamespace('events'), event('a'))).status).toBe(201);
  expect(await send(server, 'POST', inNamespace('events'), event('b'))).toMatchObject({
    status: 429,
    json: { message: 'Too many requests: limit reached on type Namespace for key new' },
  });
  expect(await send(server, 'POST', inNamespace('secrets'), { metadata: { name: 's' } })).toMatchObject({
    status: 403,
    json: { message: 'secrets "s" is forbidden: insufficient quota to consume: count/secrets,secrets' },
  });
  const zone = rename('topology.kubernetes.io/zone');
  await send(server, 'POST', '/api/v1/nodes', { metadata: { name: 'n', labels: { [zone]: 'z' } } });
  const binding = { metadata: { name: 'a' }, target: { kind: 'Node', name: 'n' } };
  expect((await send(server, 'POST', inNamespace('pods/a/binding'), binding)).status).toBe(201);
  expect(await send(server, 'GET', inNamespace('pods/a'))).toMatchObject({ json: { metadata: { labels: { [zone]: 'z' } } } });
  await server.stop();
});

test.each<readonly [settings: Settings, why: string]>([
  [{ name: 'EventRateLimit' }, `couldn't init admission plugin "EventRateLimit": limits: Invalid value: null: must not be empty`],
  [{ name: 'ImagePolicyWebhook' }, `couldn't init admission plugin "ImagePolicyWebhook": no config specified`],
  [
    { name: 'ImagePolicyWebhook', configuration: { imagePolicy: { kubeConfigFile: '/nothing' } } },
    `couldn't init admission plugin "ImagePolicyWebhook": stat /nothing: no such file or directory`,
  ],
  [
    {
      name: 'ValidatingAdmissionWebhook',
      configuration: { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile: '/nothing' },
    },
    `couldn't init admission plugin "ValidatingAdmissionWebhook": stat /nothing: no such file or directory`,
  ],
])('the settings %j are refused at the start', async (settings, why) => {
  const started = startServer(...flagsFor('kubernetes', [settings]));
  await expect(started).rejects.toThrow(`refused: failed to apply admission: ${why}`);
});

test('settings of plugins that are not enabled are not read', async () => {
  const flags = flagsFor('kubernetes', [{ name: 'EventRateLimit', configuration: {} }]);
  const server = await startServer(...flags.filter((flag) => !flag.startsWith('--enable')));
  expect((await send(server, 'GET', '/api/v1/namespaces/default')).status).toBe(200);
  await server.stop();
});
