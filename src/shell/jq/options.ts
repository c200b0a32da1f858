import type { Json } from '../../meta/index.ts';

/** Wrong usage. The message is for standard error. */
export class UsageError extends Error {}

export interface JqOptions {
  readonly filter: string;
  readonly files: readonly string[];
  /** `-f FILE`. */
  readonly filterFile: string | undefined;
  readonly isNullInput: boolean;
  readonly isRawInput: boolean;
  readonly isSlurp: boolean;
  readonly isRawOutput: boolean;
  /** `-j`: no newline after outputs. */
  readonly isJoined: boolean;
  readonly isAscii: boolean;
  readonly isSorted: boolean;
  readonly hasExitStatus: boolean;
  /** One level of indentation; empty for compact output. */
  readonly indent: string;
  readonly named: Readonly<Record<string, Json>>;
  /** `--slurpfile`, `--rawfile`. */
  readonly namedFiles: readonly (readonly [name: string, file: string, isRaw: boolean])[];
  readonly positional: readonly Json[];
  /** A text to print instead: the version, or the help. */
  readonly print: string | undefined;
}

const letters: Readonly<Record<string, string>> = {
  n: 'null-input',
  R: 'raw-input',
  s: 'slurp',
  r: 'raw-output',
  j: 'join-output',
  a: 'ascii-output',
  S: 'sort-keys',
  e: 'exit-status',
  c: 'compact-output',
  C: 'color-output',
  M: 'monochrome-output',
  f: 'from-file',
  h: 'help',
  V: 'version',
};
const flags: ReadonlySet<string> = new Set([...Object.values(letters), 'tab', 'unbuffered']);
/** Options with values: their number. */
const valued: Readonly<Record<string, number>> = { indent: 1, arg: 2, argjson: 2, slurpfile: 2, rawfile: 2 };

const usage = 'Usage:\tjq [OPTIONS] FILTER [FILES...]\n\tjq [OPTIONS] -n FILTER\n';
const help = `${usage}
  -n  use null as the input        -r  print texts without quotes
  -R  read lines as texts          -j  like -r, without newlines
  -s  read all inputs as an array  -c  print each output on one line
  -e  exit 1 for false or null     -S  sort the keys of objects
  -f FILE  read the filter from a file        --tab, --indent N
  --arg NAME VALUE, --argjson NAME JSON       bind $NAME
  --slurpfile NAME FILE, --rawfile NAME FILE  bind $NAME to the content
  --args, --jsonargs  the other arguments are $ARGS.positional
`;

/** @throws UsageError */
export function parseArguments(args: readonly string[]): JqOptions {
  return new ArgumentReader(args).read();
}

class ArgumentReader {
  readonly #rest: string[];
  readonly #given = new Set<string>();
  readonly #words: string[] = [];
  readonly #named: Record<string, Json> = {};
  readonly #namedFiles: (readonly [string, string, boolean])[] = [];
  readonly #positional: Json[] = [];
  #positionalKind: 'files' | 'texts' | 'json' = 'files';
  #indent = 2;

  constructor(args: readonly string[]) {
    this.#rest = [...args];
  }

  read(): JqOptions {
    for (let arg = this.#rest.shift(); arg !== undefined; arg = this.#rest.shift()) this.#readArgument(arg);
    const has = (name: string): boolean => this.#given.has(name);
    const [first, ...others] = this.#words;
    const print = has('help') ? help : has('version') ? 'jq-1.6\n' : undefined;
    if (first === undefined && print === undefined) throw new UsageError(usage);
    return {
      filter: has('from-file') ? '' : (first ?? '.'),
      files: others,
      filterFile: has('from-file') ? first : undefined,
      isNullInput: has('null-input'),
      isRawInput: has('raw-input'),
      isSlurp: has('slurp'),
      isRawOutput: has('raw-output') || has('join-output'),
      isJoined: has('join-output'),
      isAscii: has('ascii-output'),
      isSorted: has('sort-keys'),
      hasExitStatus: has('exit-status'),
      indent: has('compact-output') ? '' : has('tab') ? '\t' : ' '.repeat(this.#indent),
      named: this.#named,
      namedFiles: this.#namedFiles,
      positional: this.#positional,
      print,
    };
  }

  #readArgument(arg: string): void {
    if (arg === '--args' || arg === '--jsonargs') this.#positionalKind = arg === '--args' ? 'texts' : 'json';
    else if (arg.startsWith('--') && arg.length > 2) this.#readLong(arg.slice(2));
    else if (/^-[A-Za-z]/.test(arg)) for (const letter of arg.slice(1)) this.#readFlag(letters[letter] ?? letter, arg);
    else if (arg !== '--') this.#readWord(arg);
  }

  #readWord(word: string): void {
    if (this.#words.length === 0 || this.#positionalKind === 'files') this.#words.push(word);
    else
      this.#positional.push(this.#positionalKind === 'texts' ? word : parseJson(word, `Invalid JSON text passed to --jsonargs\n${usage}`));
  }

  #readFlag(name: string, arg: string): void {
    if (!flags.has(name)) throw new UsageError(`jq: Unknown option ${arg}\nUse jq --help for help with command-line options\n`);
    this.#given.add(name);
  }

  #readLong(name: string): void {
    const count = Object.hasOwn(valued, name) ? valued[name] : undefined;
    if (count === undefined) {
      this.#readFlag(name, `--${name}`);
      return;
    }
    const [key = '', value] = this.#rest.splice(0, count);
    if (count === 2 && value === undefined)
      throw new UsageError(
        `jq: --${name} takes two parameters (e.g. --${name} varname ${name === 'argjson' ? 'text' : 'value'})\n${usage}`,
      );
    if (name === 'indent') this.#readIndent(key);
    else if (name === 'arg') this.#named[key] = value ?? '';
    else if (name === 'argjson') this.#named[key] = parseJson(value ?? '', `jq: Invalid JSON text passed to --argjson\n${usage}`);
    else this.#namedFiles.push([key, value ?? '', name === 'rawfile']);
  }

  #readIndent(text: string): void {
    const count = Number(text);
    if (!Number.isInteger(count)) throw new UsageError(`jq: --indent takes a number\n${usage}`);
    if (count < 0 || count > 7)
      throw new UsageError(`jq: Cannot indent ${count < 0 ? 'a negative number of' : 'more than 7'} characters\n${usage}`);
    this.#indent = count;
  }
}

function parseJson(text: string, failure: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(failure);
  }
}
