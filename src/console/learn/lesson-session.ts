import { tracks } from 'virtual:tabplane-lessons';
import { ExamRun, type Lesson, LessonRun, type Progress, parseProgress } from '../../tutorials/index.ts';
import type { ConsoleOptions, Workspace } from '../model/connection.ts';
import { ConsoleModel } from '../model/console-model.ts';
import type { KeyValueStore } from '../model/key-value-store.ts';
import type { LessonPlace } from '../routes.ts';
import { importedTrack, loadImportedLesson, parseImportedLesson } from './imported-lesson.ts';
import { LessonComponents } from './lesson-components.ts';
import { createLessonLab } from './lesson-lab.ts';
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
  return place.track === importedTrack ? loadImported(place, language, options) : loadShipped(place, language);
}

async function loadShipped({ track, lesson: name }: LessonPlace, wanted: string): Promise<LoadedLesson | undefined> {
  const { lessons = [] } = tracks.find(({ id }) => id === track) ?? {};
  const at = lessons.findIndex(({ id }) => id === name);
  const [shipped, after] = at < 0 ? [] : lessons.slice(at);
  const languages = Object.keys(shipped?.languages ?? {});
  const language = languages.includes(wanted) ? wanted : lessonLanguage;
  const lesson = await shipped?.languages[language]?.();
  const next = after && { title: after.title, place: { track, lesson: after.id, step: undefined } };
  return lesson && { lesson, language, languages, next };
}

async function loadImported({ lesson: id }: LessonPlace, wanted: string, { product }: ConsoleOptions): Promise<LoadedLesson | undefined> {
  const imported = await loadImportedLesson(id);
  if (imported === undefined) return undefined;
  const { lesson } = await parseImportedLesson(imported, product, wanted);
  const languages = [lessonLanguage, ...Object.keys(lesson.i18n)];
  return { lesson, language: languages.includes(wanted) ? wanted : lessonLanguage, languages, next: undefined };
}

/** Opens a lesson at the stored progress. */
export async function openSession(place: LessonPlace, loaded: LoadedLesson, options: ConsoleOptions): Promise<LessonSession> {
  const { lesson } = loaded;
  const id = workspaceIdOf(place);
  const home: Workspace = { id, kind: 'lesson', name: lesson.title, allow: lesson.allow, files: async () => ({}) };
  const model = await ConsoleModel.open(options, home);
  const { product, connection, runComponents } = options;
  const components = new LessonComponents(() => (lesson.nodes > 0 && runComponents?.(id, lesson.nodes)) || (() => undefined));
  const lab = createLessonLab({ model, hostApi: connection.api, product, components });
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

export function workspaceIdOf({ track, lesson }: LessonPlace): string {
  return `lesson-${track}-${lesson}`
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '-')
    .slice(0, 63);
}

/** The stored progress by lesson (`track/lesson`). */
export async function readAllProgress(store: KeyValueStore): Promise<ReadonlyMap<string, Progress>> {
  const found = new Map<string, Progress>();
  for (const name of lessonNames()) {
    const progress = parseProgress(await store.get(progressKey(name)));
    if (progress) found.set(name, progress);
  }
  return found;
}

/** Merges imported progress into the stored one. Ignores unknown lessons. */
export async function addProgress(store: KeyValueStore, given: ReadonlyMap<string, Progress>): Promise<void> {
  const stored = await readAllProgress(store);
  for (const name of lessonNames()) {
    const progress = given.get(name);
    if (progress) await store.set(progressKey(name), mergeProgress(stored.get(name), progress));
  }
}

function lessonNames(): readonly string[] {
  return tracks.flatMap(({ id, lessons }) => lessons.map((lesson) => `${id}/${lesson.id}`));
}

function progressKey(name: string): string {
  const [track = '', lesson = ''] = name.split('/');
  return `place:${workspaceIdOf({ track, lesson, step: undefined })}:progress`;
}
