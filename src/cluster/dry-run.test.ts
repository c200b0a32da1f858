import { expect, test } from 'vitest';
import { bodyOf, runningCluster } from './running.test-support.ts';

test('a dry run shows what only the store takes away', async () => {
  const { send } = await runningCluster();
  const maps = '/api/v1/namespaces/default/configmaps';
  const map = { metadata: { name: 'a', selfLink: '/x' } };
  await send('POST', maps, map);
  expect(bodyOf(await send('PUT', `${maps}/a?dryRun=All`, map))).toMatchObject({ metadata: { selfLink: '/x' } });
  expect(bodyOf(await send('PUT', `${maps}/a`, map))).not.toHaveProperty('metadata.selfLink');
});
