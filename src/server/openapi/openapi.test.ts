import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readFields, readText } from '../../codec/index.ts';
import { createManualClock } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import {
  createCatalog,
  createDescribeType,
  createPlainCustomVersion,
  type DescribeType,
  loadDescriptions as loadData,
  readSchemaNode,
} from '../../schema/index.ts';
import { answerOpenApi, createOpenApi, type OpenApi, type OpenApiRequest } from './index.ts';

const recordedText = gunzipSync(readFileSync(new URL('../../../test/facts/catalog/openapi-default.json.gz', import.meta.url))).toString();

const clock = createManualClock();

const loadDescriptions = async (): Promise<DescribeType> => createDescribeType(await loadData(), productByName('kubernetes'));

interface Recorded {
  readonly documents: Readonly<Record<string, object>>;
  readonly 'openapi/v2': object;
  readonly 'openapi/v3': { readonly paths: object };
}

function openApiOf(name: 'svc' | 'kubernetes'): { openApi: OpenApi; recorded: Recorded } {
  const product = productByName(name);
  const openApi = createOpenApi({
    services: [],
    catalog: createCatalog(product),
    product,
    release: '1.34',
    customSchema: () => undefined,
    loadDescriptions,
    clock,
  });
  return { openApi, recorded: JSON.parse(product.rename(recordedText)) };
}

/** Descriptions are texts; a property called `description` is an object. */
const withoutDescriptions = (text: string | undefined): unknown =>
  JSON.parse(text ?? 'null', (key, value: unknown) => (key === 'description' && typeof value === 'string' ? undefined : value));

for (const name of ['kubernetes', 'svc'] as const) {
  test(`the documents of version 3 of ${name} match the recorded ones`, async () => {
    const { openApi, recorded } = openApiOf(name);
    for (const [document, expected] of Object.entries(recorded.documents)) {
      expect(withoutDescriptions((await openApi.v3(document))?.text), document).toEqual(expected);
    }
    expect(Object.keys(recorded.documents)).toHaveLength(47);
  });

  test(`the document of version 2 of ${name} matches the recorded one`, async () => {
    const { openApi, recorded } = openApiOf(name);
    expect(withoutDescriptions((await openApi.v2()).text)).toEqual(recorded['openapi/v2']);
  });
}

test('the index lists every document with the hash of its content', async () => {
  const { openApi, recorded } = openApiOf('kubernetes');
  const { paths } = JSON.parse(await openApi.index());
  expect(Object.keys(paths)).toEqual(Object.keys(recorded['openapi/v3'].paths).sort());
  expect(paths['apis/apps/v1'].serverRelativeURL).toBe(`/openapi/v3/apis/apps/v1?hash=${(await openApi.v3('apis/apps/v1'))?.hash}`);
});

const defaultRequest: OpenApiRequest = {
  path: '',
  hash: '',
  accept: undefined,
  ifNoneMatch: undefined,
  nowMs: Date.UTC(2026, 10, 21),
  aggregated: [],
};

test('serves a document by its hash with a cache lifetime of a year, and redirects when it changed', async () => {
  const { openApi } = openApiOf('kubernetes');
  const hash = (await openApi.v3('version'))?.hash ?? '';
  const found = await answerOpenApi(openApi, { ...defaultRequest, path: '/openapi/v3/version', hash });
  expect(found?.status).toBe(200);
  expect(found?.body).toBe((await openApi.v3('version'))?.text);
  expect(Object.fromEntries(found?.headers ?? [])).toEqual({
    'cache-control': 'public, immutable',
    'content-type': 'application/json',
    etag: `"${hash}"`,
    expires: 'Sun, 21 Nov 2027 00:00:00 GMT',
    vary: 'Accept',
  });
  const moved = await answerOpenApi(openApi, { ...defaultRequest, path: '/openapi/v3/version', hash: 'old' });
  expect(moved?.status).toBe(301);
  expect(new Map(moved?.headers).get('location')).toBe(`/openapi/v3/version?hash=${hash}`);
});

