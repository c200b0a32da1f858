import { expect, test } from 'vitest';
import { readCbor, writeCbor } from '../../codec/index.ts';
import { type ApiResponse, isJsonObject, type Json } from '../../meta/index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const cbor = { 'content-type': 'application/cbor' };
const accept = { accept: 'application/cbor' };

const running = (): Promise<TestCluster> => startTestCluster({}, 'CBORServingAndStorage=true');
const asCbor = (value: unknown): Uint8Array => writeCbor(value, undefined);

function read({ body }: ApiResponse): Json {
  return body instanceof Uint8Array ? readCbor(body).value : null;
}

test('decodes and encodes an object as CBOR, including bytes', async () => {
  const { send } = await running();
  const made = await send('POST', maps, asCbor({ metadata: { name: 'a' }, data: { k: 'v' }, binaryData: { b: '/w==' } }), {
    ...cbor,
    ...accept,
  });
  expect([made.status, made.headers.find(([name]) => name === 'content-type')?.[1]]).toEqual([201, 'application/cbor']);
  expect(read(made)).toMatchObject({ kind: 'ConfigMap', data: { k: 'v' }, binaryData: { b: '/w==' } });
  const listed = await send('GET', maps, undefined, accept);
  expect(Buffer.from(listed.body as Uint8Array).toString('hex')).toContain('4162d641ff');
});

test('accepts CBOR for PUT and apply, but not for other patches', async () => {
  const { send } = await running();
  await send('POST', maps, { metadata: { name: 'a' } });
  expect((await send('PUT', `${maps}/a`, asCbor({ metadata: { name: 'a' }, data: { k: 'w' } }), cbor)).status).toBe(200);
  const intent = asCbor({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } });
  expect((await send('PATCH', `${maps}/b?fieldManager=m`, intent, { 'content-type': 'application/apply-patch+cbor' })).status).toBe(201);
  expect((await send('PATCH', `${maps}/b`, asCbor({}), { 'content-type': 'application/merge-patch+cbor' })).status).toBe(415);
});

test('accepts delete options as CBOR', async () => {
  const { send } = await running();
  await send('POST', maps, { metadata: { name: 'a' } });
  await send('DELETE', `${maps}/a`, asCbor({ dryRun: ['All'] }), cbor);
  expect((await send('GET', `${maps}/a`)).status).toBe(200);
});

test('streams a watch as a CBOR sequence', async () => {
  const { send } = await running();
  await send('POST', maps, { metadata: { name: 'a' } });
  const { body, headers } = await send('GET', `${maps}?watch=1`, undefined, accept);
  if (typeof body !== 'object' || body instanceof Uint8Array) throw new Error('no stream');
  const iterator = body[Symbol.asyncIterator]();
  const { value } = await iterator.next();
  await iterator.return?.();
  expect(headers).toContainEqual(['content-type', 'application/cbor-seq']);
  const event = readCbor(value as Uint8Array).value;
  expect(event).toMatchObject({ type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'a' } } });
});

test.each<readonly [string, string, number, string]>([
  ['', '', 400, 'the object provided is unrecognized (must be of type ConfigMap): unable to determine group/version/kind: EOF (<empty>)'],
  [
    '8101',
    '',
    400,
    'unable to determine group/version/kind: cbor: cannot unmarshal array into Go value of type v1.TypeMeta (cannot decode CBOR array to struct without toarray option) (8101)',
  ],
  ['a1446b696e6401', '', 400, 'cbor: cannot unmarshal positive integer into Go struct field v1.TypeMeta.kind of type string'],
  [
    'a14464617461a24161416241614163',
    '',
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: cbor: found duplicate map key "a" at map element index 1',
  ],
  [
    'a14464617461a1416101',
    '',
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: cbor: cannot unmarshal positive integer into Go struct field v1.ConfigMap.data of type string',
  ],
  [
    'a24464617461a0437a7a7a01',
    'fieldValidation=Strict',
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: cbor: found unknown field at map element index 1',
  ],
])('rejects %s', async (hex, query, status, message) => {
  const { send } = await running();
  const answer = await send('POST', `${maps}?${query}`, Uint8Array.from(Buffer.from(hex, 'hex')), cbor);
  expect(answer.status).toBe(status);
  expect(bodyOf(answer)['message']).toContain(message);
});

test('encodes errors as CBOR, except those before the resource is known', async () => {
  const { send } = await running();
  expect(read(await send('GET', `${maps}/x`, undefined, accept))).toMatchObject({ reason: 'NotFound', code: 404 });
  const unknown = await send('GET', '/api/v1/nope', undefined, accept);
  expect(isJsonObject(bodyOf(unknown) as Json)).toBe(true);
});

test('does not encode tables as CBOR', async () => {
  const { send } = await running();
  const answer = await send('GET', maps, undefined, { accept: 'application/cbor;as=Table;v=v1;g=meta.k8s.io' });
  expect([answer.status, bodyOf(answer)['message']]).toEqual([
    406,
    'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf, application/cbor',
  ]);
});

test('disables CBOR without the feature gate', async () => {
  const { send } = await startTestCluster();
  expect((await send('GET', maps, undefined, accept)).status).toBe(406);
  expect((await send('POST', maps, asCbor({ metadata: { name: 'a' } }), cbor)).status).toBe(415);
  expect((await send('PATCH', `${maps}/a`, asCbor({}), { 'content-type': 'application/apply-patch+cbor' })).status).toBe(415);
});
