import type { Invocation } from '../context.ts';
import { CommandError } from '../errors.ts';
import { readText } from '../streams.ts';
import { diffLines, splitLines, unifiedDiff } from '../unified-diff.ts';
import { readOptions } from './options.ts';

/** `diff a b`, `diff -u a b`, `diff -q a b`: exit code 0 when they are equal, 1 otherwise. */
export async function diff(call: Invocation): Promise<number> {
  const options = readOptions('diff', call.args, 'uqNaw', { unified: 'u', brief: 'q', 'new-file': 'N', text: 'a' });
  const [left, right, ...more] = options.words;
  const help = "diff: Try 'diff --help' for more information.";
  if (right === undefined || left === undefined) throw new CommandError(`diff: missing operand after '${left ?? 'diff'}'\n${help}`, 2);
  if (more.length > 0) throw new CommandError(`diff: extra operand '${more[0]}'\n${help}`, 2);
  const [before, after] = [await readFileText(left, call, options.has('N')), await readFileText(right, call, options.has('N'))];
  if (before === after) return 0;
  if (options.has('q')) call.out(`Files ${left} and ${right} differ\n`);
  else if (options.has('u')) {
    const when = new Date(call.shell.clock.nowMs()).toISOString().replace('T', ' ').replace('Z', '000000 +0000');
    call.out(`--- ${left}\t${when}\n+++ ${right}\t${when}\n${unifiedDiff(before, after)}`);
  } else call.out(normalDiff(before, after));
  return 1;
}

async function readFileText(name: string, { input, path, shell }: Invocation, orNothing: boolean): Promise<string> {
  if (name === '-') return readText(input);
  const content = await shell.files.read(path(name));
  if (content) return new TextDecoder().decode(content);
  if (orNothing) return '';
  throw new CommandError(`diff: ${name}: No such file or directory`, 2);
}

/** `2c2`, `< old line`, `---`, `> new line`. */
function normalDiff(before: string, after: string): string {
  const edits = [...diffLines(splitLines(before), splitLines(after)), undefined];
  let text = '';
  let [left, right] = [0, 0];
  let [removed, added]: [string[], string[]] = [[], []];
  for (const edit of edits) {
    if (edit?.mark === '-') removed.push(edit.line);
    else if (edit?.mark === '+') added.push(edit.line);
    else {
      if (removed.length + added.length > 0) text += formatChange(left, removed, right, added);
      [left, right] = [left + removed.length + 1, right + added.length + 1];
      [removed, added] = [[], []];
    }
  }
  return text;
}

/** `left` and `right`: number of preceding lines of each file. */
function formatChange(left: number, removed: readonly string[], right: number, added: readonly string[]): string {
  const range = (before: number, { length }: readonly string[]): string =>
    length === 0 ? `${before}` : length === 1 ? `${before + 1}` : `${before + 1},${before + length}`;
  const kind = removed.length === 0 ? 'a' : added.length === 0 ? 'd' : 'c';
  const lines = [...removed.map((line) => `< ${line}\n`), ...(kind === 'c' ? ['---\n'] : []), ...added.map((line) => `> ${line}\n`)];
  return `${range(left, removed)}${kind}${range(right, added)}\n${lines.join('')}`;
}
