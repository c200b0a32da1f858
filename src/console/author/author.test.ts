import { expect, test } from 'vitest';
import { createManualClock } from '../../env/index.ts';
import { parseLesson, renderProse } from '../../tutorials/format/index.ts';
import { type FolderHandle, type LessonFiles, watchFolder } from './lesson-files.ts';
import { estimateReadingTime } from './reading-time.ts';

test('counts words of the text, without commands and markup', () => {
  const source = '---\ntitle: T\n---\nOne two **three** – `four`.\n\n## A\nFive.\n```sh run\nkubectl get pods\n```\n';
  const { lesson } = parseLesson(source, { render: renderProse, file: () => undefined, inherited: {} });
  expect(estimateReadingTime(lesson)).toEqual({ words: 5, minutes: 1 });
});

/** Lets reading of files come to its end. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test('reports a folder immediately and after changes, and not after the end', async () => {
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
  const reports: LessonFiles[] = [];
  const end = watchFolder(folder, clock, (texts) => reports.push(texts));
  await settled();
  await clock.advance(3_000);
  await settled();
  expect(reports).toEqual([new Map([['a.md', 'one']])]);
  files.set('a.md', new File(['two'], 'a.md', { lastModified: 2 }));
  await clock.advance(1_000);
  await settled();
  expect(reports[1]).toEqual(new Map([['a.md', 'two']]));
  end();
  files.set('a.md', new File(['three'], 'a.md', { lastModified: 3 }));
  await clock.advance(5_000);
  await settled();
  expect(reports).toHaveLength(2);
});
