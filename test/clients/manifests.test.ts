import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startTestCluster } from '../../src/cluster/test-cluster.test-support.ts';
import { parseYaml } from '../../src/codec/index.ts';
import { printManifests } from '../../src/console/share/import-export.ts';
import { toServedVersions } from '../../src/console/share/served-objects.ts';
import { parseCopy, userObjects } from '../../src/console/share/user-objects.ts';
import { ApiClient } from '../../src/kubectl/index.ts';
import { isJsonObject, type JsonObject } from '../../src/meta/index.ts';
import { copyKeySpace } from '../../src/storage/index.ts';
import { startServer, tokenFile } from '../servers/start-server.ts';

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

const inShop = { namespace: 'shop' };
/** In addition to the sample shop: objects that others depend on, and cluster-scoped ones. */
const more: readonly (readonly [target: string, object: object])[] = [
  ['/api/v1/namespaces/shop/serviceaccounts', { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'seller', ...inShop } }],
  [
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    {
      kind: 'CustomResourceDefinition',
      apiVersion: 'apiextensions.k8s.io/v1',
      metadata: { name: 'fruits.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'fruits', singular: 'fruit', kind: 'Fruit', listKind: 'FruitList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { color: { type: 'string' } } } } },
            },
          },
        ],
      },
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/shop/roles',
    {
      kind: 'Role',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'reader', ...inShop },
      rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings',
    {
      kind: 'RoleBinding',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'reader', ...inShop },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'seller', ...inShop }],
    },
  ],
];
const targets: Readonly<Record<string, string>> = {
  Namespace: '/api/v1/namespaces',
  ConfigMap: '/api/v1/namespaces/shop/configmaps',
  Service: '/api/v1/namespaces/shop/services',
  Deployment: '/apis/apps/v1/namespaces/shop/deployments',
  Ingress: '/apis/networking.k8s.io/v1/namespaces/shop/ingresses',
};

/** The objects of a manifest file, in order. */
function documents(text: string): JsonObject[] {
  return text
    .split(/^---$/m)
    .map((part) => parseYaml(part).value)
    .filter(isJsonObject);
}

/** The console's export of a cluster with the sample shop and more objects. */
async function exportManifests(): Promise<string> {
  const cluster = await startTestCluster();
  const fresh = await copyKeySpace(cluster.storage);
  const sample = readFileSync(new URL('../../src/console/sample/shop.yaml', import.meta.url), 'utf8');
  const placed = documents(sample).map((object) => [targets[String(object['kind'])] ?? '', object] as const);
  for (const [target, object] of [...placed, ...more]) {
    const { status, body } = await cluster.send('POST', target, object);
    expect(status, String(body)).toBe(201);
  }
  const copy = await copyKeySpace(cluster.storage);
  const exported = userObjects(parseCopy(JSON.stringify(copy)), parseCopy(JSON.stringify(fresh)));
  const client = new ApiClient({
    server: 'https://cluster',
    handler: cluster.handle,
    headers: { authorization: 'Bearer admin' },
    impersonatedGroups: [],
    clock: cluster.clock,
    signal: new AbortController().signal,
    timeout: undefined,
    onWarning: () => undefined,
    onRequest: () => undefined,
    rename: (text) => text,
  });
  const text = await printManifests(await toServedVersions(client, exported));
  await cluster.close();
  return text;
}

test.skipIf(!hasKubectl)(
  'SH-1: manifests that the console wrote apply to serve with the real kubectl, and nothing differs then',
  async () => {
    const text = await exportManifests();
    const server = await startServer('--names', 'kubernetes', '--token-auth-file', tokenFile);
    const file = join(server.folder, 'mine.yaml');
    writeFileSync(file, text);
    const env = { ...process.env, KUBECONFIG: server.kubeconfig, HOME: server.folder };
    const kubectl = async (...words: string[]): Promise<string> => (await promisify(execFile)('kubectl', words, { env })).stdout;
    const count = documents(text).length;
    expect(count).toBeGreaterThan(more.length + 5);
    expect((await kubectl('apply', '-f', file)).match(/ created$/gm)).toHaveLength(count);
    expect((await kubectl('apply', '-f', file)).match(/ unchanged$/gm)).toHaveLength(count);
    expect(await kubectl('diff', '-f', file)).toBe('');
    await server.stop();
  },
);
