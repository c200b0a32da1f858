import { tracks } from 'virtual:tabplane-lessons';
import { type Lesson, LessonRun, type Progress, readProgress } from '../../tutorials/index.ts';
import type { ConsoleOptions, Place } from '../model/connection.ts';
import { ConsoleModel } from '../model/console-model.ts';
import type { Keep } from '../model/keep.ts';
import type { LessonPlace } from '../routes.ts';
import { foreignTrack, openForeignLesson } from './foreign-lesson.ts';
import { createLessonLab } from './lesson-lab.ts';

/** A lesson that is open: its run, and the console of its cluster. */
export interface LessonSession {
  readonly key: string;
  readonly run: LessonRun;
  readonly model: ConsoleModel;
}

/** Opens a lesson where its learner left it. Undefined: there is none of this name. */
export async function openSession(place: LessonPlace, options: ConsoleOptions): Promise<LessonSession | undefined> {
  const shipped = tracks.find(({ id }) => id === place.track)?.lessons.find(({ id }) => id === place.lesson);
  const lesson = place.track === foreignTrack ? await openForeignLesson(place.lesson, options.product) : await shipped?.load();
  return lesson && sessionOf(placeIdOf(place), lesson, place.step, options);
}

async function sessionOf(id: string, lesson: Lesson, step: number | undefined, options: ConsoleOptions): Promise<LessonSession> {
  const home: Place = { id, kind: 'lesson', name: lesson.title, files: async () => ({}) };
  const model = await ConsoleModel.open(options, home);
  const lab = createLessonLab(model, options.connection.api, options.product);
  const run = new LessonRun({ lesson, lab, store: model.keep, clock: options.env.clock });
  model.onRan = ({ line, exit, requests }, stdout) => {
    for (const { user, method, target, status } of requests) run.noteRequest({ user, method, path: target, code: status });
    run.noteCommand({ line, exit: exit ?? 1, stdout });
  };
  await run.open(step === undefined ? undefined : step - 1);
  return { key: id, run, model };
}

export function placeIdOf({ track, lesson }: LessonPlace): string {
  return `lesson-${track}-${lesson}`
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, 63);
}

/** What is kept of the lessons' progress, by the id of their place. */
export async function allProgress(keep: Keep): Promise<ReadonlyMap<string, Progress>> {
  const found = new Map<string, Progress>();
  for (const { id: track, lessons } of tracks) {
    for (const { id: lesson } of lessons) {
      const id = placeIdOf({ track, lesson, step: undefined });
      const progress = readProgress(await keep.get(`place:${id}:progress`));
      if (progress) found.set(id, progress);
    }
  }
  return found;
}
