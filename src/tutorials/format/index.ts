/** Lessons as Markdown. Parsed at build time, by `tutorial test`, and in the page for lessons from elsewhere. */
export { type ParsedLesson, type ParseOptions, parseLesson, parseTranslation } from './parse-lesson.ts';
export { renderProse } from './render-prose.ts';
export { lessonFiles, readTrack, type Track } from './track.ts';
