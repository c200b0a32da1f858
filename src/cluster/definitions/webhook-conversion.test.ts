import { expect, test } from 'vitest';
import type { Outbound } from '../../env/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { createOptionalPlugins } from '../admission/optional-plugins.ts';
import { clusterDefaults } from '../cluster-options.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly JsonObject[] };
}

/** The response to a review, or the whole answer of the webhook. */
type Webhook = (review: Review) => JsonObject | string;

interface Started extends TestCluster {
  readonly reviews: Review[];
  /** The objects that the admission webhook got. */
  readonly admitted: JsonObject[];
}

const widgets = (version: string): string => `/apis/example.com/${version}/namespaces/default/widgets`;

/** v1 has `spec.host` and `spec.port`, v2 has `spec.address`. Objects are stored as v1. */
async function start(webhook: Webhook, reviewVersions: readonly string[] = ['v1']): Promise<Started> {
  const reviews: Review[] = [];
  const admitted: JsonObject[] = [];
  const outbound: Outbound = {
    async send({ url, body = '' }) {
      if (url.startsWith('https://hooks.example.com/admit')) {
        const { request } = JSON.parse(body) as { readonly request: JsonObject };
        admitted.push(request['object'] as JsonObject);
        const response = { uid: request['uid'] ?? '', allowed: true };
        return { status: 200, headers: {}, body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }) };
      }
      expect(url).toBe('https://hooks.example.com/convert?timeout=30s');
      const review = JSON.parse(body) as Review;
      reviews.push(review);
      const response = webhook(review);
      const answer =
        typeof response === 'string' ? response : JSON.stringify({ apiVersion: review.apiVersion, kind: 'ConversionReview', response });
      return { status: 200, headers: {}, body: answer };
    },
  };
  const cluster = await startTestCluster({
    admission: { ...clusterDefaults.admission, defaultOffPlugins: createOptionalPlugins, outbound },
  });
  const versionOf = (name: string, properties: JsonObject): JsonObject => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
  });
  const text = { type: 'string' };
  await cluster.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        versionOf('v1', { host: text, port: text, zone: { ...text, default: 'one' } }),
        versionOf('v2', { address: text, zone: text, size: { ...text, default: 'small' } }),
      ],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://hooks.example.com/convert' }, conversionReviewVersions: reviewVersions },
      },
    },
  });
  await cluster.until(widgets('v2'), ({ kind }) => kind === 'WidgetList');
  return { ...cluster, reviews, admitted };
}

function convert(object: JsonObject, apiVersion: string): JsonObject {
  const spec = (object['spec'] ?? {}) as JsonObject & Partial<Readonly<Record<'host' | 'port' | 'address', string>>>;
  const { host = '', port = '', address = '', ...rest } = spec;
  const [toHost = '', toPort = ''] = address.split(':');
  const converted = apiVersion === 'example.com/v2' ? { ...rest, address: `${host}:${port}` } : { ...rest, host: toHost, port: toPort };
  return { ...object, apiVersion, spec: converted };
}

const stored = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: { host: 'x', port: '80' } };

const convertAll: Webhook = ({ request }) => ({
  uid: request.uid,
  convertedObjects: request.objects.map((object) => convert(object, request.desiredAPIVersion)),
  result: { status: 'Success' },
});

