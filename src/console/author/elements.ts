import { learnElements } from '../learn/elements.ts';
import { AuthorScreen } from './author-screen.ts';

/** Includes the elements that show the lesson. */
export const authorElements: Readonly<Record<string, CustomElementConstructor>> = { ...learnElements, 'tp-author': AuthorScreen };
