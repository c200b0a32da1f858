import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { EtcdError, type EtcdErrorCode } from './etcd-client.ts';
import { Patience } from './patience.ts';

const away = new EtcdError('unavailable', 'away');

test('an etcd that comes back in time was never away', async () => {
  const clock = createManualClock();
  let asked = 0;
  const answer = new Patience(clock, 1_000).ask(async () => {
    if (++asked < 4) throw away;
    return 'well';
  });
  for (let pause = 0; pause < 4; pause++) await clock.advance(100);
  expect([await answer, asked]).toEqual(['well', 4]);
});

test('an etcd that stays away is a request timed out', async () => {
  const clock = createManualClock();
  const answer = new Patience(clock, 1_000).ask(() => Promise.reject(away)).catch((error: unknown) => error);
  await clock.advance(1_000);
  expect(await answer).toMatchObject({ code: 'timed-out', cause: away });
});

test.each<[EtcdErrorCode, string]>([
  ['compacted', 'compacted'],
  ['future-revision', 'future-revision'],
  ['no-space', 'out-of-space'],
  ['refused', 'unavailable'],
])('what etcd refuses as %s is not asked twice, and told as %s', async (code, told) => {
  let asked = 0;
  const answer = new Patience(createManualClock(), 1_000).ask(async () => {
    asked++;
    throw new EtcdError(code, 'no');
  });
  await expect(answer).rejects.toMatchObject({ code: told });
  expect(asked).toBe(1);
});
