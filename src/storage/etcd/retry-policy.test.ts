import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { EtcdError, type EtcdErrorCode } from './etcd-client.ts';
import { RetryPolicy } from './retry-policy.ts';

const away = new EtcdError('unavailable', 'away');

test('succeeds when etcd becomes available in time', async () => {
  const clock = createManualClock();
  let attempts = 0;
  const answer = new RetryPolicy(clock, 1_000).run(async () => {
    if (++attempts < 4) throw away;
    return 'well';
  });
  for (let pause = 0; pause < 4; pause++) await clock.advance(100);
  expect([await answer, attempts]).toEqual(['well', 4]);
});

test('fails with timed-out when etcd stays unavailable', async () => {
  const clock = createManualClock();
  const answer = new RetryPolicy(clock, 1_000).run(() => Promise.reject(away)).catch((error: unknown) => error);
  await clock.advance(1_000);
  expect(await answer).toMatchObject({ code: 'timed-out', cause: away });
});

test.each<[EtcdErrorCode, string]>([
  ['compacted', 'compacted'],
  ['future-revision', 'future-revision'],
  ['no-space', 'out-of-space'],
  ['refused', 'unavailable'],
])('does not retry the etcd error %s, and converts it to %s', async (code, expected) => {
  let attempts = 0;
  const answer = new RetryPolicy(createManualClock(), 1_000).run(async () => {
    attempts++;
    throw new EtcdError(code, 'no');
  });
  await expect(answer).rejects.toMatchObject({ code: expected });
  expect(attempts).toBe(1);
});
