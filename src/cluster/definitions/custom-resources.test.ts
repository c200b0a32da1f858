import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const name = 'widgets.example.com';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

function definition(schema: JsonObject, version: JsonObject = {}, spec: JsonObject = {}): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: 'example.com',
      names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } }, ...version }],
      ...spec,
    },
  };
}

async function withWidgets(schema: JsonObject, version: JsonObject = {}): Promise<TestCluster> {
  const cluster = await startTestCluster();
  expect((await cluster.send('POST', definitions, definition(schema, version))).status).toBe(201);
  await settle(cluster);
  return cluster;
}

/** Waits until the server's controllers are idle: each of their steps is a request. */
async function settle({ clock }: Pick<TestCluster, 'clock'>): Promise<void> {
  for (let step = 0; step < 40; step++) await clock.advance(1);
}

const widget = (named: string, rest: JsonObject = {}): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: named },
  ...rest,
});
const specOf = (properties: JsonObject): JsonObject => ({ properties: { spec: { type: 'object', properties } } });

test('serves a definition once its names are accepted, on every server of the store', async () => {
  const one = await startTestCluster();
  const other = await startTestCluster({ storage: one.storage });
  await one.send('POST', definitions, definition({}));
  expect((await one.send('GET', widgets)).status).toBe(404);
  await settle(one);
  expect((await one.send('GET', widgets)).status).toBe(200);
  expect((await other.send('POST', widgets, widget('a'))).status).toBe(201);
  const found = bodyOf(await one.send('GET', `${definitions}/${name}`)) as { metadata: { managedFields: { manager: string }[] } };
  expect(found.metadata.managedFields.map(({ manager }) => manager)).toContain('kube-apiserver');
});

test('the deletion of a collection removes definitions at once, without their objects', async () => {
  const cluster = await withWidgets({});
  const { send } = cluster;
  await cluster.create(widgets, widget('a'));
  expect((await send('DELETE', definitions)).status).toBe(200);
  expect((await send('GET', `${definitions}/${name}`)).status).toBe(404);
  await cluster.create(definitions, definition({}));
  await settle(cluster);
  expect((await send('GET', `${widgets}/a`)).status).toBe(200);
});

test('prunes, defaults and validates objects by the schema of their definition', async () => {
  const { send } = await withWidgets(specOf({ size: { type: 'integer', maximum: 3 }, color: { type: 'string', default: 'red' } }));
  const made = await send('POST', widgets, widget('a', { spec: { size: 1, other: true } }));
  expect(made.headers.filter(([header]) => header === 'warning')).toEqual([['warning', '299 - "unknown field \\"spec.other\\""']]);
  expect(bodyOf(made)['spec']).toEqual({ color: 'red', size: 1 });
  const refused = bodyOf(await send('POST', widgets, widget('b', { spec: { size: 4 } })));
  expect(refused['message']).toBe(
    'Widget.example.com "b" is invalid: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3',
  );
});

test('allows unchanged values that a new schema rejects (ratcheting)', async () => {
  const { send, clock } = await withWidgets(specOf({ a: { type: 'string' }, b: { type: 'string' } }));
  await send('POST', widgets, widget('a', { spec: { a: 'long', b: 'b' } }));
  const schema = { type: 'object', ...specOf({ a: { type: 'string', maxLength: 2 }, b: { type: 'string' } }) };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const merge = { 'content-type': 'application/merge-patch+json' };
  expect((await send('PATCH', `${definitions}/${name}`, { spec: { versions } }, merge)).status).toBe(200);
  await settle({ clock });
  expect((await send('PATCH', `${widgets}/a`, { spec: { b: 'c' } }, merge)).status).toBe(200);
  expect((await send('PATCH', `${widgets}/a`, { spec: { a: 'longer' } }, merge)).status).toBe(422);
});

test('applies later defaults to old objects without changing their generation', async () => {
  const { send, clock } = await withWidgets(specOf({ a: { type: 'string' } }));
  await send('POST', widgets, widget('a', { spec: {} }));
  const schema = { type: 'object', ...specOf({ a: { type: 'string', default: 'x' } }) };
  const merge = { 'content-type': 'application/merge-patch+json' };
  await send(
    'PATCH',
    `${definitions}/${name}`,
    { spec: { versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }] } },
    merge,
  );
  await settle({ clock });
  expect(bodyOf(await send('GET', `${widgets}/a`))['spec']).toEqual({ a: 'x' });
  const labelled = bodyOf(await send('PATCH', `${widgets}/a`, { metadata: { labels: { l: '1' } } }, merge));
  expect(labelled).toMatchObject({ metadata: { generation: 1 }, spec: { a: 'x' } });
});

