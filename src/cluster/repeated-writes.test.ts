import { expect, test } from 'vitest';
import { createManualClock } from '../env/index.ts';
import { createMemoryKeySpace, type TimedKeySpace } from '../storage/index.ts';
import { bodyOf, runningCluster } from './running.test-support.ts';

/** A store to which another server has passed on each write with an id, before it died, just before this one comes with it. */
function withDeadServer(): TimedKeySpace {
  const space = createMemoryKeySpace(createManualClock());
  const commit = space.commit.bind(space);
  space.commit = async (write) => {
    if (write.requestId !== undefined) await commit(write);
    return commit(write);
  };
  return space;
}

test('a write that a server did before it died is told as done to who repeats it meanwhile', async () => {
  const { send } = await runningCluster({ storage: withDeadServer() });
  const collection = '/api/v1/namespaces/default/configmaps';
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' } };
  const made = await send('POST', collection, body, { 'x-request-id': 'one' });
  expect([made.status, bodyOf(made)['data']]).toEqual([201, { k: 'v' }]);
  // Who comes with another request is refused as ever.
  expect((await send('POST', collection, body)).status).toBe(409);
});

test('a client that sends one id with everything is answered as if there were none, but for what it repeats', async () => {
  const { send } = await runningCluster();
  const maps = '/api/v1/namespaces/default/configmaps';
  const map = (name: string, value: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } });
  const ask = (method: string, path: string, body?: object) => send(method, path, body, { 'x-request-id': 'same' });
  const first = await ask('POST', maps, map('a', '1'));
  expect(bodyOf(await ask('POST', maps, map('b', '1')))).toMatchObject({ metadata: { name: 'b' } });
  expect(bodyOf(await ask('PUT', `${maps}/a`, map('a', '2')))).toMatchObject({ data: { value: '2' } });
  expect(bodyOf(await ask('PUT', `${maps}/a`, map('a', '3')))).toMatchObject({ data: { value: '3' } });
  expect((await ask('DELETE', `${maps}/b`)).status).toBe(200);
  expect((await ask('GET', `${maps}/b`)).status).toBe(404);
  const again = await ask('POST', maps, map('a', '1'));
  expect([again.status, bodyOf(again)['metadata']]).toEqual([201, bodyOf(first)['metadata']]);
});
