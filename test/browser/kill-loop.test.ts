import { expect, test } from 'vitest';
import { createSeededRandom } from '../../src/env/index.ts';
import { configMaps, eventually, injectHarness, killWorkers, sendRequest, workerSession } from './browser.ts';
import { useSite } from './site.ts';

/** The full run has 20 seeds with 500 writes: TABPLANE_SEEDS=20 TABPLANE_WRITES=500; plain fetch has TABPLANE_KILLS=250. */
const seeds = Number(process.env['TABPLANE_SEEDS'] ?? 2);
const writes = Number(process.env['TABPLANE_WRITES'] ?? 150);
const kills = Number(process.env['TABPLANE_KILLS'] ?? 25);

/**
 * On a busy machine a worker may take longer to start than the time between kills, so some of the kills wait for progress, of every writer:
 * the page gives up a request after half a minute.
 */
const killsWithoutProgress = 5;

/** A count of acknowledged writes. */
class Progress {
  readonly #count: () => Promise<number>;
  #lastCount = 0;

  constructor(count: () => Promise<number>) {
    this.#count = count;
  }

  /** Waits until the count has grown since the last call, or until `isDone`. */
  async next(isDone = (): boolean => false): Promise<void> {
    await eventually(async () => isDone() || (await this.#count()) > this.#lastCount);
    this.#lastCount = await this.#count();
  }
}

declare global {
  /** Of each writer; infinite once it is done. */
  var acknowledgedWrites: number[];
}

const site = useSite();

test.each(Array.from({ length: seeds }, (_, at) => at + 1))('applies every acknowledged write exactly once, seed %i', async (seed) => {
  const context = await site.context();
  const page = await context.newPage();
  await page.goto(site.url);
  await injectHarness(page);
  const cdp = await workerSession(context, page);
  await page.evaluate((path) => void globalThis.harness.watchers.push(globalThis.harness.watch(path)), configMaps);
  await eventually(() => page.evaluate(() => globalThis.harness.watchers[0]?.watches === 1));

  let writing = true;
  await page.evaluate(() => {
    globalThis.acknowledgedWrites = [0, 0, 0, 0];
  });
  const written = page
    .evaluate(
      async ([path, count, seed]) => {
        const acknowledged: string[] = [];
        const writer = async (writer: number): Promise<void> => {
          for (let at = writer; at < count; at += 4) {
            const { status, text } = await globalThis.harness.send('POST', path, {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              metadata: { generateName: `s${seed}-${at}-` },
            });
            if (status !== 201) throw new Error(`${status} ${text}`);
            acknowledged.push(JSON.parse(text).metadata.name);
            globalThis.acknowledgedWrites[writer] = at + 1;
          }
          globalThis.acknowledgedWrites[writer] = Number.POSITIVE_INFINITY;
        };
        await Promise.all([0, 1, 2, 3].map(writer));
        return acknowledged;
      },
      [configMaps, writes, seed] as const,
    )
    .finally(() => {
      writing = false;
    });
  const random = createSeededRandom(seed);
  let kills = 0;
  const progress = new Progress(() => page.evaluate(() => Math.min(...globalThis.acknowledgedWrites)));
  for (; writing; kills++) {
    await new Promise((resolve) => setTimeout(resolve, 20 + random.integer(180)));
    if (kills % killsWithoutProgress === 0) await progress.next(() => !writing);
    await killWorkers(cdp);
  }
  const acknowledged = await written;
  const listed: string[] = JSON.parse((await sendRequest(page, { target: configMaps })).text).items.map(
    (item: { metadata: { name: string } }) => item.metadata.name,
  );
  expect(new Set(acknowledged).size).toBe(writes);
  expect([...listed].filter((name) => name.startsWith(`s${seed}-`)).sort()).toEqual([...acknowledged].sort());

  await eventually(() => page.evaluate((count) => (globalThis.harness.watchers[0]?.state.size ?? 0) >= count, listed.length));
  const { events, lists, watches } = await page.evaluate(() => {
    const { events = [], lists = 0, watches = 0 } = globalThis.harness.watchers[0] ?? {};
    return { events, lists, watches };
  });
  const versions = events.map((event) => Number(event.split(' ')[2]));
  expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  expect(new Set(events.map((event) => event.split(' ')[1]))).toEqual(new Set(acknowledged));
  console.info(`seed ${seed}: ${kills} kills, ${writes} writes, ${watches} watches, ${lists} lists`);
});

/** The outcomes of writes sent with fetch, without the page's client. */
interface PlainWrites {
  /** Names whose creation returned 201. */
  readonly created: string[];
  /** Creates that were refused although no other client had created the object. */
  readonly refused: string[];
  /** Responses other than 409 to a deliberately repeated create. */
  readonly repeated: string[];
  /** Number of requests that the browser gave up: it dispatches a fetch event again only once. */
  failed: number;
  stop: boolean;
}

declare global {
  var plainWrites: PlainWrites;
}

test('a plain fetch never conflicts with its own write, and a deliberate repetition always does', {
  timeout: 600_000,
}, async () => {
  const context = await site.context();
  const page = await context.newPage();
  await page.goto(site.url);
  await injectHarness(page);
  const cdp = await workerSession(context, page);
  await page.evaluate(
    (target) => {
      const writes: PlainWrites = { created: [], refused: [], repeated: [], failed: 0, stop: false };
      globalThis.plainWrites = writes;
      const headers = { authorization: 'Bearer admin-token', 'content-type': 'application/json' };
      const create = (name: string): Promise<Response> =>
        fetch(target, { method: 'POST', headers, body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }) });
      const writer = async (writer: number): Promise<void> => {
        for (let at = 0; !writes.stop; at++) {
          const name = `plain-${writer}-${at}`;
          try {
            const { status } = await create(name);
            if (status !== 201) writes.refused.push(`${name} ${status}`);
            else writes.created.push(name);
            // Some reach the same worker, some one that has just started.
            const again = await create(name);
            if (again.status !== 409) writes.repeated.push(`${name} ${again.status}`);
          } catch {
            writes.failed++;
          }
        }
      };
      for (const number of [0, 1, 2, 3]) void writer(number);
    },
    new URL(`cluster${configMaps}`, site.url).href,
  );
  const random = createSeededRandom(1);
  const progress = new Progress(() => page.evaluate(() => globalThis.plainWrites.created.length));
  for (let kill = 0; kill < kills; kill++) {
    await new Promise((resolve) => setTimeout(resolve, 20 + random.integer(180)));
    if (kill % killsWithoutProgress === 0) await progress.next();
    await killWorkers(cdp);
  }
  const writes = await page.evaluate(() => {
    globalThis.plainWrites.stop = true;
    return globalThis.plainWrites;
  });
  const { items } = JSON.parse((await sendRequest(page, { target: configMaps })).text) as { items: { metadata: { name: string } }[] };
  const stored = new Set(items.map(({ metadata }) => metadata.name));
  const { created, refused, repeated, failed } = writes;
  console.info(`plain fetch: ${kills} kills, ${created.length} creates, ${failed} given up by the browser`);
  expect({ refused, repeated, lost: created.filter((name) => !stored.has(name)) }).toEqual({ refused: [], repeated: [], lost: [] });
  expect(created.length).toBeGreaterThan(kills / killsWithoutProgress - 1);
});
