import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { createCatalog, createPlainCustomVersion, readSchemaNode } from '../../schema/index.ts';
import { noAggregatedApis } from '../aggregation/aggregated-apis.ts';
import { answerAggregated, createDiscovery, type Discovery, fingerprint } from './index.ts';

const recordedText = readFileSync(new URL('../../../test/facts/catalog/discovery-default.json', import.meta.url), 'utf8');

interface Recorded {
  readonly api: object;
  readonly apis: object;
  readonly 'aggregated-v2-api': object;
  readonly 'aggregated-v2-apis': object;
  /** `api/v1`, `apis/apps/v1`, and `group/apps` for what stands under `/apis/apps`. */
  readonly groupVersions: Readonly<Record<string, object>>;
}

function discoveryOf(name: 'svc' | 'kubernetes'): { discovery: Discovery; recorded: Recorded } {
  const product = productByName(name);
  const discovery = createDiscovery({
    catalog: createCatalog(product),
    product,
    serverAddress: '192.0.2.1:16443',
    aggregated: noAggregatedApis,
  });
  return { discovery, recorded: JSON.parse(product.rename(recordedText)) };
}

const line = (document: object): string => `${JSON.stringify(document)}\n`;

for (const name of ['kubernetes', 'svc'] as const) {
  test(`the legacy documents of ${name} are the recorded ones, byte for byte`, () => {
    const { discovery, recorded } = discoveryOf(name);
    expect(discovery.document('/api')).toBe(line(recorded.api));
    expect(discovery.document('/apis')).toBe(line(recorded.apis));
    for (const [key, document] of Object.entries(recorded.groupVersions)) {
      const path = `/${key.replace(/^group\//, 'apis/')}`;
      expect(discovery.document(path), path).toBe(line(document));
    }
    expect(Object.keys(recorded.groupVersions)).toHaveLength(42);
  });

  test(`the aggregated documents of ${name} are the recorded ones, byte for byte`, () => {
    const { discovery, recorded } = discoveryOf(name);
    expect(discovery.aggregated('/api').text).toBe(line(recorded['aggregated-v2-api']));
    expect(discovery.aggregated('/apis').text).toBe(line(recorded['aggregated-v2-apis']));
  });
}

test('paths that are not served have no document', () => {
  const { discovery } = discoveryOf('kubernetes');
  for (const path of ['/apis/nope', '/apis/apps/v9', '/api/v2', '/api/', '__proto__']) expect(discovery.document(path)).toBeUndefined();
});

test('sends the aggregated document with its ETag, and 304 to a client that has it', () => {
  const { discovery } = discoveryOf('kubernetes');
  const document = discovery.aggregated('/apis');
  const first = answerAggregated(document, null);
  expect(first).toMatchObject({ status: 200, body: document.text });
  const type = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  expect(Object.fromEntries(first.headers)).toEqual({
    'cache-control': 'public',
    'content-type': type,
    etag: document.etag,
    vary: 'Accept',
  });
  const second = answerAggregated(discovery.aggregated('/apis'), document.etag);
  expect(second.status).toBe(304);
  expect(second.body).toBeUndefined();
  expect(Object.fromEntries(second.headers)).toEqual({ 'cache-control': 'public', etag: document.etag, vary: 'Accept' });
  expect(answerAggregated(document, '"other"').status).toBe(200);
});

test('svc names the aggregated form with its own group', () => {
  const { discovery } = discoveryOf('svc');
  expect(discovery.aggregated('/api').contentType).toBe('application/json;g=apidiscovery.svc;v=v2;as=APIGroupDiscoveryList');
});

test('custom resources list their verbs and kinds as the definition controller does', () => {
  const product = productByName('kubernetes');
  const catalog = createCatalog(product);
  const pods = catalog.resource('v1', 'pods');
  if (!pods) throw new Error('no pods');
  const status = pods.subresources.get('status');
  if (!status) throw new Error('no pods/status');
  const widgets = {
    ...pods,
    group: 'example.com',
    name: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    custom: createPlainCustomVersion('widgets.example.com', readSchemaNode({ type: 'object' }, 'x-kubernetes-')),
    storageVersionHash: 'x',
    subresources: new Map([['status', { ...status, kind: 'Widget', groupVersion: 'example.com/v1' }]]),
  };
  const extended = {
    ...catalog,
    groups: [...catalog.groups, { name: 'example.com', versions: ['v1'] }],
    resourcesOf: (groupVersion: string) => (groupVersion === 'example.com/v1' ? [widgets] : catalog.resourcesOf(groupVersion)),
  };
  const discovery = createDiscovery({ catalog: extended, product, serverAddress: '', aggregated: noAggregatedApis });
  const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
  expect(JSON.parse(discovery.document('/apis/example.com/v1') ?? '').resources).toMatchObject([
    { name: 'widgets', kind: 'Widget', verbs },
    { name: 'widgets/status', singularName: '', kind: 'Widget', verbs: ['get', 'patch', 'update'] },
  ]);
  const own = { group: 'example.com', version: 'v1', kind: 'Widget' };
  expect(JSON.parse(discovery.aggregated('/apis').text).items.at(-1)).toMatchObject({
    metadata: { name: 'example.com' },
    versions: [{ resources: [{ responseKind: own, verbs, subresources: [{ responseKind: own }] }] }],
  });
});

test('fingerprints differ as soon as one character does', () => {
  const seen = new Set(Array.from({ length: 2000 }, (_, at) => fingerprint(`${'x'.repeat(at % 50)}${at}`)));
  expect(seen.size).toBe(2000);
  expect(fingerprint('')).toMatch(/^[0-9A-F]{32}$/);
});
