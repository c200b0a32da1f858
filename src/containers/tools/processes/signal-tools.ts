import { compilePattern, PatternError } from '../../../regexp/index.ts';
import { CommandError, type Invocation } from '../../../shell/index.ts';
import type { Applet } from '../../process/applet.ts';
import type { Process } from '../../process/process.ts';
import { type SignalName, signalNumbers, signalOf } from '../../process/signals.ts';
import { nameOf, readArguments } from '../arguments.ts';
import { commandName, otherProcesses } from './find-processes.ts';

const pidof: Applet = (invocation, process) => {
  const { flags, operands } = readArguments(invocation, { options: 's' });
  const isNamed = (one: Process, name: string): boolean =>
    commandName(one) === name.slice(name.lastIndexOf('/') + 1) || one.argv[0] === name;
  const found = operands.flatMap((name) => [...process.container.processes.values()].filter((one) => isNamed(one, name)).reverse());
  const pids = found.map(({ pid }) => pid);
  const shown = flags.has('s') ? pids.slice(0, 1) : pids;
  if (shown.length > 0) invocation.out(`${shown.join(' ')}\n`);
  return shown.length > 0 ? 0 : 1;
};

const patternUsage = { options: 'vlfxona', synopsis: '[-flanovx] PATTERN', operands: [1, 1] as const };

/** The processes that the options and the pattern select. */
function select(invocation: Invocation, process: Process): { readonly found: readonly Process[]; readonly flags: ReadonlySet<string> } {
  const { flags, operands } = readArguments(invocation, patternUsage);
  const matches = matcherOf(operands[0] ?? '', flags, invocation);
  const isSelected = (one: Process): boolean => matches(flags.has('f') ? one.argv.join(' ') : commandName(one)) !== flags.has('v');
  const found = otherProcesses(invocation, process).filter(isSelected);
  if (flags.has('o')) return { found: found.slice(0, 1), flags };
  return { found: flags.has('n') ? found.slice(-1) : found, flags };
}

function matcherOf(pattern: string, flags: ReadonlySet<string>, invocation: Invocation): (text: string) => boolean {
  try {
    const compiled = compilePattern(flags.has('x') ? `^(?:${pattern})$` : pattern);
    return (text) => compiled.test(text);
  } catch (error) {
    if (error instanceof PatternError) throw new CommandError(`${nameOf(invocation)}: bad regex '${pattern}'`);
    throw error;
  }
}

const pgrep: Applet = (invocation, process) => {
  const { found, flags } = select(invocation, process);
  const textOf = (one: Process): string =>
    flags.has('a') ? ` ${one.argv.join(' ')}` : flags.has('l') ? ` ${flags.has('f') ? one.argv.join(' ') : commandName(one)}` : '';
  for (const one of found) invocation.out(`${one.pid}${textOf(one)}\n`);
  return found.length > 0 ? 0 : 1;
};

const pkill: Applet = (invocation, process) => {
  const [first = '', ...rest] = invocation.args;
  const signal = first.startsWith('-') ? signalOf(first.slice(1)) : undefined;
  const { found } = select(signal ? { ...invocation, args: rest } : invocation, process);
  for (const one of found) deliver(signal ?? 'TERM', one, process);
  return found.length > 0 ? 0 : 1;
};

/** Whether the user may signal the process. */
function deliver(signal: SignalName, target: Process, { user }: Process): boolean {
  const isPermitted = user.uid === 0 || user.uid === target.user.uid;
  if (isPermitted) target.deliver(signal);
  return isPermitted;
}

function listSignals({ out }: Invocation): number {
  for (const [name, number] of Object.entries(signalNumbers)) out(`${String(number).padStart(2)}) ${name}\n`);
  return 0;
}

const killall: Applet = (invocation, process) => {
  const { args, err } = invocation;
  if (args[0] === '-l') return listSignals(invocation);
  const isQuiet = args[0] === '-q';
  const rest = isQuiet ? args.slice(1) : [...args];
  const [option = ''] = rest;
  const isOption = option.startsWith('-') && option !== '-';
  const name = isOption ? option.slice(1) : 'TERM';
  const signal = signalOf(name);
  if (!signal) throw new CommandError(`killall: bad signal name '${name}'`);
  const names = isOption ? rest.slice(1) : rest;
  if (names.length === 0) throw new CommandError('killall: you need to specify whom to kill');
  let code = 0;
  for (const wanted of names) {
    const found = otherProcesses(invocation, process).filter((one) => commandName(one) === wanted);
    if (found.length === 0) {
      code = 1;
      if (!isQuiet) err(`killall: ${wanted}: no process killed\n`);
    }
    for (const one of found)
      if (!deliver(signal, one, process)) {
        code = 1;
        err(`killall: can't kill pid ${one.pid}: Operation not permitted\n`);
      }
  }
  return code;
};

export const signalTools: Readonly<Record<string, Applet>> = { killall, pgrep, pidof, pkill };
