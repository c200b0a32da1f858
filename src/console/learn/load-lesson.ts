import { tracks } from 'virtual:tabplane-lessons';
import { productByName } from '../../meta/index.ts';
import type { Lesson } from '../../tutorials/index.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import type { LessonPlace } from '../routes.ts';
import { importedTrack, loadImportedLesson, parseImportedLesson } from './imported-lesson.ts';

/** A parsed lesson with its context. */
export interface LoadedLesson {
  readonly lesson: Lesson;
  readonly language: string;
  readonly languages: readonly string[];
  /** The next lesson of its track. */
  readonly next: { readonly title: string; readonly place: LessonPlace } | undefined;
}

/** The default language of lessons. */
export const lessonLanguage = 'en';

/** Loads a lesson, translated if available. Returns undefined when it does not exist. */
export function loadLesson(place: LessonPlace, language: string, options: ConsoleOptions): Promise<LoadedLesson | undefined> {
  return place.track === importedTrack ? loadImported(place, language, options) : loadShipped(place, language, options);
}

async function loadShipped(place: LessonPlace, wanted: string, options: ConsoleOptions): Promise<LoadedLesson | undefined> {
  const { track, lesson: name, names } = place;
  const { lessons = [] } = tracks.find(({ id }) => id === track) ?? {};
  const at = lessons.findIndex(({ id }) => id === name);
  const [shipped, after] = at < 0 ? [] : lessons.slice(at);
  const languages = Object.keys(shipped?.languages ?? {});
  const language = languages.includes(wanted) ? wanted : lessonLanguage;
  const lesson = await shipped?.languages[language]?.[names ?? options.names]();
  const next = after && {
    title: after.translations[language]?.title ?? after.title,
    place: { track, lesson: after.id, step: undefined, names },
  };
  return lesson && { lesson, language, languages, next };
}

async function loadImported(place: LessonPlace, wanted: string, options: ConsoleOptions): Promise<LoadedLesson | undefined> {
  const imported = await loadImportedLesson(place.lesson);
  if (imported === undefined) return undefined;
  const { lesson } = await parseImportedLesson(imported, productByName(place.names ?? options.names), wanted);
  const languages = [lessonLanguage, ...Object.keys(lesson.i18n)];
  return { lesson, language: languages.includes(wanted) ? wanted : lessonLanguage, languages, next: undefined };
}
