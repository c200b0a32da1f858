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
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const lists = new Map<string, readonly string[]>();
  const set = (name: string, value: string): void => {
    values.set(name, value);
    lists.set(name, [...(lists.get(name) ?? []), value]);
  };
  const operands: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    if (arg === '-' || !arg.startsWith('-')) operands.push(arg);
    else if (arg.startsWith('--')) {
      const [name = '', value] = arg.slice(2).split(/=([\s\S]*)/, 2);
      if (!withValue.includes(name)) flags.add(name);
      else set(name, value ?? args[++at] ?? '');
    } else {
      const letters = arg.slice(1);
      const first = [...letters].findIndex((letter) => withValue.includes(letter));
      for (const letter of first < 0 ? letters : letters.slice(0, first)) flags.add(letter);
      if (first >= 0) set(letters[first] ?? '', letters.slice(first + 1) || (args[++at] ?? ''));
    }
  }
  return { flags, values, lists, operands };
}
