import textsSource from './texts.json?raw';

/** The texts of one command's help. */
interface CommandTexts {
  readonly about: string;
  readonly examples?: string;
  /** Absent for `alpha`-like groups that have no usage line. */
  readonly usage?: string;
  /** Descriptions of flags that differ from the common ones. */
  readonly flags?: Readonly<Record<string, string>>;
}

interface Texts {
  /** Descriptions of flags, by name. */
  readonly flags: Readonly<Record<string, string>>;
  /** By the path of the command: `create secret tls`. The root command is the empty path. */
  readonly commands: Readonly<Record<string, CommandTexts>>;
}

/** The texts of `kubectl … --help` of kubectl 1.34.4. */
export function parseTexts(): Texts {
  return JSON.parse(textsSource) as Texts;
}

/** The description of a flag of a command; undefined for flags and commands that kubectl does not have. */
export function flagText({ flags, commands }: Texts, commandPath: string, flag: string): string | undefined {
  return commands[commandPath]?.flags?.[flag] ?? flags[flag];
}
