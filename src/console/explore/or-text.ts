import { msg, str } from '@lit/localize';

/** Joins alternatives: `integer or string`. */
export function joinWithOr(words: readonly string[]): string {
  const [first = '', ...more] = words;
  return more.reduce((some, last) => msg(str`${some} or ${last}`, { desc: 'between words any one of which is meant' }), first);
}
