import type { Elements } from '../define-elements.ts';
import { AccessScreen } from './access-screen.ts';
import { AccessWhy } from './access-why.ts';
import { TryAsView } from './try-as-view.ts';

export const accessElements: Elements = { 'tp-access': AccessScreen, 'tp-access-why': AccessWhy, 'tp-try-as': TryAsView };
