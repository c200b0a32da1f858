import { tracks } from 'virtual:tabplane-lessons';
import { productNames } from '../../meta/index.ts';
import type { Lesson } from '../../tutorials/index.ts';
import type { ConsoleOptions, Workspace } from '../model/connection.ts';
import { openStore } from '../model/key-value-store.ts';
import { type LessonPlace, linkToLesson } from '../routes.ts';
import { importedLessonIds, importedTrack } from './imported-lesson.ts';
import { lessonLanguage, loadLesson } from './load-lesson.ts';

const idMax = 63;

/** The id of a lesson's cluster. Lessons have another one for names that are not the default. */
export function workspaceIdOf({ track, lesson, names }: LessonPlace): string {
  const suffix = names === undefined ? '' : `-${names}`;
  const id = `lesson-${track}-${lesson}`.toLowerCase().replace(/[^a-z0-9-]/g, '-');
  return id.slice(0, idMax - suffix.length) + suffix;
}

/** The cluster of a lesson and the home of its console. */
export function lessonWorkspace(place: LessonPlace, { title, allow }: Lesson, options: ConsoleOptions): Workspace {
  return {
    id: workspaceIdOf(place),
    kind: 'lesson',
    name: title,
    names: place.names ?? options.names,
    address: linkToLesson({ ...place, step: undefined }),
    allow,
    files: async () => ({}),
  };
}

/** The workspace with this id, of a lesson that exists. */
export async function findLessonWorkspace(options: ConsoleOptions, id: string): Promise<Workspace | undefined> {
  const shipped = tracks.flatMap(({ id: track, lessons }) => lessons.map((lesson) => ({ track, lesson: lesson.id })));
  const imported = (await importedLessonIds(await openStore())).map((lesson) => ({ track: importedTrack, lesson }));
  for (const one of [...shipped, ...imported]) {
    for (const names of [undefined, ...productNames.filter((other) => other !== options.names)]) {
      const place: LessonPlace = { ...one, step: undefined, names };
      if (workspaceIdOf(place) !== id) continue;
      const loaded = await loadLesson(place, lessonLanguage, options);
      return loaded && lessonWorkspace(place, loaded.lesson, options);
    }
  }
  return undefined;
}
