import { ExamView } from './exam-view.ts';
import { LearnScreen } from './learn-screen.ts';
import { LessonCommand } from './lesson-command.ts';
import { LessonScreen } from './lesson-screen.ts';

export const learnElements: Readonly<Record<string, CustomElementConstructor>> = {
  'tp-exam': ExamView,
  'tp-learn': LearnScreen,
  'tp-lesson': LessonScreen,
  'tp-lesson-command': LessonCommand,
};
