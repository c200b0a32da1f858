import type { Call } from '../program/command.ts';

const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Five letters and digits that form no words. Cf. apimachinery util/rand. */
export function randomSuffix({ shell }: Pick<Call, 'shell'>): string {
  return Array.from({ length: 5 }, () => letters[shell.random.integer(letters.length)]).join('');
}
