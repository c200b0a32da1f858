/** Lessons as Markdown: read when the page is built, by `tutorial test`, and in the page for those that come from elsewhere. */
export { readObject } from './front-matter.ts';
export { type ParsedLesson, type ParseOptions, parseLesson } from './parse-lesson.ts';
export type { Problem } from './problem.ts';
export { renderProse } from './render-prose.ts';
