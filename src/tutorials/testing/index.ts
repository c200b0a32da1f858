/** `tutorial test`: lessons are played, and must be solvable and not solved already. */
export { type TestLab, type TestOptions, testLesson } from './test-lesson.ts';
export { type LessonReport, type TrackFiles, testTrack } from './test-track.ts';