test('an established definition takes no CA bundle that cannot be loaded', async () => {
  const webhook = { clientConfig: { url: 'https://a' }, conversionReviewVersions: ['v1'] };
  const cluster = await startTestCluster();
  await cluster.create(definitions, definition({}, {}, { conversion: { strategy: 'Webhook', webhook } }));
  await settle(cluster);
  const patch = { spec: { conversion: { webhook: { clientConfig: { caBundle: 'Cg==' } } } } };
  const merge = { 'content-type': 'application/merge-patch+json' };
  expect(bodyOf(await cluster.send('PATCH', `${definitions}/${name}`, patch, merge))['message']).toBe(
    `CustomResourceDefinition.apiextensions.k8s.io "${name}" is invalid: spec.conversion.webhookClientConfig.caBundle: Invalid value: "Cg==": unable to load root certificates: unable to parse bytes as PEM block`,
  );
});

test('reports equal kind and listKind before the categories', async () => {
  const { send } = await startTestCluster();
  const names = { plural: 'widgets', kind: 'Widget', listKind: 'Widget', shortNames: ['X'], categories: ['Y'] };
  const { causes } = bodyOf(await send('POST', definitions, definition({}, {}, { names })))['details'] as { causes: JsonObject[] };
  expect(causes.map(({ field }) => field)).toEqual(['spec.names.shortNames[0]', 'spec.names.listKind', 'spec.names.categories[0]']);
});

test('deletes a definition after its last object, and rejects creations meanwhile', async () => {
  const { send, clock } = await withWidgets({});
  await send('POST', widgets, widget('a', { metadata: { name: 'a', finalizers: ['example.com/hold'] } }));
  expect(bodyOf(await send('DELETE', `${definitions}/${name}`))).toMatchObject({
    metadata: { finalizers: ['customresourcecleanup.apiextensions.k8s.io'] },
  });
  await settle({ clock });
  const refused = await send('POST', widgets, widget('b'));
  expect([refused.status, bodyOf(refused)['message']]).toEqual([
    403,
    'widgets.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
  ]);
  const merge = { 'content-type': 'application/merge-patch+json' };
  expect((await send('PATCH', `${widgets}/a`, { metadata: { finalizers: null } }, merge)).status).toBe(200);
  await clock.advance(6_000);
  await settle({ clock });
  expect((await send('GET', `${definitions}/${name}`)).status).toBe(404);
  expect((await send('GET', widgets)).status).toBe(404);
});

test('ends a watch one second after its definition has changed', async () => {
  const { send, clock } = await withWidgets({});
  const { body } = await send('GET', `${widgets}?watch=1`);
  await send('POST', widgets, widget('a'));
  const merge = { 'content-type': 'application/merge-patch+json' };
  await send('PATCH', `${definitions}/${name}`, { spec: { names: { shortNames: ['wx'] } } }, merge);
  await clock.advance(2_000);
  const events: string[] = [];
  for await (const chunk of body as AsyncIterable<string>) events.push(JSON.parse(chunk).type);
  expect(events).toEqual(['ADDED']);
});

test('returns tables with the columns of the definition', async () => {
  const columns = [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ];
  const { send } = await withWidgets(specOf({ size: { type: 'integer' } }), { additionalPrinterColumns: columns });
  await send('POST', widgets, widget('a', { spec: { size: 3 } }));
  const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const table = bodyOf(await send('GET', widgets, undefined, { accept })) as { rows: { cells: unknown[] }[]; columnDefinitions: object[] };
  expect(table.rows.map(({ cells }) => cells)).toEqual([['a', 3, expect.stringMatching(/^\d+s$/)]]);
  expect(table.columnDefinitions[1]).toMatchObject({ description: 'Custom resource definition column (in JSONPath format): .spec.size' });
});

