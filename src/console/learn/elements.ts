import { LearnScreen } from './learn-screen.ts';
import { LessonCommand } from './lesson-command.ts';
import { LessonScreen } from './lesson-screen.ts';

export const learnElements: Readonly<Record<string, CustomElementConstructor>> = {
  'tp-learn': LearnScreen,
  'tp-lesson': LessonScreen,
  'tp-lesson-command': LessonCommand,
};
