/** Lessons: their format, the evaluation of their checks, and their runs. */

export type { CheckResults } from './checks/evaluate-checks.ts';
export type { RequestRecord, StepFacts } from './checks/expressions.ts';
export {
  type CommandPart,
  commandLines,
  type Lesson,
  type Mode,
  modes,
  type Part,
  type Step,
  solutionCommands,
} from './lesson.ts';
export { ExamRun, type ExamState } from './run/exam-run.ts';
export type { Lab } from './run/lab.ts';
export { type CheckState, LessonRun } from './run/lesson-run.ts';
export { type Progress, parseProgress } from './run/progress.ts';