test('includes a new resource in discovery and OpenAPI', async () => {
  const { send } = await withWidgets(specOf({ size: { type: 'integer' } }));
  expect(bodyOf(await send('GET', '/apis/example.com/v1'))['resources']).toMatchObject([{ name: 'widgets', shortNames: ['wd'] }]);
  const paths = (bodyOf(await send('GET', '/openapi/v3'))['paths'] ?? {}) as JsonObject;
  expect(Object.keys(paths)).toContain('apis/example.com/v1');
  expect(Object.keys(paths)).not.toContain('apis/example.com');
  const definitionsOfV2 = bodyOf(await send('GET', '/openapi/v2'))['definitions'] as JsonObject;
  expect(definitionsOfV2['com.example.v1.Widget']).toMatchObject({ type: 'object' });
});

test('orders metadata by declaration when decoded alone, and by name in the whole object', async () => {
  const { send } = await withWidgets({ properties: { spec: { type: 'object' } } });
  await send('POST', widgets, widget('a', { spec: {} }));
  const metadataAs = async (form: string): Promise<readonly string[]> => {
    const answer = bodyOf(await send('GET', `${widgets}/a`, undefined, { accept: `application/json;as=${form};v=v1;g=meta.k8s.io` }));
    const object = form === 'Table' ? (answer['rows'] as { object: JsonObject }[])[0]?.object : answer;
    return Object.keys(object?.['metadata'] as JsonObject);
  };
  const declared = ['name', 'namespace', 'uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'];
  expect(await metadataAs('PartialObjectMetadata')).toEqual(declared);
  expect(await metadataAs('Table')).toEqual(declared);
  const whole = bodyOf(await send('GET', `${widgets}/a`))['metadata'] as JsonObject;
  expect(Object.keys(whole)).toEqual([...declared].sort());
});

test('reports the first by name of several invalid metadata fields', async () => {
  const { send } = await withWidgets({ properties: { spec: { type: 'object' } } });
  const answer = await send('POST', widgets, { ...widget('a'), metadata: { name: [], annotations: { a: [] } } });
  expect(bodyOf(answer)['message']).toContain('ObjectMeta.annotations of type string');
});

test('validates metadata three times on update, as kube-apiserver does', async () => {
  const { send, create } = await withWidgets({});
  await create(widgets, widget('a'));
  const patch = { metadata: { labels: { a: ' ' }, finalizers: ['x y'] } };
  const answer = bodyOf(await send('PATCH', `${widgets}/a`, patch, { 'content-type': 'application/merge-patch+json' }));
  const { causes } = answer['details'] as { causes: JsonObject[] };
  expect(causes.map(({ field }) => field)).toEqual(['metadata.labels', 'metadata.finalizers', 'metadata.labels', 'metadata.labels']);
});

test('accepts any scalar for a string with format in an apply, and validates it by the schema', async () => {
  const { send } = await withWidgets({
    properties: { spec: { type: 'object', properties: { when: { type: 'string', format: 'date-time' } } } },
  });
  const apply = async (when: unknown): Promise<unknown> => {
    const intent = widget('a', { spec: { when } as JsonObject });
    return bodyOf(await send('PATCH', `${widgets}/a?fieldManager=m`, intent, { 'content-type': 'application/apply-patch+yaml' }))[
      'message'
    ];
  };
  expect(await apply([])).toMatch(/\.spec\.when: expected any scalar, got &\{\[\]\}$/);
  expect(await apply('ABC')).toMatch(/spec\.when in body must be of type date-time: "ABC"/);
});

test('ignores null in a create or update, and rejects it in an apply', async () => {
  const { send } = await withWidgets(
    specOf({ size: { type: 'integer' }, note: { type: 'string', nullable: true }, mode: { type: 'string', default: 'a' } }),
  );
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  expect((await send('POST', widgets, widget('a', { spec: { size: null } }))).status).toBe(201);
  const refused = await send('PATCH', `${widgets}/b?fieldManager=m`, widget('b', { spec: { size: null } }), apply);
  expect([refused.status, bodyOf(refused)['message']]).toEqual([
    422,
    'Widget.example.com "b" is invalid: spec.size: Invalid value: "null": spec.size in body must be of type integer: "null"',
  ]);
  const taken = await send('PATCH', `${widgets}/c?fieldManager=m`, widget('c', { spec: { mode: null, note: null } }), apply);
  expect(bodyOf(taken)['spec']).toEqual({ mode: 'a', note: null });
});

test('reports only the kind of a body with another kind, not its fields', async () => {
  const { send } = await withWidgets(specOf({ size: { type: 'integer', default: 1 } }));
  const other = { ...widget('a'), kind: 'Other', more: true };
  const made = await send('POST', widgets, other);
  expect([made.status, bodyOf(made)['message']]).toEqual([
    422,
    'Other.example.com "a" is invalid: kind: Invalid value: "Other": must be Widget',
  ]);
  expect(made.headers.map(([header]) => header)).not.toContain('warning');
});

