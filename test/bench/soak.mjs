// A million updates of a thousand keys: the memory of the storage must not grow.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { heapMB } from './measure.mjs';
import { root } from './page.mjs';

export const goals = { 'heap after a million updates, part of that before': { atMost: 1.2 } };

/** Bundles and imports the storage module, since Node 20 does not run its TypeScript. */
async function loadStorage() {
  mkdirSync(join(root, 'dist'), { recursive: true });
  const folder = mkdtempSync(join(root, 'dist/bench-'));
  const outfile = join(folder, 'storage.mjs');
  try {
    const contents = `export { createMemoryKeySpace } from './memory/memory-key-space.ts'; export * from './compactor.ts'; export { createManualClock } from '../env/index.ts';`;
    const stdin = { contents, resolveDir: join(root, 'src/storage'), loader: 'ts' };
    await build({ stdin, bundle: true, packages: 'external', platform: 'node', format: 'esm', outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns {Promise<Record<string, number>>} */
export async function benchSoak() {
  const { createMemoryKeySpace, createCompactor, createManualClock } = await loadStorage();
  const clock = createManualClock();
  const keySpace = createMemoryKeySpace(clock);
  const log = { error: console.error, warn: console.error, info: () => {} };
  const compactor = createCompactor({ keySpace, clock, log, retentionMs: 1000 });
  compactor.start();
  const revisions = Array.from({ length: 1000 }, () => 'absent');
  // 10,000 updates a second, by the clock of the storage.
  const update = async (rounds) => {
    for (let round = 0; round < rounds; round++) {
      for (const [index, expected] of revisions.entries())
        revisions[index] = (await keySpace.commit({ key: `k${index}`, expected, value: `${round}`.padEnd(1000, `${index}`) })).revision;
      await clock.advance(100);
    }
  };
  await update(20);
  const before = heapMB();
  const started = performance.now();
  await update(1000);
  const seconds = (performance.now() - started) / 1000;
  const after = heapMB();
  compactor.stop();
  return {
    'updates a second, storage alone': 1_000_000 / seconds,
    'heap after a million updates, MB': after,
    'heap after a million updates, part of that before': after / before,
  };
}
