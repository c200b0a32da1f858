import { defineElements, type Elements } from './define-elements.ts';
import type { Screen } from './routes.ts';

/** Screens that are loaded when first opened. */
const lazyScreens: Partial<Record<Screen, () => Promise<Elements>>> = {
  explore: () => import('./explore/elements.ts').then(({ exploreElements }) => exploreElements),
  access: () => import('./access/elements.ts').then(({ accessElements }) => accessElements),
  clusters: () => import('./share/elements.ts').then(({ shareElements }) => shareElements),
  s: () => import('./share/elements.ts').then(({ shareElements }) => shareElements),
  author: () => import('./author/elements.ts').then(({ authorElements }) => authorElements),
  learn: () => import('./learn/elements.ts').then(({ learnElements }) => learnElements),
};

export async function loadScreen(screen: Screen): Promise<void> {
  const elements = await lazyScreens[screen]?.();
  if (elements !== undefined) defineElements(elements);
}
