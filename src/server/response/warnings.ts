import type { Header } from './respond.ts';

/** Limit of all texts of a response, in characters. Cf. upstream endpoints/filters/warning.go. */
const maxTotal = 4 * 1024;
const maxShortened = 256;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are searched for
const controls = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * `299 - "text"`, one header a warning. The first text beyond the limit shortens all; then further texts are added up to the limit again.
 * Texts with control characters are left out.
 */
export function warningHeaders(texts: readonly string[]): Header[] {
  let shown: string[] = [];
  let written = 0;
  let maxLength = Number.POSITIVE_INFINITY;
  const add = (text: string): void => {
    const characters = Array.from(text).slice(0, maxLength);
    const short = characters.join('');
    if (short === '' || controls.test(short)) return;
    written += characters.length;
    shown.push(short);
  };
  for (const [index, text] of texts.entries()) {
    const isShortened = maxLength === maxShortened;
    if (isShortened && written >= maxTotal) break;
    add(text);
    if (isShortened || written <= maxTotal) continue;
    [shown, written, maxLength] = [[], 0, maxShortened];
    texts.slice(0, index + 1).forEach(add);
  }
  return shown.map((text) => ['warning', `299 - "${inBytes(text.replace(/[\\"]/g, '\\$&'))}"`]);
}

/** Headers are bytes: one character for each byte of the text in UTF-8. */
function inBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