test('answers below /openapi are negotiated and cached', async () => {
  const { openApi } = openApiOf('kubernetes');
  const statusOf = async (request: Partial<OpenApiRequest>): Promise<number | undefined> =>
    (await answerOpenApi(openApi, { ...defaultRequest, ...request }))?.status;
  const index = await answerOpenApi(openApi, { ...defaultRequest, path: '/openapi/v3' });
  expect(index).toMatchObject({ status: 200, headers: [['content-type', 'text/plain; charset=utf-8']] });
  expect(await statusOf({ path: '/openapi/v3/apis/nope/v1' })).toBe(404);
  expect(await statusOf({ path: '/openapi/v2', accept: 'text/plain' })).toBe(406);
  expect(await statusOf({ path: '/openapi/v2', ifNoneMatch: `"${(await openApi.v2()).hash}"` })).toBe(304);
  expect(await statusOf({ path: '/openapi/v3/version', ifNoneMatch: `"x", W/"${(await openApi.v3('version'))?.hash}"` })).toBe(304);
  expect(await statusOf({ path: '/openapi' })).toBeUndefined();
});

const fieldsAt = (bytes: Uint8Array, ...numbers: readonly number[]): readonly Uint8Array[] =>
  numbers.reduce<readonly Uint8Array[]>(
    (messages, number) =>
      messages.flatMap((message) => [...readFields(message)].filter((field) => field.number === number).map((field) => field.bytes)),
    [bytes],
  );

test('sends version 2 as protobuf to clients that accept it', async () => {
  const { openApi } = openApiOf('kubernetes');
  const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
  const found = await answerOpenApi(openApi, { ...defaultRequest, path: '/openapi/v2', accept });
  expect(new Map(found?.headers).get('content-type')).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
  const bytes = found?.body as Uint8Array;
  const text = (...numbers: readonly number[]): readonly string[] => fieldsAt(bytes, ...numbers).map(readText);
  const document = JSON.parse((await openApi.v2()).text);
  expect(text(1)).toEqual(['2.0']);
  expect(text(2, 1)).toEqual(['Kubernetes']);
  expect(text(8, 2, 1)).toEqual(Object.keys(document.paths));
  expect(text(9, 1, 1)).toEqual(Object.keys(document.definitions));
  expect(text(10, 1, 1)).toEqual(Object.keys(document.parameters));
  // ConfigMap: its properties, and its kind as YAML among the extensions.
  const configMap = fieldsAt(bytes, 9, 1).find((entry) =>
    readText(fieldsAt(entry, 1)[0] ?? new Uint8Array()).endsWith('core.v1.ConfigMap'),
  );
  const properties = fieldsAt(configMap ?? new Uint8Array(), 2, 25, 1, 1).map(readText);
  expect(properties).toEqual(['kind', 'apiVersion', 'metadata', 'immutable', 'data', 'binaryData']);
  expect(fieldsAt(configMap ?? new Uint8Array(), 2, 31, 1).map(readText)).toEqual(['x-kubernetes-group-version-kind']);
  expect(fieldsAt(configMap ?? new Uint8Array(), 2, 31, 2, 2).map(readText)).toEqual(['- group: ""\n  kind: ConfigMap\n  version: v1\n']);
  // The body of every PATCH is shared, and so a reference: PathItem.patch → parameters → json_reference → $ref.
  expect(new Set(fieldsAt(bytes, 8, 2, 2, 8, 8, 2, 1).map(readText))).toContain('#/parameters/body-78PwaGsr');
  // Query parameters of patches that are no references: Parameter → non-body → query → name.
  expect(new Set(fieldsAt(bytes, 8, 2, 2, 8, 8, 1, 2, 3, 4).map(readText))).toEqual(new Set(['dryRun', 'fieldValidation']));
});

