import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { parseLesson, renderProse } from '../../tutorials/format/index.ts';
import { type FolderHandle, type LessonFiles, watchFolder } from './lesson-files.ts';
import { estimateReadingTime } from './reading-time.ts';

test('words of the text count, those of commands and marks do not', () => {
  const source = '---\ntitle: T\n---\nOne two **three** – `four`.\n\n## A\nFive.\n```sh run\nkubectl get pods\n```\n';
  const { lesson } = parseLesson(source, { render: renderProse, file: () => undefined, inherited: {} });
  expect(estimateReadingTime(lesson)).toEqual({ words: 5, minutes: 1 });
});

/** Lets reading of files come to its end. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('a folder is told at once, again when a file of it has changed, and not after the end', async () => {
  const files = new Map([
    ['a.md', new File(['one'], 'a.md', { lastModified: 1 })],
    ['b.png', new File(['no text'], 'b.png', { lastModified: 1 })],
  ]);
  const folder: FolderHandle = {
    kind: 'directory',
    name: 'lessons',
    async *values() {
      for (const [name, file] of files) yield { kind: 'file', name, getFile: async () => file };
    },
  };
  const clock = createManualClock();
  const told: LessonFiles[] = [];
  const end = watchFolder(folder, clock, (texts) => told.push(texts));
  await settled();
  await clock.advance(3_000);
  await settled();
  expect(told).toEqual([new Map([['a.md', 'one']])]);
  files.set('a.md', new File(['two'], 'a.md', { lastModified: 2 }));
  await clock.advance(1_000);
  await settled();
  expect(told[1]).toEqual(new Map([['a.md', 'two']]));
  end();
  files.set('a.md', new File(['three'], 'a.md', { lastModified: 3 }));
  await clock.advance(5_000);
  await settled();
  expect(told).toHaveLength(2);
});
