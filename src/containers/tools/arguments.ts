import { baseName, CommandError, type Invocation } from '../../shell/index.ts';
import { busyboxBanner } from '../programs/busybox.ts';
import { type ParsedOptions, parseOptions } from '../programs/options.ts';

/** The command line of a tool. */
export interface Usage {
  /** Letters of the options, with a colon after those that have a value: `cn:`. */
  readonly options: string;
  /** What follows the name in the usage. */
  readonly synopsis?: string;
  /** Letters of long options, with their hyphens. */
  readonly long?: Readonly<Record<string, string>>;
  /** How many operands there may be. */
  readonly operands?: readonly [least: number, most: number];
}

/** The name by which a tool was called, without folders. */
export const nameOf = ({ name }: Invocation): string => baseName(name);

/** The usage as an error, as every applet prints it. */
export function usageError(
  invocation: Invocation,
  { synopsis = '[OPTIONS] [FILE]...' }: Pick<Usage, 'synopsis'>,
  reason = '',
  code = 1,
): CommandError {
  const name = nameOf(invocation);
  const head = reason === '' ? '' : `${name}: ${reason}\n`;
  return new CommandError(`${head}${busyboxBanner}\n\nUsage: ${name} ${synopsis}`.trimEnd(), code);
}

/** Reads options as getopt does. @throws CommandError with the usage */
export function readArguments(invocation: Invocation, usage: Usage): ParsedOptions {
  const { options, operands: [least, most] = [0, Number.POSITIVE_INFINITY], long = {} } = usage;
  const { args } = invocation;
  const letters = args.map((arg) => {
    const [name = '', value = ''] = arg.split(/=([\s\S]*)/, 2);
    return Object.hasOwn(long, name) ? `-${long[name]}${value}` : arg;
  });
  const parsed = parseOptions(
    letters,
    [...options].filter((_, at) => options[at + 1] === ':'),
  );
  const unknown = [...parsed.flags].find((flag) => flag.length > 1 || flag === ':' || !options.includes(flag));
  if (unknown === 'help') throw usageError(invocation, usage, '', 0);
  if (unknown !== undefined)
    throw usageError(invocation, usage, unknown.length > 1 ? `unrecognized option '--${unknown}'` : `invalid option -- '${unknown}'`);
  if (parsed.operands.length < least || parsed.operands.length > most) throw usageError(invocation, usage);
  return parsed;
}
