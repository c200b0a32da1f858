/** Lessons: their format, the evaluation of their checks, and their runs. */

export type { Looked } from './checks/evaluate-checks.ts';
export type { CommandRecord, SeenRequest, StepFacts } from './checks/expressions.ts';
export {
  type CommandPart,
  type Exam,
  type FilePart,
  type Lesson,
  linesOf,
  type Mode,
  modes,
  type Part,
  type Step,
  solutionOf,
} from './lesson.ts';
export { ExamRun, type ExamState, type TaskResult } from './run/exam-run.ts';
export type { Lab } from './run/lab.ts';
export { type CheckState, LessonRun, type LessonRunOptions } from './run/lesson-run.ts';
export { type Progress, type ProgressStore, readProgress } from './run/progress.ts';
