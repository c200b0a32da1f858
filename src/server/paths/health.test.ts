import { expect, test } from 'vitest';
import { answerHealth } from './health.ts';

test('excluded checks that do not exist are listed as Go does: sorted, quoted and joined by commas', async () => {
  const checks = [{ name: 'ping', run: () => Promise.resolve(undefined) }];
  const query = new URLSearchParams('verbose&exclude=nope&exclude=ping&exclude=a%22b&exclude=nope');
  const response = await answerHealth('/livez', query, checks, () => {});
  expect(response?.body).toBe(
    '[+]ping excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a\\"b","nope"\nlivez check passed\n',
  );
});
