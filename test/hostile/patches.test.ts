import fc from 'fast-check';
import { test, vi } from 'vitest';
import { productByName } from '../../src/meta/index.ts';
import { createCatalog } from '../../src/schema/index.ts';
import { createTestServer, propertyOptions, type TestServer, testTimeoutMs } from './test-server.ts';
import { hostileJson, hostileText, type JsonText, objectText, shapedObject } from './values.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

const catalog = createCatalog(productByName('kubernetes'));
const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] }];

/** The objects to patch. */
const targets: readonly { readonly type: string; readonly collection: string; readonly object: object }[] = [
  { type: 'core/v1.ConfigMap', collection: '/api/v1/namespaces/default/configmaps', object: { data: { k: 'v' } } },
  { type: 'core/v1.Secret', collection: '/api/v1/namespaces/default/secrets', object: { data: { k: 'YQ==' } } },
  {
    type: 'apps/v1.Deployment',
    collection: '/apis/apps/v1/namespaces/default/deployments',
    object: {
      spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec: { containers } } },
    },
  },
  { type: 'core/v1.Service', collection: '/api/v1/namespaces/default/services', object: { spec: { ports: [{ port: 80 }] } } },
  { type: 'core/v1.Node', collection: '/api/v1/nodes', object: {} },
  { type: 'core/v1.Namespace', collection: '/api/v1/namespaces', object: {} },
  { type: 'rbac/v1.ClusterRole', collection: '/apis/rbac.authorization.k8s.io/v1/clusterroles', object: { rules: [] } },
];

async function createServerWithTargets(): Promise<TestServer> {
  const server = await createTestServer();
  for (const { collection, object } of targets) {
    const body = JSON.stringify({ metadata: { name: 'a', labels: { x: 'y' } }, ...object });
    await server.sendForStatus({ method: 'POST', target: collection, headers: { 'content-type': 'application/json' }, body });
  }
  return server;
}

const pointers = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '/metadata',
    '/metadata/labels/x',
    '/metadata/labels/__proto__',
    '/spec',
    '/data/k',
    '/metadata/name',
    '/kind',
    '/-1',
  ),
  fc.constantFrom(
    '/spec/template/spec/containers/0',
    '/spec/template/spec/containers/-',
    '/spec/template/spec/containers/1e1',
    '/a~2b',
    '/~',
    'x',
  ),
  fc.array(hostileText, { maxLength: 3 }).map((steps) => steps.map((step) => `/${step}`).join('')),
);
const operation = fc
  .record({
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x', ''),
    path: pointers,
    from: pointers,
    value: hostileJson,
  })
  .map(({ op, path, from, value }) =>
    objectText([
      ['op', JSON.stringify(op)],
      ['path', JSON.stringify(path)],
      ['from', JSON.stringify(from)],
      ['value', value],
    ]),
  );
const jsonPatch: fc.Arbitrary<JsonText> = fc.oneof(
  fc.array(operation, { maxLength: 4 }).map((operations) => `[${operations.join(',')}]`),
  hostileJson,
);

/** Directives of a strategic patch, inserted into any object. */
const directive: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('"$patch":"delete"', '"$patch":"replace"', '"$patch":"x"', '"$patch":1', '"$retainKeys":["a"]', '"$retainKeys":1'),
  fc.constantFrom('"$setElementOrder/containers":[{"name":"c"}]', '"$deleteFromPrimitiveList/finalizers":["x"]', '"$setElementOrder/x":{}'),
  fc.constantFrom('"$deleteFromPrimitiveList/":[]', '"$setElementOrder/finalizers":[null]', '"$setElementOrder/ports":[1]'),
);
const insertDirectives = (text: JsonText, directives: readonly string[]): JsonText => {
  let at = 0;
  return text.replace(/\{(?!\})/g, (open) => `${open}${at < directives.length ? `${directives[at++]},` : ''}`);
};

const bodies = (type: string): fc.Arbitrary<readonly [string, JsonText]> => {
  const shaped = shapedObject(catalog.type(type));
  return fc.oneof(
    jsonPatch.map((body) => ['application/json-patch+json', body] as const),
    shaped.map((body) => ['application/merge-patch+json', body] as const),
    hostileJson.map((body) => ['application/merge-patch+json', body] as const),
    fc
      .tuple(shaped, fc.array(directive, { maxLength: 3 }))
      .map(([body, at]) => ['application/strategic-merge-patch+json', insertDirectives(body, at)] as const),
    hostileJson.map((body) => ['application/strategic-merge-patch+json', body] as const),
    fc.oneof(shaped, hostileJson).map((body) => ['application/apply-patch+yaml', body] as const),
  );
};

test.each(targets.map(({ type, collection }) => [type, collection] as const))(
  'returns a valid response for hostile patches of a %s',
  async (type, collection) => {
    const server = await createServerWithTargets();
    const query = '?fieldManager=m&force=true';
    await fc.assert(
      fc.asyncProperty(bodies(type), fc.constantFrom('', '/status', '/scale'), async ([contentType, body], subresource) => {
        const target = `${collection}/a${subresource}${contentType.includes('apply') ? query : ''}`;
        await server.sendForStatus({ method: 'PATCH', target, headers: { 'content-type': contentType }, body });
      }),
      propertyOptions(60),
    );
  },
);

test.each(targets.map(({ type, collection }) => [type, collection] as const))(
  'returns a valid response for hostile updates of a %s',
  async (type, collection) => {
    const server = await createServerWithTargets();
    await fc.assert(
      fc.asyncProperty(
        shapedObject(catalog.type(type)),
        fc.constantFrom('', '/status', '/scale', '/finalize'),
        async (body, subresource) => {
          await server.sendForStatus({
            method: 'PUT',
            target: `${collection}/a${subresource}`,
            headers: { 'content-type': 'application/json' },
            body,
          });
        },
      ),
      propertyOptions(40),
    );
  },
);
