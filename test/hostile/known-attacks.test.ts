import { expect, test, vi } from 'vitest';
import { createWorld, patience, type World } from './world.ts';

vi.setConfig({ testTimeout: patience });

const configMaps = '/api/v1/namespaces/default/configmaps';
const post = (world: World, type: string, body: string | Uint8Array): Promise<number> =>
  world.endure({ method: 'POST', target: configMaps, headers: { 'content-type': type }, body });
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([
  ['lists in JSON', 'application/json', (depth: number) => `{"metadata":{"name":"a"},"x":${nested(depth)}}`],
  ['objects in JSON', 'application/json', (depth: number) => `{"metadata":{"name":"a"},"x":${objects(depth)}}`],
  ['lists in YAML', 'application/yaml', (depth: number) => `{"metadata":{"name":"a"},"x":${nested(depth)}}`],
  ['objects in YAML', 'application/yaml', (depth: number) => `{"metadata":{"name":"a"},"x":${objects(depth)}}`],
  ['blocks in YAML', 'application/yaml', (depth: number) => `metadata: {name: a}\nx:\n  ${'- '.repeat(depth)}1`],
])('%s may be 9,000 deep, not 100,000', async (_, type, body) => {
  const world = await createWorld();
  expect(await post(world, type, body(9_000))).toBe(201);
  expect(await post(world, type, body(100_000))).toBe(400);
});

test.each([
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
])('a deep %s is answered', async (type) => {
  const world = await createWorld();
  await post(world, 'application/json', '{"metadata":{"name":"a"}}');
  const patch = (body: string): Promise<number> =>
    world.endure({ method: 'PATCH', target: `${configMaps}/a?fieldManager=m`, headers: { 'content-type': type }, body });
  const wrapped = (value: string): string =>
    type.includes('json-patch') ? `[{"op":"add","path":"/x","value":${value}}]` : `{"metadata":{"name":"a"},"x":${value}}`;
  for (const depth of [3_000, 9_990, 100_000]) {
    await patch(wrapped(objects(depth)));
    await patch(wrapped(nested(depth)));
  }
  expect((await world.send({ method: 'GET', target: `${configMaps}/a` })).status).toBe(200);
});

test('a deep object is stored in a RawExtension or refused', async () => {
  const world = await createWorld();
  for (const depth of [3_000, 9_900, 100_000]) {
    await world.endure({
      method: 'POST',
      target: '/apis/apps/v1/namespaces/default/controllerrevisions',
      headers: { 'content-type': 'application/json' },
      body: `{"metadata":{"name":"a${depth}"},"revision":1,"data":${objects(depth)}}`,
    });
  }
  expect((await world.send({ method: 'GET', target: '/apis/apps/v1/controllerrevisions' })).status).toBe(200);
});

test('deep protobuf is answered', async () => {
  const world = await createWorld();
  const header = (name: number, length: number): number[] => {
    const bytes = [name * 8 + 2];
    let rest = length;
    for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
    return [...bytes, rest];
  };
  // JSONSchemaProps.not is field 25 in itself.
  let inner: number[] = [];
  for (let depth = 0; depth < 12_000; depth++) {
    inner = inner.length < 20_000 ? [0xca, 0x01, ...header(0, inner.length).slice(1), ...inner] : inner;
  }
  const text = (name: number, value: string): number[] => [...header(name, value.length), ...new TextEncoder().encode(value)];
  const within = (name: number, bytes: number[]): number[] => [...header(name, bytes.length), ...bytes];
  const schema = within(4, within(1, inner));
  const raw = within(2, within(7, [...text(1, 'v1'), ...schema]));
  const unknown = [...within(1, [...text(1, 'apiextensions.k8s.io/v1'), ...text(2, 'CustomResourceDefinition')]), ...within(2, raw)];
  const body = Uint8Array.from([0x6b, 0x38, 0x73, 0, ...unknown]);
  const target = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  expect(
    await world.endure({ method: 'POST', target, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body }),
  ).toBeGreaterThan(399);
});

test('a billion laughs are not laughed', async () => {
  const world = await createWorld();
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (let index = 1; index < 9; index++)
    lines.push(
      `${'abcdefghi'[index]}: &${'abcdefghi'[index]} [${Array(9)
        .fill(`*${'abcdefghi'[index - 1]}`)
        .join(',')}]`,
    );
  expect(await post(world, 'application/yaml', lines.join('\n'))).toBe(400);
  expect(await post(world, 'application/yaml', 'a: &a [*a]')).toBe(400);
  expect(await post(world, 'application/yaml', 'a: &a\n  <<: *a')).toBe(400);
});

test('what is too large is refused before it is read', async () => {
  const world = await createWorld();
  expect(await post(world, 'application/json', `{"data":{"k":"${'x'.repeat(16 * 1024 * 1024)}"}}`)).toBe(413);
  expect(await post(world, 'application/yaml', 'x'.repeat(16 * 1024 * 1024))).toBe(413);
});

test.each([
  ['a byte order mark', '\ufeff{"metadata":{"name":"a"}}', 400],
  ['a NUL', '{"metadata":{"name":"a\\u0000"}}', 422],
  ['a bare NUL', '{"metadata":{"name":"a\u0000"}}', 400],
  ['a lone surrogate', '{"metadata":{"name":"a"},"data":{"k":"\\ud800"}}', 201],
  ['members of Object', '{"metadata":{"name":"a"},"data":{"__proto__":"x","constructor":"y","toString":"z"}}', 201],
  ['a prototype to be', '{"metadata":{"name":"a"},"__proto__":{"data":{"k":"v"}}}', 201],
  ['a number beyond all', '{"metadata":{"name":"a"},"x":1e400}', 201],
  ['names that come twice', '{"metadata":{"name":"a"},"metadata":{"labels":{"a":"b"}},"kind":"ConfigMap","kind":"ConfigMap"}', 201],
])('%s is taken as the real server takes it', async (_, body, status) => {
  const world = await createWorld();
  expect(await post(world, 'application/json', body)).toBe(status);
  expect(({} as Record<string, unknown>)['data']).toBeUndefined();
});

test('bytes that are no UTF-8 are shown as what they stand for', async () => {
  const world = await createWorld();
  const body = Uint8Array.from([
    ...new TextEncoder().encode('{"metadata":{"name":"a"},"data":{"k":"'),
    0xff,
    0xc0,
    ...new TextEncoder().encode('"}}'),
  ]);
  expect(await post(world, 'application/json', body)).toBe(201);
});
