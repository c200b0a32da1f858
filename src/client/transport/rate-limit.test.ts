import { expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../env/index.ts';
import type { ApiHandler } from '../../meta/index.ts';
import { type ClientRate, clientRateOr, withRateLimit } from './rate-limit.ts';

interface Limited {
  readonly clock: ManualClock;
  readonly send: (target?: string, signal?: AbortSignal) => ReturnType<ApiHandler>;
  /** Times at which requests reached the server. */
  readonly sentMs: readonly number[];
}

function createLimited(rate: ClientRate): Limited {
  const clock = createManualClock();
  const sentMs: number[] = [];
  const api: ApiHandler = () => {
    sentMs.push(clock.monotonicMs());
    return Promise.resolve({ status: 200, headers: [], body: undefined });
  };
  const limited = withRateLimit(api, clock, rate);
  const send = (target = '/api/v1/pods', signal = new AbortController().signal): ReturnType<ApiHandler> =>
    limited({ method: 'POST', target, headers: new Headers(), body: undefined, signal });
  return { clock, send, sentMs };
}

test('requests after the burst have the rate, in their order', async () => {
  const { clock, send, sentMs } = createLimited({ qps: 20, burst: 30 });
  for (let count = 0; count < 50; count++) void send();
  await clock.advance(10_000);
  expect(sentMs.filter((ms) => ms === 0).length).toBe(30);
  expect(sentMs.slice(30)).toEqual(Array.from({ length: 20 }, (_, index) => (index + 1) * 50));
  // The burst is available again.
  for (let count = 0; count < 30; count++) void send();
  expect(sentMs.slice(50)).toEqual(Array.from({ length: 30 }, () => 10_000));
});

test('leases are renewed without delay, and a request that is aborted fails', async () => {
  const { clock, send, sentMs } = createLimited({ qps: 1, burst: 1 });
  void send();
  const ending = new AbortController();
  const late = send('/api/v1/pods', ending.signal).catch((error: unknown) => String(error));
  await send('/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/node-1');
  expect(sentMs).toEqual([0, 0]);
  ending.abort('ended');
  expect(await late).toBe('ended');
  await clock.advance(5_000);
  expect(sentMs).toEqual([0, 0]);
});

test('a negative rate is no limit, and zeros are the defaults', async () => {
  for (const qps of [-1, Number.POSITIVE_INFINITY]) {
    const { send, sentMs } = createLimited({ qps, burst: 1 });
    for (let count = 0; count < 100; count++) void send();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sentMs.length).toBe(100);
  }
  const initial = { qps: 20, burst: 30 };
  expect(clientRateOr({ qps: 0, burst: 0 }, initial)).toEqual(initial);
  expect(clientRateOr({ qps: -1 }, initial)).toEqual({ qps: -1, burst: 30 });
  expect(clientRateOr({ burst: 5 }, initial)).toEqual({ qps: 20, burst: 5 });
});

test('at most 32 requests are in progress, and the others follow in their order', async () => {
  const clock = createManualClock();
  const ends: (() => void)[] = [];
  const sent: string[] = [];
  const api: ApiHandler = ({ target }) => {
    sent.push(target);
    return new Promise((resolve) => ends.push(() => resolve({ status: 200, headers: [], body: undefined })));
  };
  const limited = withRateLimit(api, clock, { qps: -1, burst: 1 });
  const send = (target: string): ReturnType<ApiHandler> =>
    limited({ method: 'GET', target, headers: new Headers(), body: undefined, signal: new AbortController().signal });
  const targets = Array.from({ length: 40 }, (_, index) => `/${index}`);
  const responses = targets.map(send);
  await clock.nextTurn();
  expect(sent).toEqual(targets.slice(0, 32));
  ends[5]?.();
  await responses[5];
  await clock.nextTurn();
  expect(sent).toEqual(targets.slice(0, 33));
  for (let index = 0; index < 40; index++) {
    ends[index]?.();
    await responses[index];
  }
  expect(sent).toEqual(targets);
});
