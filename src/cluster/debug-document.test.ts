import { expect, test } from 'vitest';
import { bodyOf, startTestCluster } from './test-cluster.test-support.ts';

test('a debug document is for users with access to its path, and GET only', async () => {
  const { send } = await startTestCluster({ debugDocument: (path) => (path === '/debug/x' ? { x: 1 } : undefined) });
  const document = await send('GET', '/debug/x');
  expect([document.status, bodyOf(document)]).toEqual([200, { x: 1 }]);
  expect((await send('POST', '/debug/x', {})).status).toBe(405);
  expect((await send('GET', '/debug/y')).status).toBe(404);
  expect((await send('GET', '/debug/x', undefined, { authorization: '' })).status).toBe(403);
});
