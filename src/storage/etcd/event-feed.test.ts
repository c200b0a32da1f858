import { expect, test } from 'vitest';
import { createManualClock, createMemoryLog } from '../../env/index.ts';
import { type EtcdClient, EtcdError, type EtcdEvent, type EtcdWatch } from './etcd-client.ts';
import { EventFeed } from './event-feed.ts';

const key = Uint8Array.of(1);
const event = (revision: number): EtcdEvent => ({ key, value: key, createRevision: revision, revision });
const cut = { error: new EtcdError('unavailable', 'cut') };

function feedOf() {
  const watches: EtcdWatch[] = [];
  const seen: number[] = [];
  const lost: number[] = [];
  const clock = createManualClock();
  const client: Pick<EtcdClient, 'watch'> = {
    watch(watch) {
      watches.push(watch);
      return () => {};
    },
  };
  const feed = new EventFeed({
    client: client as EtcdClient,
    clock,
    log: createMemoryLog(),
    deliver: (events) => seen.push(...events.map(({ revision }) => revision)),
    onCompacted: (compacted) => lost.push(compacted),
  });
  return { feed, watches, seen, lost, clock };
}

test('resumes an interrupted watch after the last delivered event', async () => {
  const { feed, watches, seen, clock } = feedOf();
  feed.start(4);
  watches[0]?.deliver([event(5), event(6), event(6)]);
  watches[0]?.onEnd(cut);
  await clock.advance(100);
  expect(watches.map(({ from }) => from)).toEqual([5, 7]);
  watches[1]?.deliver([event(7)]);
  expect(seen).toEqual([5, 6, 6, 7]);
});

test('delivers duplicate events once, and ignores events of a cancelled watch', () => {
  const { feed, watches, seen } = feedOf();
  feed.start(0);
  watches[0]?.deliver([event(2)]);
  feed.restart();
  watches[0]?.deliver([event(3)]);
  watches[0]?.onEnd(cut);
  watches[1]?.deliver([event(2), event(3)]);
  expect([seen, watches.length]).toEqual([[2, 3], 2]);
});

test('doubles the backoff of interrupted watches up to a second, and resets it after an event', async () => {
  const { feed, watches, clock } = feedOf();
  feed.start(0);
  for (const pause of [50, 100, 200, 400, 800, 1000, 1000]) {
    const before = watches.length;
    watches.at(-1)?.onEnd(cut);
    await clock.advance(pause - 1);
    expect(watches).toHaveLength(before);
    await clock.advance(1);
    expect(watches).toHaveLength(before + 1);
  }
  watches.at(-1)?.deliver([event(2)]);
  const before = watches.length;
  watches.at(-1)?.onEnd(cut);
  await clock.advance(50);
  expect(watches).toHaveLength(before + 1);
});

test('reports undelivered compacted changes and stops', async () => {
  const { feed, watches, lost, clock } = feedOf();
  feed.start(0);
  watches[0]?.onEnd({ compacted: 9 });
  await clock.advance(10_000);
  expect([lost, watches.length]).toEqual([[9], 1]);
});
