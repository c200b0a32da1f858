import fc from 'fast-check';
import { test, vi } from 'vitest';
import { createProtobuf } from '../../src/codec/index.ts';
import { productNamed } from '../../src/meta/index.ts';
import { createCatalog, formatGroupVersion, type Resource } from '../../src/schema/index.ts';
import { hostileJson, shapedObject } from './values.ts';
import { attempts, createWorld, patience } from './world.ts';

vi.setConfig({ testTimeout: patience });

const product = productNamed('kubernetes');
const catalog = createCatalog(product);
const resources = catalog.groups.flatMap(({ name: group, versions }) =>
  versions.flatMap((version) => catalog.resourcesOf(formatGroupVersion({ group, version }))),
);
const creatable = resources.filter(({ verbs }) => verbs.has('create'));

const collection = ({ group, version, namespaced, name }: Resource): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${name}`;

test.each(creatable.map((resource) => [`${formatGroupVersion(resource)} ${resource.kind}`, resource] as const))(
  '%s of hostile fields is answered',
  async (_, resource) => {
    const world = await createWorld();
    await fc.assert(
      fc.asyncProperty(shapedObject(resource.schema), async (body) => {
        await world.endure({ method: 'POST', target: collection(resource), headers: { 'content-type': 'application/json' }, body });
      }),
      attempts(8),
    );
  },
);

const places = creatable.map(collection);

test('any JSON is answered as a body, read as JSON and as YAML', async () => {
  const world = await createWorld();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      hostileJson,
      fc.constantFrom('application/json', 'application/yaml'),
      async (at, body, type) => {
        await world.endure({ method: 'POST', target: at, headers: { 'content-type': type }, body });
      },
    ),
    attempts(300),
  );
});

const broken = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.tuple(hostileJson, fc.nat(), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = new TextEncoder().encode(text);
    return Uint8Array.from(bytes, (one, index) => (index === at % bytes.length ? byte : one));
  }),
);

test('any bytes are answered as a body of any type', async () => {
  const world = await createWorld();
  const types = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'text/plain', ''];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), broken, fc.constantFrom(...types), async (at, body, type) => {
      await world.endure({ method: 'POST', target: at, headers: { 'content-type': type }, body });
    }),
    attempts(300),
  );
});

test('broken protobuf of every kind is answered', async () => {
  const world = await createWorld();
  const protobuf = createProtobuf(catalog, product);
  const envelope = ({ kind, ...place }: Resource): Uint8Array =>
    protobuf.encode({ apiVersion: formatGroupVersion(place), kind, metadata: { name: 'a', labels: { a: 'b' } } });
  await fc.assert(
    fc.asyncProperty(fc.nat(creatable.length - 1), fc.uint8Array({ maxLength: 40 }), fc.nat(), async (index, tail, at) => {
      const resource = creatable[index] as Resource;
      const whole = envelope(resource);
      // The magic number and the type stay more often than not.
      const cut = 4 + (at % (whole.length - 4));
      const body = Uint8Array.from([...whole.subarray(0, cut), ...tail, ...whole.subarray(cut)]);
      await world.endure({
        method: 'POST',
        target: collection(resource),
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body,
      });
    }),
    attempts(300),
  );
});