test('reports a patch that changes kind or version as its validation does', async () => {
  const { send } = await withWidgets(specOf({ size: { type: 'integer' } }));
  expect((await send('POST', widgets, widget('a'))).status).toBe(201);
  const patched = async (body: JsonObject): Promise<unknown> => {
    const answer = await send('PATCH', `${widgets}/a`, body, { 'content-type': 'application/merge-patch+json' });
    return [answer.status, bodyOf(answer)['message']];
  };
  expect(await patched({ kind: 'Other', apiVersion: 'apps/v1' })).toEqual([
    422,
    'Other.apps "a" is invalid: [kind: Invalid value: "Other": must be Widget, apiVersion: Invalid value: "apps/v1": must be example.com/v1]',
  ]);
  expect(await patched({ kind: null })).toEqual([
    422,
    expect.stringMatching(/: Object 'Kind' is missing in '\{"apiVersion":"example.com\/v1",/),
  ]);
  expect(await patched({ apiVersion: '' })).toEqual([
    500,
    "Internal error occurred: Object 'apiVersion' is missing in 'object has no apiVersion field'",
  ]);
});

test('reads the type from the exact member names, returns the object as sent, and uses the last of duplicates', async () => {
  const { send } = await withWidgets({});
  const posted = async (text: string): Promise<JsonObject> =>
    bodyOf(await send('POST', widgets, new TextEncoder().encode(text))) as JsonObject;
  const body = '{ "KIND": "Widget", "apiVersion": "example.com/v1", "metadata": {"name": "x"} }';
  expect((await posted(body))['message']).toContain(`Object 'Kind' is missing in '${body}'`);
  const twice = '{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"name":"x","labels":{"a":"b"}},"metadata":{"name":"y"}}';
  expect((await posted(twice))['metadata']).not.toHaveProperty('labels');
});

test('computes the storage version hash of the real server', async () => {
  const { send } = await withWidgets({});
  const { resources } = bodyOf(await send('GET', '/apis/example.com/v1')) as { resources: readonly JsonObject[] };
  const hash = createHash('sha256').update('example.com/v1/Widget').digest().subarray(0, 8).toString('base64');
  expect(resources).toEqual([expect.objectContaining({ name: 'widgets', storageVersionHash: hash })]);
});

test('a watch cannot start before the definition of its resource', async () => {
  const cluster = await withWidgets({});
  await cluster.create(widgets, widget('a'));
  const created = bodyOf(await cluster.send('GET', `${definitions}/${name}`));
  const from = async (version: string): Promise<string> => {
    const { body } = await cluster.send('GET', `${widgets}?watch=1&resourceVersion=${version}&timeoutSeconds=1`);
    const chunks = readAll(body as AsyncIterable<string>);
    for (let step = 0; step < 20; step++) await cluster.clock.advance(100);
    return chunks;
  };
  expect(await from('1')).toMatch(/"type":"ERROR".*"message":"too old resource version: 1 \(\d+\)".*"code":410/);
  const { metadata } = created as { readonly metadata: { readonly resourceVersion: string } };
  expect(await from(metadata.resourceVersion)).toContain('"type":"ADDED"');
  await cluster.close();
});

async function readAll(body: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of body) text += chunk;
  return text;
}

test('does not evaluate rules for an object without a name', async () => {
  const { send } = await withWidgets({ 'x-kubernetes-validations': [{ rule: 'false' }] });
  expect(bodyOf(await send('POST', widgets, { apiVersion: 'example.com/v1', kind: 'Widget' }))).toMatchObject({
    code: 422,
    message:
      'Widget.example.com "" is invalid: [metadata.name: Required value: name or generateName is required, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]',
  });
});

test('the scale of a custom object cannot be applied', async () => {
  const scale = { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' };
  const { send, create } = await withWidgets(specOf({ n: { type: 'integer' } }), { subresources: { scale } });
  await create(widgets, widget('a', { spec: { n: 1 } }));
  const body = { apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 4 } };
  const type = { 'content-type': 'application/apply-patch+yaml' };
  const answer = await send('PATCH', `${widgets}/a/scale?fieldManager=m&force=true`, body, type);
  expect(bodyOf(answer)).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'failed to convert new object (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1',
    code: 500,
  });
});
