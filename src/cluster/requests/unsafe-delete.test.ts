import { expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
const syntax = "couldn't get version/kind; json parse error: invalid character 'b' looking for beginning of value";

/** A cluster with one corrupt and one valid object in its store. */
async function withBroken(gates = 'AllowUnsafeMalformedObjectDeletion=true'): Promise<TestCluster> {
  const cluster = await startTestCluster({}, gates);
  await cluster.send('POST', maps, { metadata: { name: 'well' } });
  await cluster.storage.commit({ key: '/registry/configmaps/default/broken', expected: 'absent', value: '{"kind": broken' });
  return cluster;
}

test('answers 500 for a corrupt object, with its key while the gate is on', async () => {
  const on = bodyOf(await (await withBroken()).send('GET', `${maps}/broken`));
  expect(on).toMatchObject({ code: 500, reason: 'InternalError' });
  expect(on['message']).toMatch(
    /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/configmaps\/default\/broken, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=\d+: /,
  );
  expect(on['message']).toContain(syntax);
  const off = bodyOf(await (await withBroken('')).send('GET', `${maps}/broken`));
  expect([off['code'], off['reason'], off['message']]).toEqual([500, undefined, syntax]);
});

test('lists all corrupt objects of a list', async () => {
  const answer = bodyOf(await (await withBroken()).send('GET', maps));
  expect(answer).toMatchObject({
    code: 500,
    reason: 'StoreReadError',
    message: 'failed to read one or more configmaps from the storage',
    details: {
      name: 'list',
      kind: 'configmaps',
      causes: [{ reason: 'UnexpectedServerResponse', field: '/registry/configmaps/default/broken' }],
    },
  });
  const off = await (await withBroken('')).send('GET', maps);
  expect([off.status, bodyOf(off)['message']]).toEqual([500, syntax]);
});

test('truncates the errors of a list with too many corrupt objects', async () => {
  const { send, storage } = await withBroken();
  for (let at = 0; at < 105; at++) await storage.commit({ key: `/registry/configmaps/default/x${at}`, expected: 'absent', value: 'x' });
  const { causes } = bodyOf(await send('GET', maps))['details'] as { causes: readonly object[] };
  expect([causes.length, causes.at(-1)]).toEqual([101, { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' }]);
});

test('deletes a corrupt object only with the option', async () => {
  const { send } = await withBroken();
  expect((await send('DELETE', `${maps}/broken`)).status).toBe(500);
  const deleted = await send('DELETE', `${maps}/broken`, unsafe);
  expect(bodyOf(deleted)).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'broken', kind: 'ConfigMap' },
    code: 200,
  });
  expect((await send('GET', maps)).status).toBe(200);
});

test('rejects the option for readable and missing objects', async () => {
  const { send } = await withBroken();
  for (const name of ['well', 'nope']) {
    const answer = await send('DELETE', `${maps}/${name}?ignoreStoreReadErrorWithClusterBreakingPotential=true`);
    expect([answer.status, bodyOf(answer)['message']]).toEqual([
      422,
      `configmaps "${name}" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
    ]);
  }
});

test('rejects the option with other options, and for collections', async () => {
  const { send } = await withBroken();
  const together = bodyOf(
    await send('DELETE', `${maps}/broken`, { ...unsafe, dryRun: ['All'], gracePeriodSeconds: 0, preconditions: { uid: 'x' } }),
  );
  expect(together['message']).toBe(
    'DeleteOptions.meta.k8s.io "" is invalid: [ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .dryRun, ' +
      'ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .gracePeriodSeconds, ' +
      'ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: cannot be set together with .preconditions]',
  );
  const many = await send('DELETE', maps, unsafe);
  expect([many.status, bodyOf(many)['message']]).toEqual([
    422,
    'DeleteOptions.meta.k8s.io "" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option',
  ]);
});

test('ignores the option without the feature gate', async () => {
  const { send } = await withBroken('');
  expect((await send('DELETE', `${maps}/well`, unsafe)).status).toBe(200);
  expect((await send('DELETE', `${maps}/broken`, unsafe)).status).toBe(500);
});

test('sends an error event and ends the watch when a corrupt object is deleted', async () => {
  const { send } = await withBroken();
  const { resourceVersion } = bodyOf(await send('GET', `${maps}/well`))['metadata'] as { resourceVersion: string };
  const { body } = await send('GET', `${maps}?watch=1&resourceVersion=${Number(resourceVersion) + 1}`);
  if (typeof body !== 'object' || body instanceof Uint8Array) throw new Error('no stream');
  await send('DELETE', `${maps}/broken`, unsafe);
  const iterator = body[Symbol.asyncIterator]();
  const { type, object } = JSON.parse(String((await iterator.next()).value));
  expect([type, object.reason]).toEqual(['ERROR', 'StoreReadError']);
  expect(object.message).toMatch(/^saw a DELETED event, but object data is corrupt - object not decodable revision=\d+: /);
  expect((await iterator.next()).done).toBe(true);
});
