import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { followFile } from './follow-file.ts';

test('what a file says now is told once, also when another takes its place; what cannot be used is logged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'follow-'));
  const path = join(folder, 'config');
  await writeFile(path, 'one');
  const log = createMemoryLog();
  const told: string[] = [];
  const end = followFile(path, 'one', { clock: createManualClock(), random: createSeededRandom(1), log }, async (text) => {
    told.push(text);
    if (text === 'broken') throw new Error('no');
  });
  try {
    await writeFile(`${path}.new`, 'two');
    await rename(`${path}.new`, path);
    await vi.waitFor(() => expect(told).toEqual(['two']), { timeout: 10_000 });
    await writeFile(`${path}.new`, 'broken');
    await rename(`${path}.new`, path);
    await vi.waitFor(() => expect(log.lines).toHaveLength(1), { timeout: 10_000 });
    expect(told).toEqual(['two', 'broken']);
  } finally {
    end();
    await rm(folder, { recursive: true });
  }
});
