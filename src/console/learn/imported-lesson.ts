import type { Product } from '../../meta/index.ts';
import type { ParsedLesson } from '../../tutorials/format/index.ts';
import { type KeyValueStore, openStore } from '../model/key-value-store.ts';
import type { LessonPlace } from '../routes.ts';

const keyPrefix = 'foreign-lesson:';

/** The track of imported lessons. */
export const importedTrack = 'file';

/** A lesson with the files of its folder, by name. */
export interface ImportedLesson {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Stores an imported lesson with the files of its folder. Returns the place to open it. */
export async function saveImportedLesson(name: string, files: ImportedLesson['files']): Promise<LessonPlace> {
  const id =
    name
      .replace(/\.md$/, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .slice(0, 40) || 'lesson';
  await (await openStore()).set(keyOf(id), { name, files } satisfies ImportedLesson);
  return { track: importedTrack, lesson: id, step: undefined };
}

/** Returns undefined when no lesson of this name is stored. */
export async function loadImportedLesson(id: string): Promise<ImportedLesson | undefined> {
  const stored = (await (await openStore()).get(keyOf(id))) as ImportedLesson | undefined;
  return stored?.files instanceof Map ? stored : undefined;
}

/** The ids of the stored lessons. */
export async function importedLessonIds(store: KeyValueStore): Promise<readonly string[]> {
  return (await store.entries(keyPrefix)).map(([key]) => key.slice(keyPrefix.length));
}

/** Parses an imported lesson, with all content escaped, and translated if available. */
export async function parseImportedLesson({ name, files }: ImportedLesson, product: Product, language = ''): Promise<ParsedLesson> {
  const { parseLesson, parseTranslation, readTrack, renderProse } = await import('../../tutorials/format/index.ts');
  const file = (one: string): string | undefined => {
    const text = files.get(one);
    return text === undefined ? undefined : product.rename(text);
  };
  const options = { render: renderProse, file, inherited: readTrack(file('track.md') ?? '').inherited };
  const source = file(name) ?? '';
  const parsed = parseLesson(source, options);
  const translation = file(parsed.lesson.i18n[language] ?? '');
  return translation === undefined ? parsed : parseTranslation(translation, source, options);
}

function keyOf(id: string): string {
  return keyPrefix + id;
}
