/** Lessons: what they are made of, how their checks are evaluated, how one is run. */
export type { CheckState } from './checks/check-step.ts';
export type { SeenCommand, SeenRequest } from './checks/expressions.ts';
export { type CommandPart, type FilePart, type Lesson, linesOf, type Mode, modes, type Part, type Step, solutionOf } from './lesson.ts';
export type { Lab } from './run/lab.ts';
export { LessonRun, type LessonRunOptions } from './run/lesson-run.ts';
export { type Progress, type ProgressStore, readProgress } from './run/progress.ts';
