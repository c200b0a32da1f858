import type { Header } from './respond.ts';

/** All warnings of an answer together, in bytes; what comes after is cut (upstream handlers warning recorder). */
const maxTotal = 4 * 1024;
const maxShortened = 256;

/** `299 - "text"`, one header a warning; beyond 4 KiB texts are shortened, then left out. */
export function warningHeaders(texts: readonly string[]): Header[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  let used = 0;
  const shown: Header[] = [];
  for (const text of texts) {
    const short = total > maxTotal && text.length > maxShortened ? text.slice(0, maxShortened) : text;
    used += short.length;
    if (used > maxTotal) break;
    shown.push(['warning', `299 - "${short.replace(/[\\"]/g, '\\$&').replace(/[\n\r]/g, ' ')}"`]);
  }
  return shown;
}
