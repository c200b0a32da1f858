import { globToRegExp } from '../../shell/index.ts';
import type { Applet } from '../process/applet.ts';
import { attempt } from './file-attempt.ts';
import { walkFiles } from './walk-files.ts';

/** `find PATHS -name GLOB -type f -maxdepth 2 -exec CMD {} \;`. */
export const find: Applet = async ({ args, out, err, path, shell, state, ...streams }, { container: { files }, user }) => {
  const first = args.findIndex((arg) => arg.startsWith('-') || arg === '!');
  const starts = first < 0 ? args : args.slice(0, first);
  const expression = first < 0 ? [] : args.slice(first);
  const matches = matcherOf(expression);
  const command = commandOf(expression);
  let code = 0;
  for (const start of starts.length === 0 ? ['.'] : starts) {
    const found: string[] = [];
    const collect = (): void => {
      // The kernel follows a link before a slash.
      for (const file of walkFiles(path(start), files, user, start.endsWith('/'))) {
        const below = file.slice(path(start).length);
        if (matches(start, below, () => files.status(file, user, false).inode.type))
          found.push(`${start.replace(/\/$/, '')}${below}` || '/');
      }
    };
    if (!attempt(collect, err, `find: ${start}`)) code = 1;
    for (const file of found) {
      const words = command?.map((word) => word.replaceAll('{}', file));
      if (words) await shell.runWords(words, state, { ...streams, out, err });
      else out(`${file}\n`);
    }
  }
  return code;
};

/** Whether the file `below` a starting point fulfils the tests. */
type Matcher = (start: string, below: string, typeOf: () => string) => boolean;

function matcherOf(expression: readonly string[]): Matcher {
  const valueAfter = (option: string): string | undefined =>
    expression.includes(option) ? expression[expression.indexOf(option) + 1] : undefined;
  const name = valueAfter('-name');
  const pattern = name === undefined ? undefined : globToRegExp(name);
  const type = { f: 'file', d: 'directory', l: 'link' }[valueAfter('-type') ?? ''];
  const maxDepth = Number(valueAfter('-maxdepth') ?? Number.POSITIVE_INFINITY);
  const minDepth = Number(valueAfter('-mindepth') ?? 0);
  return (start, below, typeOf) => {
    const depth = below.split('/').filter((part) => part !== '').length;
    const last = (below === '' ? start : below).split('/').at(-1) ?? '';
    if (depth > maxDepth || depth < minDepth || (pattern && !pattern.test(last))) return false;
    return type === undefined || typeOf() === type;
  };
}

/** The words of `-exec`, up to `;` or `+`; undefined without it. */
function commandOf(expression: readonly string[]): readonly string[] | undefined {
  const from = expression.indexOf('-exec');
  if (from < 0) return undefined;
  const end = expression.findIndex((word, at) => at > from && (word === ';' || word === '+'));
  return expression.slice(from + 1, end);
}
