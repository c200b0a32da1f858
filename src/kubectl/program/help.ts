import type { Invocation } from '../../shell/index.ts';
import type { FlagSpecs } from '../parse/flags.ts';
import type { Command } from './command.ts';

interface HelpOptions {
  readonly command: Command;
  /** `create secret`. */
  readonly commandPath: string;
  readonly words: readonly string[];
  /** True for --help, false for a command group called without a subcommand. */
  readonly isHelpFlag: boolean;
}

/** Prints the help of a command. A command group called without a subcommand prints it to standard error and fails. */
export function showHelp({ out, err }: Invocation, { command, commandPath, isHelpFlag }: HelpOptions): number {
  const text = helpText(command, commandPath);
  if (isHelpFlag || commandPath === '' || command.help?.ok) {
    out(text);
    return 0;
  }
  if (command.help?.onOutput) out(text);
  else err(text);
  return 1;
}

export function helpText(command: Command, commandPath: string): string {
  const path = ['kubectl', commandPath].filter((part) => part !== '').join(' ');
  const { about = '', usage = commandPath === '' ? 'kubectl [flags] [options]' : `${path} [options]`, examples } = command.help ?? {};
  const sections = [
    about,
    examples === undefined ? '' : `Examples:\n${examples}`,
    commandList(command),
    optionList(command.flags),
    `Usage:\n  ${usage}`,
  ];
  const group = command.subcommands !== undefined;
  const tail = `${group ? `Use "${path} <command> --help" for more information about a given command.\n` : ''}Use "kubectl options" for a list of global command-line options (applies to all commands).\n`;
  return `${sections.filter((section) => section !== '').join('\n\n')}\n\n${tail}`;
}

function commandList({ subcommands = {} }: Command): string {
  const entries = Object.entries(subcommands).filter(([, { about }]) => about !== '');
  if (entries.length === 0) return '';
  const width = Math.max(11, ...entries.map(([name]) => name.length));
  return `Available Commands:\n${entries.map(([name, { about }]) => `  ${name.padEnd(width + 3)}${about}`).join('\n')}`;
}

function optionList(flags: FlagSpecs = {}): string {
  const entries = Object.entries(flags).sort(([left], [right]) => (left < right ? -1 : 1));
  if (entries.length === 0) return '';
  const shown = entries.map(([name, { kind, short, initial = '', about }]) => {
    const value =
      kind === 'list' || kind === 'array' || kind === 'pairs' ? '[]' : kind === 'text' || kind === 'optional' ? `'${initial}'` : initial;
    return `    ${short === undefined ? '' : `-${short}, `}--${name}=${value}:\n\t${about ?? ''}`;
  });
  return `Options:\n${shown.join('\n\n')}`;
}
