import type { Product } from '../../meta/index.ts';
import type { Invocation } from '../../shell/index.ts';
import type { FlagSpec, FlagSpecs } from '../parse/flags.ts';
import type { Command, Subcommand } from '../program/command.ts';
import { commandGroups } from './groups.ts';
import { flagText, parseTexts } from './texts.ts';

/** A command by its path from the root command. */
interface CommandAt {
  readonly root: Command;
  /** `create secret`; empty for the root command. */
  readonly path: string;
  readonly product: Product;
}

interface HelpOptions extends CommandAt {
  /** True for --help, false for a command group called without a subcommand. */
  readonly isHelpFlag: boolean;
}

/** Prints the help of a command. A command group called without a subcommand prints it to standard error and fails. */
export async function showHelp({ out, err }: Invocation, { isHelpFlag, ...at }: HelpOptions): Promise<number> {
  const { command } = await commandAt(at);
  const text = await helpText(at);
  if (isHelpFlag || at.path === '' || command.help?.ok) {
    out(text);
    return 0;
  }
  if (command.help?.onOutput) out(text);
  else err(text);
  return 1;
}

/** What `--help` prints. Cf. kubectl's templater. */
export async function helpText(at: CommandAt): Promise<string> {
  const { command, entry } = await commandAt(at);
  const { about } = textsOf(at, command, entry);
  return at.product.rename(`${about}\n\n${usageText(at, command, entry)}`);
}

/** The help without its first paragraphs: what an unknown help topic prints. */
export async function usageOnly(at: CommandAt): Promise<string> {
  const { command, entry } = await commandAt(at);
  return at.product.rename(usageText(at, command, entry));
}

async function commandAt({ root, path }: CommandAt): Promise<{ readonly command: Command; readonly entry: Subcommand | undefined }> {
  let command = root;
  let entry: Subcommand | undefined;
  for (const word of path.split(' ')) {
    entry = command.subcommands?.[word];
    if (entry) command = await entry.load();
  }
  return { command, entry };
}

function textsOf({ path }: CommandAt, command: Command, entry: Subcommand | undefined) {
  const known = parseTexts().commands[path] ?? { about: entry?.about ?? '', usage: `kubectl ${path} [options]` };
  const { about = known.about, usage = known.usage, examples = known.examples } = command.help ?? {};
  return { about, usage, examples };
}

function usageText(at: CommandAt, command: Command, entry: Subcommand | undefined): string {
  const path = at.path === '' ? 'kubectl' : `kubectl ${at.path}`;
  const { usage, examples } = textsOf(at, command, entry);
  const aliases = entry?.aliases ?? [];
  const name = at.path.split(' ').at(-1) ?? '';
  const sections = [
    aliases.length === 0 ? '' : `Aliases:\n${[name, ...aliases].join(', ')}`,
    examples === undefined ? '' : `Examples:\n${examples}`,
    commandList(at, command),
    optionList(at, command.flags),
    usage === undefined ? '' : `Usage:\n  ${usage}`,
  ];
  const tip = command.subcommands ? `Use "${path} <command> --help" for more information about a given command.\n` : '';
  return `${sections
    .filter((section) => section !== '')
    .map((section) => `${section}\n\n`)
    .join('')}${tip}Use "kubectl options" for a list of global command-line options (applies to all commands).\n`;
}

function commandList({ path }: CommandAt, { subcommands = {} }: Command): string {
  const entries = Object.entries(subcommands).filter(([, { about }]) => about !== '');
  if (entries.length === 0) return '';
  const width = Math.max(11, ...Object.keys(subcommands).map((name) => name.length));
  const groups = path === '' ? commandGroups(entries) : [{ title: 'Available Commands:', entries: entries.toSorted(compareNames) }];
  return groups
    .map(({ title, entries: listed }) => [title, ...listed.map(([name, { about }]) => `  ${name.padEnd(width)}   ${about}`)].join('\n'))
    .join('\n\n');
}

function compareNames([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

function optionList({ path }: CommandAt, flags: FlagSpecs = {}): string {
  const shown = flagLines(path, flags);
  return shown.length === 0 ? '' : `Options:\n${shown.join('\n\n')}`;
}

/** One text of two lines for each visible flag, sorted by name. */
export function flagLines(path: string, flags: FlagSpecs): string[] {
  const texts = parseTexts();
  return Object.entries(flags)
    .filter(([name, { hidden }]) => !hidden && name !== 'help')
    .sort(compareNames)
    .map(([name, spec]) => {
      const short = spec.short === undefined ? '' : `-${spec.short}, `;
      const deprecated = spec.deprecated === undefined ? '' : ` (DEPRECATED: ${spec.deprecated})`;
      const about = (spec.about ?? flagText(texts, path, name) ?? '').replaceAll('\n', ' ');
      return `    ${short}--${name}=${shownDefault(spec)}:\n\t${about}${deprecated}`;
    });
}

function shownDefault({ kind, initial = '' }: FlagSpec): string {
  if (kind === 'list' || kind === 'array' || kind === 'pairs') return `[${initial}]`;
  return kind === 'text' || kind === 'optional' ? `'${initial}'` : initial;
}
