import { expect, test, vi } from 'vitest';
import { createTestServer, type TestServer, testTimeoutMs } from './test-server.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

const configMaps = '/api/v1/namespaces/default/configmaps';
const post = (server: TestServer, type: string, body: string | Uint8Array): Promise<number> =>
  server.sendForStatus({ method: 'POST', target: configMaps, headers: { 'content-type': type }, body });
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

test.each([
  ['lists in JSON', 'application/json', (depth: number) => `{"metadata":{"name":"a"},"x":${nested(depth)}}`],
  ['objects in JSON', 'application/json', (depth: number) => `{"metadata":{"name":"a"},"x":${objects(depth)}}`],
  ['lists in YAML', 'application/yaml', (depth: number) => `{"metadata":{"name":"a"},"x":${nested(depth)}}`],
  ['objects in YAML', 'application/yaml', (depth: number) => `{"metadata":{"name":"a"},"x":${objects(depth)}}`],
  ['blocks in YAML', 'application/yaml', (depth: number) => `metadata: {name: a}\nx:\n  ${'- '.repeat(depth)}1`],
])('accepts %s of 9,000 levels and rejects 100,000', async (_, type, body) => {
  const server = await createTestServer();
  expect(await post(server, type, body(9_000))).toBe(201);
  expect(await post(server, type, body(100_000))).toBe(400);
});

test.each([
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
])('returns a valid response for a deep %s', async (type) => {
  const server = await createTestServer();
  await post(server, 'application/json', '{"metadata":{"name":"a"}}');
  const patch = (body: string): Promise<number> =>
    server.sendForStatus({ method: 'PATCH', target: `${configMaps}/a?fieldManager=m`, headers: { 'content-type': type }, body });
  const wrapped = (value: string): string =>
    type.includes('json-patch') ? `[{"op":"add","path":"/x","value":${value}}]` : `{"metadata":{"name":"a"},"x":${value}}`;
  for (const depth of [3_000, 9_990, 100_000]) {
    await patch(wrapped(objects(depth)));
    await patch(wrapped(nested(depth)));
  }
  expect((await server.send({ method: 'GET', target: `${configMaps}/a` })).status).toBe(200);
});

test('stores or rejects a deep object in a RawExtension', async () => {
  const server = await createTestServer();
  for (const depth of [3_000, 9_900, 100_000]) {
    await server.sendForStatus({
      method: 'POST',
      target: '/apis/apps/v1/namespaces/default/controllerrevisions',
      headers: { 'content-type': 'application/json' },
      body: `{"metadata":{"name":"a${depth}"},"revision":1,"data":${objects(depth)}}`,
    });
  }
  expect((await server.send({ method: 'GET', target: '/apis/apps/v1/controllerrevisions' })).status).toBe(200);
});

test('returns a valid response for deep protobuf', async () => {
  const server = await createTestServer();
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
    await server.sendForStatus({ method: 'POST', target, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body }),
  ).toBeGreaterThan(399);
});

test('rejects a billion laughs attack', async () => {
  const server = await createTestServer();
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]'];
  for (let index = 1; index < 9; index++)
    lines.push(
      `${'abcdefghi'[index]}: &${'abcdefghi'[index]} [${Array(9)
        .fill(`*${'abcdefghi'[index - 1]}`)
        .join(',')}]`,
    );
  expect(await post(server, 'application/yaml', lines.join('\n'))).toBe(400);
  expect(await post(server, 'application/yaml', 'a: &a [*a]')).toBe(400);
  expect(await post(server, 'application/yaml', 'a: &a\n  <<: *a')).toBe(400);
});

test('returns 413 for a body above the limit before decoding it', async () => {
  const server = await createTestServer();
  expect(await post(server, 'application/json', `{"data":{"k":"${'x'.repeat(16 * 1024 * 1024)}"}}`)).toBe(413);
  expect(await post(server, 'application/yaml', 'x'.repeat(16 * 1024 * 1024))).toBe(413);
});

test.each([
  ['a byte order mark', '\ufeff{"metadata":{"name":"a"}}', 400],
  ['a NUL', '{"metadata":{"name":"a\\u0000"}}', 422],
  ['a bare NUL', '{"metadata":{"name":"a\u0000"}}', 400],
  ['a lone surrogate', '{"metadata":{"name":"a"},"data":{"k":"\\ud800"}}', 201],
  ['names of Object members', '{"metadata":{"name":"a"},"data":{"__proto__":"x","constructor":"y","toString":"z"}}', 201],
  ['a __proto__ member', '{"metadata":{"name":"a"},"__proto__":{"data":{"k":"v"}}}', 201],
  ['a number that overflows', '{"metadata":{"name":"a"},"x":1e400}', 201],
  ['duplicate names', '{"metadata":{"name":"a"},"metadata":{"labels":{"a":"b"}},"kind":"ConfigMap","kind":"ConfigMap"}', 201],
])('treats %s as the real server does', async (_, body, status) => {
  const server = await createTestServer();
  expect(await post(server, 'application/json', body)).toBe(status);
  expect(({} as Record<string, unknown>)['data']).toBeUndefined();
});

test('replaces invalid UTF-8 bytes', async () => {
  const server = await createTestServer();
  const body = Uint8Array.from([
    ...new TextEncoder().encode('{"metadata":{"name":"a"},"data":{"k":"'),
    0xff,
    0xc0,
    ...new TextEncoder().encode('"}}'),
  ]);
  expect(await post(server, 'application/json', body)).toBe(201);
});
