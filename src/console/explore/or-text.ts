import { msg, str } from '@lit/localize';

/** Words any one of which is meant: `integer or string`. */
export function joinWithOr(words: readonly string[]): string {
  const [first = '', ...more] = words;
  return more.reduce((some, last) => msg(str`${some} or ${last}`, { desc: 'between words any one of which is meant' }), first);
}
