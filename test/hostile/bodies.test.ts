import fc from 'fast-check';
import { test, vi } from 'vitest';
import { createProtobuf } from '../../src/codec/index.ts';
import { productByName } from '../../src/meta/index.ts';
import { createCatalog, formatGroupVersion, type Resource } from '../../src/schema/index.ts';
import { createTestServer, propertyOptions, testTimeoutMs } from './test-server.ts';
import { hostileJson, shapedObject } from './values.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

const product = productByName('kubernetes');
const catalog = createCatalog(product);
const resources = catalog.groups.flatMap(({ name: group, versions }) =>
  versions.flatMap((version) => catalog.resourcesOf(formatGroupVersion({ group, version }))),
);
const creatable = resources.filter(({ verbs }) => verbs.has('create'));

const collection = ({ group, version, namespaced, name }: Resource): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${name}`;

test.each(creatable.map((resource) => [`${formatGroupVersion(resource)} ${resource.kind}`, resource] as const))(
  'returns a valid response for a %s with hostile fields',
  async (_, resource) => {
    const server = await createTestServer();
    await fc.assert(
      fc.asyncProperty(shapedObject(resource.schema), async (body) => {
        await server.sendForStatus({ method: 'POST', target: collection(resource), headers: { 'content-type': 'application/json' }, body });
      }),
      propertyOptions(8),
    );
  },
);

const collections = creatable.map(collection);

test('returns a valid response for any JSON body, decoded as JSON and as YAML', async () => {
  const server = await createTestServer();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...collections),
      hostileJson,
      fc.constantFrom('application/json', 'application/yaml'),
      async (at, body, type) => {
        await server.sendForStatus({ method: 'POST', target: at, headers: { 'content-type': type }, body });
      },
    ),
    propertyOptions(300),
  );
});

const broken = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.tuple(hostileJson, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = new TextEncoder().encode(text);
    return Uint8Array.from(bytes, (one, index) => (index === at % bytes.length ? byte : one));
  }),
);

test('returns a valid response for any bytes as a body of any media type', async () => {
  const server = await createTestServer();
  const types = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'text/plain', ''];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...collections), broken, fc.constantFrom(...types), async (at, body, type) => {
      await server.sendForStatus({ method: 'POST', target: at, headers: { 'content-type': type }, body });
    }),
    propertyOptions(300),
  );
});

test('returns a valid response for broken protobuf of every kind', async () => {
  const server = await createTestServer();
  const protobuf = createProtobuf(catalog, product);
  const envelope = ({ kind, ...place }: Resource): Uint8Array =>
    protobuf.encode({ apiVersion: formatGroupVersion(place), kind, metadata: { name: 'a', labels: { a: 'b' } } });
  await fc.assert(
    fc.asyncProperty(fc.nat(creatable.length - 1), fc.uint8Array({ maxLength: 40 }), fc.nat(), async (index, tail, at) => {
      const resource = creatable[index] as Resource;
      const whole = envelope(resource);
      // Mostly preserves the magic number and the type.
      const cut = 4 + (at % (whole.length - 4));
      const body = Uint8Array.from([...whole.subarray(0, cut), ...tail, ...whole.subarray(cut)]);
      await server.sendForStatus({
        method: 'POST',
        target: collection(resource),
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body,
      });
    }),
    propertyOptions(300),
  );
});
