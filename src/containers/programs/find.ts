import { globToRegExp } from '../../shell/index.ts';
import type { Applet } from '../process/applet.ts';
import { attempt } from './file-attempt.ts';
import { walkFiles } from './walk-files.ts';

/** `find PATHS -name GLOB -type f -maxdepth 2 -exec CMD {} \;`. */
export const find: Applet = async ({ args, out, err, path, shell, state, ...streams }, { container: { files }, user }) => {
  const first = args.findIndex((arg) => arg.startsWith('-') || arg === '!');
  const paths = first < 0 ? args : args.slice(0, first);
  const tests = first < 0 ? [] : args.slice(first);
  const valueFor = (option: string): string | undefined => (tests.includes(option) ? tests[tests.indexOf(option) + 1] : undefined);
  const name = valueFor('-name');
  const pattern = name === undefined ? undefined : globToRegExp(name);
  const type = { f: 'file', d: 'directory', l: 'link' }[valueFor('-type') ?? ''];
  const maxDepth = Number(valueFor('-maxdepth') ?? Number.POSITIVE_INFINITY);
  const minDepth = Number(valueFor('-mindepth') ?? 0);
  const from = tests.indexOf('-exec');
  const command =
    from < 0
      ? undefined
      : tests.slice(
          from + 1,
          tests.findIndex((word, at) => at > from && (word === ';' || word === '+')),
        );
  let code = 0;
  for (const start of paths.length === 0 ? ['.'] : paths) {
    const found: string[] = [];
    const collect = (): void => {
      for (const file of walkFiles(path(start), files, user)) {
        const below = file.slice(path(start).length);
        const depth = below === '' ? 0 : below.split('/').filter((part) => part !== '').length;
        const last = (below === '' ? start : below).split('/').at(-1) ?? '';
        if (depth > maxDepth || depth < minDepth || (pattern && !pattern.test(last))) continue;
        if (type === undefined || files.status(file, user, false).inode.type === type)
          found.push(`${start.replace(/\/$/, '')}${below}` || '/');
      }
    };
    if (!attempt(collect, err, `find: ${start}`)) code = 1;
    for (const file of found) {
      if (!command) out(`${file}\n`);
      else
        await shell.runWords(
          command.map((word) => word.replaceAll('{}', file)),
          state,
          { ...streams, out, err },
        );
    }
  }
  return code;
};