test('reads and writes convert between the version of the request and the stored one', async () => {
  const cluster = await start(convertAll);
  const created = bodyOf(
    await cluster.send('POST', widgets('v2'), {
      apiVersion: 'example.com/v2',
      kind: 'Widget',
      metadata: { name: 'a' },
      spec: { address: 'x:80' },
    }),
  );
  expect(created).toMatchObject({ apiVersion: 'example.com/v2', spec: { address: 'x:80' } });
  expect(bodyOf(await cluster.send('GET', `${widgets('v1')}/a`))).toMatchObject({
    apiVersion: 'example.com/v1',
    spec: { host: 'x', port: '80' },
  });
  const patch = { body: { spec: { address: 'y:81' } }, contentType: 'application/merge-patch+json' };
  const patched = bodyOf(await cluster.send('PATCH', `${widgets('v2')}/a`, patch.body, { 'content-type': patch.contentType }));
  expect(patched).toMatchObject({ apiVersion: 'example.com/v2', spec: { address: 'y:81' } });
  await cluster.send('POST', widgets('v1'), {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'b' },
    spec: { host: 'z', port: '1' },
  });
  expect(bodyOf(await cluster.send('GET', widgets('v2')))).toMatchObject({
    items: [{ spec: { address: 'y:81' } }, { spec: { address: 'z:1' } }],
  });
  expect(bodyOf(await cluster.send('GET', widgets('v1')))).toMatchObject({ items: [{ spec: { host: 'y' } }, { spec: { host: 'z' } }] });
  expect((await cluster.send('DELETE', `${widgets('v2')}/a`)).status).toBe(200);
  expect((await cluster.send('GET', `${widgets('v1')}/a`)).status).toBe(404);
});

test('an object is converted once for all reads, and not at all in its stored version', async () => {
  const cluster = await start(convertAll);
  await cluster.create(widgets('v1'), stored);
  for (const version of ['v1', 'v2', 'v2']) await cluster.send('GET', `${widgets(version)}/a`);
  expect(cluster.reviews).toHaveLength(1);
  expect(cluster.reviews[0]).toMatchObject({ apiVersion: 'apiextensions.k8s.io/v1', request: { desiredAPIVersion: 'example.com/v2' } });
});

test('objects have the defaults of their stored version, and no fields that the other version does not declare', async () => {
  const cluster = await start(convertAll);
  await cluster.create(widgets('v1'), stored);
  expect(bodyOf(await cluster.send('GET', `${widgets('v2')}/a`))['spec']).toEqual({ address: 'x:80', zone: 'one' });
  const body = { ...stored, apiVersion: 'example.com/v2', metadata: { name: 'b' }, spec: { address: 'y:1' } };
  expect(bodyOf(await cluster.send('POST', widgets('v2'), body))['spec']).toEqual({ address: 'y:1', zone: 'one' });
  expect((await cluster.storage.get('/registry/example.com/widgets/default/b'))?.value).not.toContain('small');
  expect(cluster.reviews[0]?.request.objects[0]?.['metadata']).not.toHaveProperty('resourceVersion');
});

test('a watch shows the changes of all stored versions in its own version', async () => {
  const cluster = await start(convertAll);
  await cluster.create(widgets('v1'), stored);
  const aborted = new AbortController();
  const { body } = await cluster.handle({
    method: 'GET',
    target: `${widgets('v2')}?watch=1`,
    headers: new Headers({ authorization: 'Bearer admin' }),
    body: undefined,
    signal: aborted.signal,
  });
  const patch = { spec: { host: 'y' } };
  await cluster.send('PATCH', `${widgets('v1')}/a`, patch, { 'content-type': 'application/merge-patch+json' });
  await cluster.send('DELETE', `${widgets('v1')}/a`);
  let text = '';
  for await (const part of body as AsyncIterable<string>) {
    text += part;
    if (text.includes('DELETED')) aborted.abort();
  }
  const events = text.trim().split('\n');
  expect(events.map((line) => JSON.parse(line) as JsonObject)).toMatchObject([
    { type: 'ADDED', object: { apiVersion: 'example.com/v2', spec: { address: 'x:80' } } },
    { type: 'MODIFIED', object: { apiVersion: 'example.com/v2', spec: { address: 'y:80' } } },
    { type: 'DELETED', object: { apiVersion: 'example.com/v2', spec: { address: 'y:80' } } },
  ]);
});

test('admission webhooks get objects in the version of their rule', async () => {
  const cluster = await start(convertAll);
  await cluster.create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'admit.example.com',
        clientConfig: { url: 'https://hooks.example.com/admit' },
        rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  });
  await cluster.create(widgets('v2'), { ...stored, apiVersion: 'example.com/v2', spec: { address: 'y:1' } });
  expect(cluster.admitted).toMatchObject([{ apiVersion: 'example.com/v1', spec: { host: 'y', port: '1' } }]);
});

