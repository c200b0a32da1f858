import type { Applet } from '../process/applet.ts';

/** The first line of the usage of all applets. */
export const busyboxBanner = 'BusyBox v1.36.1 (2023-05-18 22:34:17 UTC) multi-call binary.';

/** The names, in lines of at most 72 characters. */
function formatNames(names: readonly string[]): string {
  const lines = [''];
  for (const [at, name] of names.entries()) {
    const word = at === names.length - 1 ? name : `${name},`;
    const line = lines.at(-1) ?? '';
    if (line.length + word.length > 70) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => `\t${line}\n`).join('');
}

/** Lists the applets, or runs one of them. */
export const createBusybox =
  (names: readonly string[]): Applet =>
  (invocation) => {
    const { args, out, err, shell, state } = invocation;
    const [first, ...rest] = args;
    if (first === undefined || first === '--help') {
      out(`${busyboxBanner}\n\nCurrently defined functions:\n${formatNames(names)}`);
      return 0;
    }
    if (first === '--list' || first === '--list-full') {
      out(names.map((name) => `${first === '--list' ? '' : 'bin/'}${name}\n`).join(''));
      return 0;
    }
    if (first === '--install') return 0;
    if (names.includes(first)) return shell.runWords([first, ...rest], state, invocation);
    err(`${first}: applet not found\n`);
    return 127;
  };
