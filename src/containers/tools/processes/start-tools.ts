import { CommandError, type Invocation, readNumber } from '../../../shell/index.ts';
import { SystemError } from '../../files/file-error.ts';
import type { Applet } from '../../process/applet.ts';
import { findExecutable } from '../../process/executable.ts';
import type { Process } from '../../process/process.ts';
import { Tty } from '../../process/tty.ts';
import { nameOf, readArguments, usageError } from '../arguments.ts';

/** Runs a program in place of the tool. @throws CommandError when there is none */
function execute(words: readonly string[], invocation: Invocation, { container, user }: Process): Promise<number> {
  const [command = ''] = words;
  const { environment, state, shell } = invocation;
  const { type } = findExecutable(command, environment.get('PATH') ?? '', state.directory, container.files, user);
  const name = nameOf(invocation);
  if (type === 'missing') throw new CommandError(`${name}: can't execute '${command}': No such file or directory`, 127);
  if (type === 'refused') throw new CommandError(`${name}: can't execute '${command}': Permission denied`, 126);
  return shell.runWords(words, state, invocation);
}

const setsid: Applet = (invocation, process) => {
  const { args } = invocation;
  const words = args[0] === '-c' ? args.slice(1) : args;
  if (words.length === 0) throw usageError(invocation, { synopsis: '[-c] PROG ARGS' });
  return execute(words, invocation, process);
};

const nohup: Applet = (invocation, process) => {
  if (invocation.args.length === 0) throw usageError(invocation, { synopsis: 'PROG ARGS' });
  const { args: operands, input, err, path } = invocation;
  process.onSignal('HUP', () => {});
  // On a terminal, the output is appended to a file.
  if (!(input instanceof Tty)) return execute(operands, invocation, process);
  const { files } = process.container;
  try {
    const { write } = files.open(path('nohup.out'), process.user, { append: true, mode: 0o600 });
    const out = (chunk: string | Uint8Array): void => write(typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk);
    err('nohup: appending output to nohup.out\n');
    return execute(operands, { ...invocation, out, err: out }, process);
  } catch (error) {
    if (error instanceof SystemError) throw new CommandError(`nohup: can't open 'nohup.out': ${error.message}`, 127);
    throw error;
  }
};

const usleep: Applet = async (invocation, process) => {
  const { operands } = readArguments(invocation, { options: '', synopsis: 'N', operands: [1, 1] });
  await process.sleep(readNumber(invocation, operands[0] ?? '') / 1000, invocation.signal);
  return 0;
};

export const startTools: Readonly<Record<string, Applet>> = { nohup, setsid, usleep };
