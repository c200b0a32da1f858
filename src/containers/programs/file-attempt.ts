import type { Write } from '../../shell/index.ts';
import { SystemError } from '../files/file-error.ts';

/** Runs a system call on a file; a failure is written as `message` with the reason at its end, and makes the result false. */
export function attempt(run: () => void, err: Write, message: string): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    err(`${message}: ${error.message}\n`);
    return false;
  }
}

/** `drwxr-xr-x`. */
export function formatMode(type: 'directory' | 'file' | 'link' | 'device' | 'virtual', mode: number): string {
  const letter = { directory: 'd', file: '-', link: 'l', device: 'c', virtual: '-' }[type];
  const triple = (shift: number, special: number, [set, unset]: string): string => {
    const bits = (mode >> shift) & 7;
    const execute = mode & special ? (bits & 1 ? set : unset) : bits & 1 ? 'x' : '-';
    return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${execute}`;
  };
  return `${letter}${triple(6, 0o4000, 'sS')}${triple(3, 0o2000, 'sS')}${triple(0, 0o1000, 'tT')}`;
}

/** `u+x`, `go-w`, `0644` applied to a mode; undefined: it is not valid. */
export function parseMode(text: string, before: number, isDirectory: boolean): number | undefined {
  if (/^[0-7]{1,5}$/.test(text)) return Number.parseInt(text, 8);
  let mode = before;
  for (const clause of text.split(',')) {
    const match = /^([ugoa]*)([-+=])([rwxXst]*)$/.exec(clause);
    if (!match) return undefined;
    const [, classes = '', operator, letters = ''] = match;
    const mask = maskOf(classes === '' || classes.includes('a') ? 'ugo' : classes);
    let bits = 0;
    for (const letter of letters) bits |= bitsOf(letter, isDirectory || (mode & 0o111) !== 0);
    const changed = bits & mask;
    if (operator === '+') mode |= changed;
    else if (operator === '-') mode &= ~changed;
    else mode = (mode & ~(mask & 0o777)) | changed;
  }
  return mode;
}

function maskOf(classes: string): number {
  const masks: Readonly<Record<string, number>> = { u: 0o4700, g: 0o2070, o: 0o1007 };
  return [...classes].reduce((mask, letter) => mask | (masks[letter] ?? 0), 0);
}

function bitsOf(letter: string, isExecutable: boolean): number {
  if (letter === 'X') return isExecutable ? 0o111 : 0;
  return { r: 0o444, w: 0o222, x: 0o111, s: 0o6000, t: 0o1000 }[letter] ?? 0;
}