test('documents of custom resources contain the schema of their definition', async () => {
  const product = productByName('kubernetes');
  const catalog = createCatalog(product);
  const pods = catalog.resource('v1', 'pods');
  const status = pods?.subresources.get('status');
  if (!pods || !status) throw new Error('no pods');
  const own = { group: 'g.example.com', version: 'v1', kind: 'Widget' };
  const widgets = {
    ...pods,
    ...own,
    name: 'widgets',
    fieldSelectors: ['spec.a'],
    custom: createPlainCustomVersion('widgets.g.example.com', readSchemaNode({ type: 'object' }, 'x-kubernetes-')),
    subresources: new Map([['status', { ...status, kind: 'Widget', groupVersion: 'g.example.com/v1' }]]),
  };
  const extended = {
    ...catalog,
    groups: [...catalog.groups, { name: 'g.example.com', versions: ['v1'] }],
    resourcesOf: (groupVersion: string) => (groupVersion === 'g.example.com/v1' ? [widgets] : catalog.resourcesOf(groupVersion)),
  };
  const inside = { type: 'object', 'x-kubernetes-embedded-resource': true };
  const spec = { type: 'object', properties: { a: { type: 'string' } } };
  const openApi = createOpenApi({
    services: [],
    catalog: extended,
    product,
    release: '1.34',
    clock,
    loadDescriptions,
    customSchema: () => ({ type: 'object', description: 'A widget.', properties: { spec, inside } }),
  });
  const before = createOpenApi({ catalog, services: [], product, release: '1.34', customSchema: () => undefined, loadDescriptions, clock });
  const core = await before.v3('api/v1');
  const after = createOpenApi({
    services: [],
    catalog: extended,
    product,
    release: '1.34',
    customSchema: () => undefined,
    loadDescriptions,
    clock,
    previous: before,
  });
  expect(await after.v3('api/v1')).toBe(core);
  const document = JSON.parse((await openApi.v3('apis/g.example.com/v1'))?.text ?? '');
  expect(await openApi.v3('apis/g.example.com')).toBeUndefined();
  expect(document.components.schemas['com.example.g.v1.Widget']).toMatchObject({
    description: 'A widget.',
    properties: {
      spec,
      inside: { ...inside, required: ['kind', 'apiVersion'], properties: { kind: { type: 'string' } } },
      metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
    },
    'x-kubernetes-group-version-kind': [own],
    'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.a' }],
  });
  expect(document.components.schemas['com.example.g.v1.WidgetList'].properties.items.items).toEqual({
    $ref: '#/components/schemas/com.example.g.v1.Widget',
  });
  const paths = document.paths;
  const item = '/apis/g.example.com/v1/namespaces/{namespace}/widgets/{name}';
  expect(Object.keys(paths)).toEqual([
    '/apis/g.example.com/v1/namespaces/{namespace}/widgets',
    item,
    `${item}/status`,
    '/apis/g.example.com/v1/widgets',
  ]);
  expect(Object.keys(paths[`${item}/status`].patch.requestBody.content)).toEqual([
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/apply-patch+yaml',
  ]);
});

test('sends documents of version 3 as protobuf to clients that accept it, with the hash of the JSON', async () => {
  const { openApi } = openApiOf('kubernetes');
  const path = '/openapi/v3/api/v1';
  const mediaType = 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf';
  for (const accept of [mediaType, mediaType.replace('v3.v1.0', 'v3@v1.0')]) {
    const found = await answerOpenApi(openApi, { ...defaultRequest, path, accept });
    const headers = new Map(found?.headers);
    expect([found?.status, headers.get('content-type'), headers.get('vary')]).toEqual([200, mediaType, 'Accept']);
    expect(headers.get('etag')).toBe(`"${(await openApi.v3('api/v1'))?.hash}"`);
  }
  const bytes = (await openApi.v3Protobuf('api/v1'))?.bytes ?? new Uint8Array();
  const text = (...numbers: readonly number[]): readonly string[] => fieldsAt(bytes, ...numbers).map(readText);
  const document = JSON.parse((await openApi.v3('api/v1'))?.text ?? '');
  expect(text(1)).toEqual(['3.0.0']);
  expect(text(2, 1)).toEqual(['Kubernetes']);
  expect(text(4, 1, 1)).toEqual(Object.keys(document.paths));
  expect(text(5, 1, 1, 1)).toEqual(Object.keys(document.components.schemas));
  expect(text(5, 7, 1, 1)).toEqual(['BearerToken']);
  expect(await openApi.v3Protobuf('apis/none')).toBeUndefined();
});
