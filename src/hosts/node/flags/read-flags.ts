import { FlagError } from './flag-error.ts';
import { type FlagRow, type FlagType, flagRows, idleFlags } from './flag-rows.ts';
import { type FlagValues, flagValues, validateFlagValue } from './flag-values.ts';

/** A parsed command line. */
export interface ReadFlags {
  readonly values: FlagValues;
  /** Given flags that have no effect. */
  readonly idle: readonly string[];
  /** Positional arguments. */
  readonly others: readonly string[];
}

type Declared = Pick<FlagRow, 'name' | 'type' | 'initial' | 'short'>;

/** Zero values of flags without a default. */
const zeroValues: Readonly<Record<FlagType, string>> = {
  bool: 'false',
  certificatePair: '',
  duration: '0s',
  float: '0',
  int: '0',
  ip: '',
  pairs: '',
  portRange: '',
  quantity: '0',
  settings: '',
  string: '',
  stringArray: '',
  strings: '',
  stringToString: '',
  verbosity: '0',
  vmodule: '',
};

/**
 * Parses arguments as Go's pflag does: `--name=value`, `--name value`, `--name` alone for a bool, `-h`. Underscores in names are dashes,
 * and arguments after `--` are positional. `rows`: the declared flags; by default those of `serve`, with idle ones. @throws FlagError
 */
export function readFlags(words: readonly string[], rows: readonly FlagRow[] = flagRows): ReadFlags {
  const declared = rows === flagRows ? declaredFlags() : new Map(rows.map((row) => [row.name, row]));
  const written = new Map<string, string[]>();
  const others: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      others.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      others.push(word);
      continue;
    }
    const { flag, value, shown } = parseFlag(word, declared);
    const next = words[at + 1];
    const text = value ?? (flag.type === 'bool' ? 'true' : next);
    if (text === undefined) throw new FlagError(`Error: flag needs an argument: ${describeFlag(word)}`);
    if (value === undefined && flag.type !== 'bool') at++;
    const problem = validateFlagValue(flag.type, text);
    if (problem !== undefined) throw new FlagError(`Error: invalid argument ${JSON.stringify(text)} for ${shown} flag: ${problem}`);
    written.set(flag.name, [...(written.get(flag.name) ?? []), text]);
  }
  const states = [...declared.values()].map(
    ({ name, type, initial }) => [name, { type, initial, written: written.get(name) ?? [] }] as const,
  );
  const acting = new Set(rows.map(({ name }) => name));
  return { values: flagValues(new Map(states)), idle: [...written.keys()].filter((name) => !acting.has(name)), others };
}

function declaredFlags(): ReadonlyMap<string, Declared> {
  const idle = Object.entries(idleFlags).flatMap(([type, names]) =>
    names
      .trim()
      .split(/\s+/)
      .filter((name) => name !== '')
      .map(
        (name): Declared => ({
          name,
          type: type as FlagType,
          initial: zeroValues[type as FlagType],
          ...(name === 'v' ? { short: 'v' } : {}),
        }),
      ),
  );
  return new Map([...idle, ...flagRows].map((flag) => [flag.name, flag]));
}

interface ParsedFlag {
  readonly flag: Declared;
  readonly value: string | undefined;
  /** Name in error messages. */
  readonly shown: string;
}

function parseFlag(word: string, declared: ReadonlyMap<string, Declared>): ParsedFlag {
  if (!word.startsWith('--')) return parseShortFlag(word, declared);
  const body = word.slice(2);
  if (body.startsWith('-') || body.startsWith('=')) throw new FlagError(`Error: bad flag syntax: ${word}`);
  const [name = '', ...rest] = body.split('=');
  const flag = declared.get(name.replaceAll('_', '-'));
  if (!flag) throw new FlagError(`Error: unknown flag: --${name}`);
  return { flag, value: rest.length > 0 ? rest.join('=') : undefined, shown: describeFlagName(flag) };
}

/** Parses `-v5`, `-v=5` and `-v 5`. */
function parseShortFlag(word: string, declared: ReadonlyMap<string, Declared>): ParsedFlag {
  const letter = word[1] ?? '';
  const flag = [...declared.values()].find(({ short }) => short === letter);
  if (!flag) throw new FlagError(`Error: unknown shorthand flag: '${letter}' in ${word}`);
  const rest = word.slice(2).replace(/^=/, '');
  return { flag, value: rest === '' ? undefined : rest, shown: describeFlagName(flag) };
}

function describeFlagName({ name, short }: Declared): string {
  return short === undefined ? `"--${name}"` : `"-${short}, --${name}"`;
}

function describeFlag(word: string): string {
  return word.startsWith('--') ? word : `'${word[1] ?? ''}' in ${word}`;
}
