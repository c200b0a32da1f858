import type { Product } from '../../meta/index.ts';
import { lessonFiles, type ParseOptions, parseLesson, parseTranslation, readTrack, renderProse } from '../format/index.ts';
import type { Lesson, Part } from '../lesson.ts';
import { type TestLab, type TestOptions, testLesson } from './test-lesson.ts';

/** The files of a folder of lessons, by name. `track.md` has their common front matter. */
export type TrackFiles = ReadonlyMap<string, string>;

export interface TrackTestOptions extends TestOptions {
  /** Whether there is a lesson `track/lesson`, in this track or another one. */
  readonly hasLesson: (name: string) => boolean;
}

export interface LessonReport {
  readonly file: string;
  readonly title: string;
  readonly steps: number;
  readonly failures: readonly string[];
}

/** Tests every lesson of a folder, each in its own lab. */
export async function testTrack(
  files: TrackFiles,
  newLab: () => Promise<TestLab>,
  options: TrackTestOptions,
): Promise<readonly LessonReport[]> {
  const { inherited } = readTrack(files.get('track.md') ?? '');
  const reports: LessonReport[] = [];
  for (const file of lessonFiles(files.keys())) {
    const parse: ParseOptions = { render: renderProse, file: (name) => renameOptional(files.get(name), options.product), inherited };
    const source = options.product.rename(files.get(file) ?? '');
    const { lesson, problems } = parseLesson(source, parse);
    const lab = await newLab();
    const played = await testLesson(lesson, lab, options).catch((error: unknown) => [String(error)]);
    await lab.close();
    const failures = [
      ...problems.map(({ line, message }) => `line ${line}: ${message}`),
      ...findContentFailures(lesson, files),
      ...lesson.requires.filter((name) => !options.hasLesson(name)).map((name) => `the required lesson ${name} is missing`),
      ...findTranslationFailures(lesson, source, parse),
      ...played,
    ];
    reports.push({ file, title: lesson.title, steps: lesson.steps.length, failures });
  }
  return reports;
}

function renameOptional(text: string | undefined, product: Product): string | undefined {
  return text === undefined ? undefined : product.rename(text);
}

/** A translation must have the same step ids and checks, since progress is shared between languages. */
function findTranslationFailures(lesson: Lesson, source: string, parse: ParseOptions): readonly string[] {
  const outline = ({ steps }: Lesson): string => JSON.stringify(steps.map(({ id, checks }) => [id, checks.map(({ source }) => source)]));
  return Object.values(lesson.i18n).flatMap((file) => {
    const text = parse.file(file);
    if (text === undefined) return `the translation ${file} is missing`;
    const { lesson: translated, problems } = parseTranslation(text, source, parse);
    const wrong = problems.map(({ line, message }) => `${file}, line ${line}: ${message}`);
    return outline(translated) === outline(lesson) ? wrong : [...wrong, `${file} has different steps or checks`];
  });
}

/** Finds broken links, images without alternative text, and checks without a text for the state after they pass. */
function findContentFailures(lesson: Lesson, files: TrackFiles): readonly string[] {
  const parts: readonly Part[] = [...lesson.intro, ...lesson.steps.flatMap(({ parts: some }) => some)];
  const html = [...parts.flatMap((part) => (part.kind === 'prose' ? [part.html] : [])), ...lesson.steps.flatMap(({ hints }) => hints)].join(
    '\n',
  );
  const ids = new Set(lesson.steps.map(({ id }) => id));
  const failures: string[] = [];
  for (const [, address = ''] of html.matchAll(/<(?:a|img)\b[^>]*?(?:href|src)="([^"]*)"/g)) {
    const resolves =
      /^https?:/.test(address) || /^#\//.test(address) || (address.startsWith('#') ? ids.has(address.slice(1)) : files.has(address));
    if (!resolves) failures.push(`the link "${address}" is broken`);
  }
  if (/<img\b(?![^>]*\balt="[^"]+")/.test(html)) failures.push('an image has no alternative text');
  const [, tag] = /&lt;\/?([a-z]+)/.exec(html.replace(/<code\b[\s\S]*?<\/code>/g, '')) ?? [];
  if (tag !== undefined) failures.push(`"<${tag}>" is shown as text: lessons cannot contain HTML`);
  for (const { source } of lesson.exam ? [] : lesson.steps.flatMap(({ checks }) => checks.filter(({ done }) => done === undefined))) {
    failures.push(`the check "${source}" has no done, the text that says what was achieved`);
  }
  return failures;
}
