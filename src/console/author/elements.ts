import { learnElements } from '../learn/elements.ts';
import { AuthorScreen } from './author-screen.ts';

/** With those that show the lesson. */
export const authorElements: Readonly<Record<string, CustomElementConstructor>> = { ...learnElements, 'tp-author': AuthorScreen };
