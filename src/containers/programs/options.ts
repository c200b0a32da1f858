/** The options of a command line in the style of getopt. */
export interface ParsedOptions {
  /** Options without values, by their letter or long name. */
  readonly flags: ReadonlySet<string>;
  /** The last value of each option. */
  readonly values: ReadonlyMap<string, string>;
  /** All values of options that may be repeated. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

/** `withValue` are the letters and long names of options that have a value. */
export function parseOptions(args: readonly string[], withValue: readonly string[] = []): ParsedOptions {
  return new OptionParser(args, withValue).parse();
}

class OptionParser {
  readonly #args: readonly string[];
  /** Index of the next argument. */
  #at = 0;
  readonly #withValue: readonly string[];
  readonly #flags = new Set<string>();
  readonly #values = new Map<string, string>();
  readonly #lists = new Map<string, readonly string[]>();

  constructor(args: readonly string[], withValue: readonly string[]) {
    this.#args = args;
    this.#withValue = withValue;
  }

  parse(): ParsedOptions {
    const operands: string[] = [];
    while (this.#at < this.#args.length) {
      const arg = this.#nextArgument();
      if (arg === '--') return this.#result([...operands, ...this.#args.slice(this.#at)]);
      if (arg === '-' || !arg.startsWith('-')) operands.push(arg);
      else if (arg.startsWith('--')) this.#readLong(arg.slice(2));
      else this.#readLetters(arg.slice(1));
    }
    return this.#result(operands);
  }

  #result(operands: readonly string[]): ParsedOptions {
    return { flags: this.#flags, values: this.#values, lists: this.#lists, operands };
  }

  /** `name`, `name=value`. */
  #readLong(option: string): void {
    const [name = '', value] = option.split(/=([\s\S]*)/, 2);
    if (this.#withValue.includes(name)) this.#set(name, value ?? this.#nextArgument());
    else this.#flags.add(name);
  }

  /** Flags, of which the last may be an option with its value: `xvfFILE`. */
  #readLetters(letters: string): void {
    const first = [...letters].findIndex((letter) => this.#withValue.includes(letter));
    for (const letter of first < 0 ? letters : letters.slice(0, first)) this.#flags.add(letter);
    if (first >= 0) this.#set(letters[first] ?? '', letters.slice(first + 1) || this.#nextArgument());
  }

  #nextArgument(): string {
    return this.#args[this.#at++] ?? '';
  }

  #set(name: string, value: string): void {
    this.#values.set(name, value);
    this.#lists.set(name, [...(this.#lists.get(name) ?? []), value]);
  }
}
