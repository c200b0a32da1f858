import { expect, test } from 'vitest';
import { createSeededRandom } from '../../src/env/index.ts';
import { ask, configMaps, eventually, killWorkers, openLab, workerSession } from './browser.ts';
import { useSite } from './site.ts';

/** The whole loop is 20 seeds of 500 writes: TABPLANE_SEEDS=20 TABPLANE_WRITES=500. */
const seeds = Number(process.env['TABPLANE_SEEDS'] ?? 2);
const writes = Number(process.env['TABPLANE_WRITES'] ?? 150);

const site = useSite();

test.each(Array.from({ length: seeds }, (_, at) => at + 1))(
  'no acknowledged write is lost and none is done twice, seed %i',
  { timeout: 120_000 },
  async (seed) => {
    const context = await site.context();
    const page = await context.newPage();
    await page.goto(site.url);
    await openLab(page);
    const cdp = await workerSession(context, page);
    await page.evaluate((path) => void globalThis.lab.watchers.push(globalThis.lab.watch(path)), configMaps);
    await eventually(() => page.evaluate(() => globalThis.lab.watchers[0]?.watches === 1));

    let writing = true;
    const written = page
      .evaluate(
        async ([path, count, seed]) => {
          const acknowledged: string[] = [];
          const writer = async (writer: number): Promise<void> => {
            for (let at = writer; at < count; at += 4) {
              const { status, text } = await globalThis.lab.send('POST', path, {
                apiVersion: 'v1',
                kind: 'ConfigMap',
                metadata: { generateName: `s${seed}-${at}-` },
              });
              if (status !== 201) throw new Error(`${status} ${text}`);
              acknowledged.push(JSON.parse(text).metadata.name);
            }
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
    for (; writing; kills++) {
      await new Promise((resolve) => setTimeout(resolve, 20 + random.integer(180)));
      await killWorkers(cdp);
    }
    const acknowledged = await written;
    const listed: string[] = JSON.parse((await ask(page, { target: configMaps })).text).items.map(
      (item: { metadata: { name: string } }) => item.metadata.name,
    );
    expect(new Set(acknowledged).size).toBe(writes);
    expect([...listed].filter((name) => name.startsWith(`s${seed}-`)).sort()).toEqual([...acknowledged].sort());

    await eventually(() => page.evaluate((count) => (globalThis.lab.watchers[0]?.state.size ?? 0) >= count, listed.length));
    const { events, lists, watches } = await page.evaluate(() => {
      const { events = [], lists = 0, watches = 0 } = globalThis.lab.watchers[0] ?? {};
      return { events, lists, watches };
    });
    const versions = events.map((event) => Number(event.split(' ')[2]));
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(new Set(events.map((event) => event.split(' ')[1]))).toEqual(new Set(acknowledged));
    console.info(`seed ${seed}: ${kills} kills, ${writes} writes, ${watches} watches, ${lists} lists`);
  },
);
