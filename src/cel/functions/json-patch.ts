import type { Result } from '../values/value.ts';
import type { Functions } from './functions.ts';

export const jsonPatch: Functions = {
  'jsonpatch.escapeKey': (key: string): Result => key.replaceAll('~', '~0').replaceAll('/', '~1'),
};
