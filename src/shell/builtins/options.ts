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
  const reader = new OptionReader(name, args, spec, long);
  reader.read();
  const { flags, words } = reader;
  return { flags, words, has: (letter) => flags.has(letter), value: (letter) => flags.get(letter)?.at(-1) };
}

class OptionReader {
  readonly flags = new Map<string, string[]>();
  readonly words: string[] = [];
  readonly #name: string;
  /** The arguments not yet read. */
  readonly #rest: string[];
  readonly #spec: string;
  readonly #long: Readonly<Record<string, string>>;

  constructor(name: string, args: readonly string[], spec: string, long: Readonly<Record<string, string>>) {
    this.#name = name;
    this.#rest = [...args];
    this.#spec = spec;
    this.#long = long;
  }

  read(): void {
    for (let arg = this.#rest.shift(); arg !== undefined; arg = this.#rest.shift()) {
      if (arg === '--') {
        this.words.push(...this.#rest);
        return;
      }
      if (arg.startsWith('--')) this.#readLong(arg);
      else if (/^-[^-]/.test(arg) && !/^-\d+$/.test(arg)) this.#readLetters(arg);
      else this.words.push(arg);
    }
  }

  #readLong(arg: string): void {
    const [word = '', value] = arg.slice(2).split(/=([\s\S]*)/, 2);
    const letter = Object.hasOwn(this.#long, word) ? this.#long[word] : undefined;
    if (letter === undefined) throw new CommandError(`${this.#name}: unrecognized option '${arg}'`, 2);
    this.#add(letter, this.#takesValue(letter) ? (value ?? this.#rest.shift() ?? '') : '');
  }

  /** Letters without values, of which the last may have one: `-nk2`. */
  #readLetters(arg: string): void {
    for (let at = 1; at < arg.length; at++) {
      const letter = arg[at] ?? '';
      if (!this.#spec.includes(letter) || letter === ':') throw new CommandError(`${this.#name}: invalid option -- '${letter}'`, 2);
      if (this.#takesValue(letter)) {
        this.#add(letter, this.#requiredValue(letter, arg.slice(at + 1)));
        return;
      }
      this.#add(letter, '');
    }
  }

  /** The value of an option: the rest of its argument, or the next one. */
  #requiredValue(letter: string, rest: string): string {
    const value = rest || this.#rest.shift();
    if (value === undefined) throw new CommandError(`${this.#name}: option requires an argument -- '${letter}'`, 2);
    return value;
  }

  #takesValue(letter: string): boolean {
    return this.#spec[this.#spec.indexOf(letter) + 1] === ':';
  }

  #add(letter: string, value: string): void {
    this.flags.set(letter, [...(this.flags.get(letter) ?? []), value]);
  }
}
