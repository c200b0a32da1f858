import { CommandError } from '../errors.ts';

/** Parsed options and operands of the shell's small tools. */
export interface Options {
  readonly flags: ReadonlyMap<string, readonly string[]>;
  readonly words: readonly string[];
  has(letter: string): boolean;
  /** The last value given. */
  value(letter: string): string | undefined;
}

/**
 * `spec`: option letters, with a colon after those that take a value: `n:cv`. `long` maps long options to letters: `{ decode: 'd' }`.
 *
 * @throws CommandError
 */
export function readOptions(name: string, args: readonly string[], spec: string, long: Readonly<Record<string, string>> = {}): Options {
  const flags = new Map<string, string[]>();
  const words: string[] = [];
  const add = (letter: string, value: string): void => {
    flags.set(letter, [...(flags.get(letter) ?? []), value]);
  };
  const takesValue = (letter: string): boolean => spec[spec.indexOf(letter) + 1] === ':';
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      words.push(...rest);
      break;
    }
    if (arg.startsWith('--')) {
      const [word = '', value] = arg.slice(2).split(/=([\s\S]*)/, 2);
      const letter = Object.hasOwn(long, word) ? long[word] : undefined;
      if (letter === undefined) throw new CommandError(`${name}: unrecognized option '${arg}'`, 2);
      add(letter, takesValue(letter) ? (value ?? rest.shift() ?? '') : '');
    } else if (/^-[^-]/.test(arg) && !/^-\d+$/.test(arg)) {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg[at] ?? '';
        if (!spec.includes(letter) || letter === ':') throw new CommandError(`${name}: invalid option -- '${letter}'`, 2);
        if (!takesValue(letter)) {
          add(letter, '');
          continue;
        }
        const value = arg.slice(at + 1) || rest.shift();
        if (value === undefined) throw new CommandError(`${name}: option requires an argument -- '${letter}'`, 2);
        add(letter, value);
        break;
      }
    } else words.push(arg);
  }
  return { flags, words, has: (letter) => flags.has(letter), value: (letter) => flags.get(letter)?.at(-1) };
}
