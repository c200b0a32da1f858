import { expect, test } from 'vitest';
import { answer, createScriptedApi, request } from './client.fake.ts';
import { clusterApi } from './cluster-path.ts';

test.each([
  ['/api/v1/pods?limit=5', '/~clusters/lesson-1/api/v1/pods?limit=5'],
  ['/../main/api/v1/secrets', '/~clusters/lesson-1/main/api/v1/secrets'],
  ['/%2e%2e/%2E./main', '/~clusters/lesson-1/main'],
  ['/api\\..\\..\\main', '/~clusters/lesson-1/main'],
  ['//main/api', '/~clusters/lesson-1//main/api'],
  ['../main', '/~clusters/lesson-1/main'],
])('clusterApi resolves %s below the path of the cluster', async (target, expected) => {
  const { handle, requests: targets } = createScriptedApi([answer(200, '{}')]);
  await clusterApi(handle, 'lesson-1')(request('GET', target));
  expect(targets.map((one) => one.target)).toEqual([expected]);
});
