import type { Elements } from '../define-elements.ts';

export const accessElements: Elements = {};
