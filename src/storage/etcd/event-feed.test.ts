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
    lost: (compacted) => lost.push(compacted),
  });
  return { feed, watches, seen, lost, clock };
}

test('a watch that was cut goes on after the last event that was heard', async () => {
  const { feed, watches, seen, clock } = feedOf();
  feed.start(4);
  watches[0]?.deliver([event(5), event(6), event(6)]);
  watches[0]?.ended(cut);
  await clock.advance(100);
  expect(watches.map(({ from }) => from)).toEqual([5, 7]);
  watches[1]?.deliver([event(7)]);
  expect(seen).toEqual([5, 6, 6, 7]);
});

test('what is told twice is heard once, and an ended watch is not heard at all', () => {
  const { feed, watches, seen } = feedOf();
  feed.start(0);
  watches[0]?.deliver([event(2)]);
  feed.restart();
  watches[0]?.deliver([event(3)]);
  watches[0]?.ended(cut);
  watches[1]?.deliver([event(2), event(3)]);
  expect([seen, watches.length]).toEqual([[2, 3], 2]);
});

test('pauses between watches that are cut grow, up to a second, and are short again after an event', async () => {
  const { feed, watches, clock } = feedOf();
  feed.start(0);
  for (const pause of [50, 100, 200, 400, 800, 1000, 1000]) {
    const before = watches.length;
    watches.at(-1)?.ended(cut);
    await clock.advance(pause - 1);
    expect(watches).toHaveLength(before);
    await clock.advance(1);
    expect(watches).toHaveLength(before + 1);
  }
  watches.at(-1)?.deliver([event(2)]);
  const before = watches.length;
  watches.at(-1)?.ended(cut);
  await clock.advance(50);
  expect(watches).toHaveLength(before + 1);
});

test('when changes are compacted before they were told, the feed says so and rests', async () => {
  const { feed, watches, lost, clock } = feedOf();
  feed.start(0);
  watches[0]?.ended({ compacted: 9 });
  await clock.advance(10_000);
  expect([lost, watches.length]).toEqual([[9], 1]);
});
