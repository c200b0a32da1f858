import type { Product } from '../../meta/index.ts';
import type { Lesson } from '../../tutorials/index.ts';
import { openKeep } from '../model/keep.ts';
import type { LessonPlace } from '../routes.ts';

/** The track of lessons that came as files. */
export const foreignTrack = 'file';

const keyOf = (id: string): string => `foreign-lesson:${id}`;

/** Keeps a lesson that came as a file; where it is opened. */
export async function keepForeignLesson(fileName: string, source: string): Promise<LessonPlace> {
  const id =
    fileName
      .replace(/\.md$/, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40) || 'lesson';
  const keep = await openKeep();
  await keep.set(keyOf(id), source);
  return { track: foreignTrack, lesson: id, step: undefined };
}

/** Reads it as what comes from anybody: text, and no more than text. */
export async function openForeignLesson(id: string, product: Product): Promise<Lesson | undefined> {
  const source = await (await openKeep()).get(keyOf(id));
  if (typeof source !== 'string') return undefined;
  const { parseLesson, renderProse } = await import('../../tutorials/format/index.ts');
  return parseLesson(product.rename(source), { render: renderProse, file: () => undefined, inherited: {} }).lesson;
}
