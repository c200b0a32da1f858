/** `tutorial test`: runs lessons and verifies that they can be solved and are not solved at the start. */
export type { TestLab } from './test-lesson.ts';
export { type LessonReport, testTrack } from './test-track.ts';
