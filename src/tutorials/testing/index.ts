/** `tutorial test`: runs lessons and verifies that they can be solved and are not solved at the start. */
export type { TestLab, TestOptions } from './test-lesson.ts';
export { type LessonReport, type TrackFiles, testTrack } from './test-track.ts';
