import type { Header } from './respond.ts';

/** Limit for all warnings of a response, in bytes; the rest is dropped (upstream handlers warning recorder). */
const maxTotal = 4 * 1024;
const maxShortened = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
const controls = /[\u0000-\u001f\u007f]/g;

/** `299 - "text"`, one header a warning; beyond 4 KiB texts are shortened, then left out. */
export function warningHeaders(texts: readonly string[]): Header[] {
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  let used = 0;
  const shown: Header[] = [];
  for (const text of texts) {
    const short = total > maxTotal && text.length > maxShortened ? text.slice(0, maxShortened) : text;
    used += short.length;
    if (used > maxTotal) break;
    shown.push(['warning', `299 - "${inBytes(short.replace(/[\\"]/g, '\\$&').replace(controls, ' '))}"`]);
  }
  return shown;
}

/** Headers are bytes: one character for each byte of the text in UTF-8. */
function inBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
