/** Lessons as Markdown: read when the page is built, by `tutorial test`, and in the page for those that come from elsewhere. */
export { type ParsedLesson, type ParseOptions, parseLesson, parseTranslation } from './parse-lesson.ts';
export type { Problem } from './problem.ts';
export { renderProse } from './render-prose.ts';
export { lessonFiles, readTrack, type Track } from './track.ts';
