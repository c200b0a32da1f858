import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../env/index.ts';
import { watchFile } from './watch-file.ts';

test('reports changed content once, also after the file was replaced, and logs content that is rejected', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'follow-'));
  const path = join(folder, 'config');
  await writeFile(path, 'one');
  const log = createMemoryLog();
  const contents: string[] = [];
  const end = watchFile(path, 'one', { clock: createManualClock(), random: createSeededRandom(1), log }, async (text) => {
    contents.push(text);
    if (text === 'broken') throw new Error('no');
  });
  try {
    await writeFile(`${path}.new`, 'two');
    await rename(`${path}.new`, path);
    await vi.waitFor(() => expect(contents).toEqual(['two']), { timeout: 10_000 });
    await writeFile(`${path}.new`, 'broken');
    await rename(`${path}.new`, path);
    await vi.waitFor(() => expect(log.lines).toHaveLength(1), { timeout: 10_000 });
    expect(contents).toEqual(['two', 'broken']);
  } finally {
    end();
    await rm(folder, { recursive: true });
  }
});