test('webhooks may change labels and annotations, and no other metadata', async () => {
  const cluster = await start(
    (review) => {
      const { convertedObjects, ...rest } = convertAll(review) as { readonly convertedObjects: readonly JsonObject[] };
      const changed = convertedObjects.map((object) => ({
        ...object,
        metadata: { ...(object['metadata'] as JsonObject), labels: { a: 'b' }, finalizers: ['x/y'], generation: 9 },
      }));
      return { ...rest, convertedObjects: changed };
    },
    ['v2', 'v1beta1', 'v1'],
  );
  await cluster.create(widgets('v1'), stored);
  const { metadata } = bodyOf(await cluster.send('GET', `${widgets('v2')}/a`));
  expect(metadata).toMatchObject({ labels: { a: 'b' }, generation: 1 });
  expect(metadata).not.toHaveProperty('finalizers');
  expect(cluster.reviews[0]?.apiVersion).toBe('apiextensions.k8s.io/v1beta1');
});

const subject = 'conversion webhook for example.com/v1, Kind=Widget';

test.each<[name: string, webhook: Webhook, message: string]>([
  [
    'another uid',
    (review) => ({ ...(convertAll(review) as JsonObject), uid: 'x' }),
    `${subject} failed: expected response.uid="UID", got "x"`,
  ],
  ['no response', () => '{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview"}', `${subject} failed: no response provided`],
  [
    'another kind',
    () => '{"apiVersion":"apiextensions.k8s.io/v1","kind":"Other"}',
    `${subject} failed: no kind "Other" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:110"`,
  ],
  [
    'another version',
    () => '{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"ConversionReview"}',
    `${subject} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
  ],
  ['no content', () => '', `${subject} failed: 0-length response with status code: 200 and content type: application/json`],
  ['a failure', ({ request }) => ({ uid: request.uid, result: { status: 'Failure', message: 'no way' } }), `${subject} failed: no way`],
  ['no status', ({ request }) => ({ uid: request.uid, result: {} }), `${subject} failed: response.result.status was '', not 'Success'`],
  [
    'fewer objects',
    ({ request }) => ({ uid: request.uid, convertedObjects: [], result: { status: 'Success' } }),
    `${subject} returned 0 objects, expected 1`,
  ],
  [
    'the same version',
    ({ request }) => ({ uid: request.uid, convertedObjects: request.objects, result: { status: 'Success' } }),
    `${subject} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received example.com/v1)`,
  ],
  [
    'another name',
    ({ request }) => ({
      uid: request.uid,
      convertedObjects: request.objects.map((object) => ({ ...convert(object, 'example.com/v2'), metadata: { namespace: 'default' } })),
      result: { status: 'Success' },
    }),
    `${subject} returned invalid object: must have the same name: a != `,
  ],
])('a response with %s is an internal error', async (_, webhook, message) => {
  const cluster = await start(webhook);
  await cluster.create(widgets('v1'), stored);
  const answer = bodyOf(await cluster.send('GET', `${widgets('v2')}/a`)) as unknown as JsonObject;
  expect(answer).toMatchObject({ code: 500, message: message.replace('UID', cluster.reviews.at(-1)?.request.uid ?? '') });
  // The stored version needs no conversion.
  expect((await cluster.send('GET', `${widgets('v1')}/a`)).status).toBe(200);
});

test('a list answers 429 while its objects cannot be converted, and converts them once', async () => {
  let isBroken = true;
  const cluster = await start((review) => (isBroken ? { uid: review.request.uid } : convertAll(review)));
  await cluster.create(widgets('v1'), stored);
  const failed = await cluster.send('GET', widgets('v2'));
  expect(bodyOf(failed)).toMatchObject({
    code: 429,
    reason: 'TooManyRequests',
    message: `storage is (re)initializing: failed to list example.com/v2, Kind=Widget: ${subject} failed: response.result.status was '', not 'Success'`,
    details: { retryAfterSeconds: 1 },
  });
  expect(failed.headers).toContainEqual(['retry-after', '1']);
  isBroken = false;
  expect((await cluster.send('GET', widgets('v2'))).status).toBe(200);
  isBroken = true;
  expect((await cluster.send('GET', widgets('v2'))).status).toBe(200);
});

/** The entries of managedFields as `manager operation apiVersion`, with the members of `spec` that each owns. */
function ownersOf(object: ReturnType<typeof bodyOf>): readonly string[] {
  const { managedFields } = object['metadata'] as { readonly managedFields: readonly JsonObject[] };
  return managedFields.map(({ manager, operation, apiVersion, fieldsV1 }) => {
    const spec = ((fieldsV1 as JsonObject)['f:spec'] ?? {}) as JsonObject;
    return `${String(manager)} ${String(operation)} ${String(apiVersion)}: ${Object.keys(spec).join(' ')}`;
  });
}

test('apply in one version and managed fields of another are compared by conversion', async () => {
  const cluster = await start(convertAll);
  const apply = (version: string, manager: string, spec: JsonObject, query = ''): ReturnType<typeof cluster.send> =>
    cluster.send(
      'PATCH',
      `${widgets(version)}/a?fieldManager=${manager}${query}`,
      { apiVersion: `example.com/${version}`, kind: 'Widget', metadata: { name: 'a' }, spec },
      { 'content-type': 'application/apply-patch+yaml' },
    );
  expect((await apply('v1', 'alice', { host: 'x', port: '80' })).status).toBe(201);
  // Of another version: the address that v2 has for host and port of v1.
  expect(bodyOf(await apply('v2', 'bob', { address: 'y:80' }))).toMatchObject({
    code: 409,
    message: 'Apply failed with 1 conflict: conflict with "alice": .spec.host',
  });
  const forced = bodyOf(await apply('v2', 'bob', { address: 'y:80' }, '&force=true'));
  expect(forced).toMatchObject({ apiVersion: 'example.com/v2', spec: { address: 'y:80' } });
  // The host has changed, the port has not.
  expect(ownersOf(forced)).toEqual(['alice Apply example.com/v1: f:port', 'bob Apply example.com/v2: f:address']);
  // Applied in the other version, the applier has a new entry instead of a second one.
  const moved = bodyOf(await apply('v1', 'bob', { host: 'y' }));
  expect(moved).toMatchObject({ apiVersion: 'example.com/v1', spec: { host: 'y', port: '80' } });
  expect(ownersOf(moved)).toEqual(['alice Apply example.com/v1: f:port', 'bob Apply example.com/v1: f:host']);
  const update = (version: string, spec: JsonObject): ReturnType<typeof cluster.send> =>
    cluster.send('PATCH', `${widgets(version)}/a?fieldManager=carol`, { spec }, { 'content-type': 'application/merge-patch+json' });
  // Updates in a version take the fields of managers of the other.
  await apply('v2', 'bob', { address: 'y:80' }, '&force=true');
  const updated = bodyOf(await update('v1', { port: '81' }));
  expect(ownersOf(updated)).toEqual(['carol Update example.com/v1: f:port']);
  // The default of v2 is no field of v1: as in the real server, the managed fields are dropped.
  expect(bodyOf(await update('v2', { address: 'y:82' }))['metadata']).not.toHaveProperty('managedFields');
});

test('an apply fails when the managed fields of another version cannot be compared', async () => {
  let isBroken = false;
  const cluster = await start((review) =>
    isBroken && review.request.desiredAPIVersion === 'example.com/v1' ? { uid: review.request.uid } : convertAll(review),
  );
  await cluster.send('POST', widgets('v1'), stored);
  isBroken = true;
  const applied = bodyOf(
    await cluster.send(
      'PATCH',
      `${widgets('v2')}/a?fieldManager=bob`,
      { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'a' }, spec: { size: 'big' } },
      { 'content-type': 'application/apply-patch+yaml' },
    ),
  );
  expect(applied).toMatchObject({
    code: 500,
    message: "conversion webhook for example.com/v2, Kind=Widget failed: response.result.status was '', not 'Success'",
  });
});
