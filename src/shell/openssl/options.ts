import { CommandError } from '../errors.ts';

/** The options of a command, by names without dashes. */
export interface OptionNames {
  /** Separated by spaces. */
  readonly flags?: string;
  /** Those with a value. */
  readonly values?: string;
  /** Those whose value is a number. */
  readonly numbers?: string;
  /** Whether other options are names of digests, which are checked when they are used. */
  readonly digests?: boolean;
}

/** Parsed arguments of a command. */
export interface Arguments {
  readonly command: string;
  readonly words: readonly string[];
  /** The names of the given options, in order. */
  readonly given: readonly string[];
  /** An option that may be the name of a digest, such as `sha256`. */
  readonly digest: string | undefined;
  has(name: string): boolean;
  /** The last value. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
  /** A value of `numbers`. */
  number(name: string): number | undefined;
}

type OptionKind = 'flag' | 'value' | 'number';

function optionKinds({ flags = '', values = '', numbers = '' }: OptionNames): ReadonlyMap<string, OptionKind> {
  const kindsOf = (names: string, kind: OptionKind): readonly (readonly [string, OptionKind])[] =>
    names === '' ? [] : names.split(' ').map((name) => [name, kind]);
  return new Map([...kindsOf(flags, 'flag'), ...kindsOf(values, 'value'), ...kindsOf(numbers, 'number')]);
}

/** Options are before the other words, with one dash or two, and values after a space or `=`. Cf. apps/lib/opt.c. @throws CommandError */
export function readArguments(command: string, args: readonly string[], names: OptionNames): Arguments {
  const kinds = optionKinds(names);
  const found = new Map<string, readonly string[]>();
  const given: string[] = [];
  const rest = [...args];
  let digest: string | undefined;
  for (let arg = rest[0]; arg !== undefined && /^-./.test(arg); arg = rest[0]) {
    rest.shift();
    if (arg === '--') break;
    const [, name = '', attached] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const kind = kinds.get(name);
    if (name === 'help') throw new HelpRequest(command, kinds);
    if (!kind && !names.digests) throw usageError(command, `Unknown option: -${name}`);
    if (!kind) digest = name;
    else if (kind === 'flag') found.set(name, []);
    else found.set(name, [...(found.get(name) ?? []), checkValue(command, { name, kind, value: attached ?? rest.shift() })]);
    given.push(name);
  }
  const last = (name: string): string | undefined => found.get(name)?.at(-1);
  return {
    command,
    words: rest,
    given,
    digest,
    has: (name) => found.has(name),
    value: last,
    values: (name) => found.get(name) ?? [],
    number: (name) => (found.has(name) ? Number(last(name)) : undefined),
  };
}

interface GivenOption {
  readonly name: string;
  readonly kind: OptionKind;
  readonly value: string | undefined;
}

function checkValue(command: string, { name, kind, value }: GivenOption): string {
  if (value === undefined) throw usageError(command, `Option -${name} needs a value`);
  if (kind !== 'number' || /^\d+$/.test(value)) return value;
  throw usageError(
    command,
    /^-\d+$/.test(value) ? `Non-positive number "${value}" for option -${name}` : `Can't parse "${value}" as a number`,
  );
}

/** An error that is followed by a hint at the help. */
export const usageError = (command: string, message: string): CommandError =>
  new CommandError(`${message === '' ? '' : `${command}: ${message}\n`}${command}: Use -help for summary.`);

const valueHints: Readonly<Record<OptionKind, string>> = { flag: '', value: ' val', number: ' +int' };

/** The usage, which goes to standard error as well. */
class HelpRequest extends CommandError {
  constructor(command: string, kinds: ReadonlyMap<string, OptionKind>) {
    const lines = [...kinds].map(([name, kind]) => `\n -${name}${valueHints[kind]}`);
    super(`Usage: ${command} [options]\n\nValid options are:\n -help${lines.join('')}`, 0);
  }
}

/** @throws CommandError */
export function rejectWords({ command, words }: Arguments): void {
  if (words.length > 0) throw usageError(command, '');
}
