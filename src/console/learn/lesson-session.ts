import { tracks } from 'virtual:tabplane-lessons';
import { type ProductName, productNames } from '../../meta/index.ts';
import { ExamRun, type Lesson, LessonRun, type Progress, parseProgress } from '../../tutorials/index.ts';
import type { ConsoleOptions } from '../model/connection.ts';
import { ConsoleModel } from '../model/console-model.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { LessonPlace } from '../routes.ts';
import { LessonComponents } from './lesson-components.ts';
import { createLessonLab } from './lesson-lab.ts';
import { lessonWorkspace, workspaceIdOf } from './lesson-workspace.ts';
import type { LoadedLesson } from './load-lesson.ts';
import { mergeProgress } from './progress-file.ts';

/** An open lesson or exam: its run, and the console of its cluster. */
export interface LessonSession {
  readonly key: string;
  readonly lesson: Lesson;
  readonly language: string;
  readonly languages: readonly string[];
  readonly next: LoadedLesson['next'];
  readonly run: LessonRun | ExamRun;
  readonly model: ConsoleModel;
  /** Stops the checks, and the controllers, the scheduler and the nodes of the cluster. */
  readonly close: () => void;
}

/** Opens a lesson at the stored progress. `models` are the open consoles: that of the lesson is used again, with its output. */
export async function openSession(
  place: LessonPlace,
  loaded: LoadedLesson,
  options: ConsoleOptions,
  models: readonly ConsoleModel[] = [],
): Promise<LessonSession> {
  const { lesson } = loaded;
  const workspace = lessonWorkspace(place, lesson, options);
  const { id, names, allow } = workspace;
  const open = models.find((one) => one.workspace.id === id && String(one.workspace.allow) === String(allow));
  const model = open ?? (await ConsoleModel.open(options, workspace));
  const { connection, runComponents } = options;
  const start = (): (() => void) | undefined =>
    lesson.nodes > 0 ? runComponents?.({ id, names, nodes: lesson.nodes, images: lesson.images }) : undefined;
  const components = new LessonComponents(() => start() ?? (() => undefined));
  const lab = createLessonLab({ model, hostApi: connection.api, components });
  const runOptions = { lesson, lab, store: model.store, clock: options.env.clock };
  const run = lesson.exam === undefined ? new LessonRun(runOptions) : new ExamRun({ ...runOptions, exam: lesson.exam });
  model.onCommandEnd = ({ line, exit, requests }, stdout) => {
    for (const { user, method, target, status } of requests) run.recordRequest({ user, method, path: target, code: status });
    run.recordCommand({ line, exit: exit ?? 1, stdout });
  };
  const close = (): void => {
    run.close();
    components.close();
  };
  try {
    await (run instanceof ExamRun ? run.open() : run.open(place.step === undefined ? undefined : place.step - 1));
  } catch (error) {
    close();
    throw error;
  }
  components.start();
  return { key: id, ...loaded, run, model, close };
}

/** The stored progress by lesson (`track/lesson`), with any names. */
export async function readAllProgress(store: KeyValueStore): Promise<ReadonlyMap<string, Progress>> {
  const found = new Map<string, Progress>();
  for (const name of lessonNames()) {
    for (const names of [undefined, ...productNames]) {
      const progress = parseProgress(await store.get(progressKey(name, names)));
      if (progress) found.set(name, mergeProgress(found.get(name), progress));
    }
  }
  return found;
}

/** Merges imported progress into the stored one. Ignores unknown lessons. */
export async function addProgress(store: KeyValueStore, given: ReadonlyMap<string, Progress>): Promise<void> {
  for (const name of lessonNames()) {
    const progress = given.get(name);
    const current = parseProgress(await store.get(progressKey(name)));
    if (progress) await store.set(progressKey(name), mergeProgress(current, progress));
  }
}

function lessonNames(): readonly string[] {
  return tracks.flatMap(({ id, lessons }) => lessons.map((lesson) => `${id}/${lesson.id}`));
}

function progressKey(name: string, names?: ProductName): string {
  const [track = '', lesson = ''] = name.split('/');
  return `place:${workspaceIdOf({ track, lesson, step: undefined, names })}:progress`;
}
