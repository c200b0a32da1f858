import { DurationError, parseDuration } from '../../meta/index.ts';
import { KubectlError } from '../program/errors.ts';

/**
 * - `list`: comma-separated and repeatable; `array`: repeatable, commas are text
 * - `pairs`: `a=b,c=d` and repeatable; `map` also, with the messages and the help of another flag type of kubectl
 * - `optional`: a text whose value may be omitted, which then is `bare`
 * - `value`: a text that the command checks; help shows its default without quotes
 */
export type FlagKind = 'text' | 'bool' | 'int' | 'list' | 'array' | 'pairs' | 'map' | 'duration' | 'optional' | 'value';

export interface FlagSpec {
  readonly kind: FlagKind;
  readonly short?: string;
  /** The default as typed; the kind's zero value when absent. */
  readonly initial?: string;
  /** The value of the flag without one (pflag NoOptDefVal). */
  readonly bare?: string;
  /** Printed when used: `Flag --x has been deprecated, …`. */
  readonly deprecated?: string;
  /** Accepted, but not in help. */
  readonly hidden?: true;
  /** The description of a flag that kubectl does not have; the others are in help/texts.json. */
  readonly about?: string;
}

export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

export const text = (initial = '', short?: string, about?: string): FlagSpec => createSpec('text', initial, short, about);
export const bool = (initial = false, short?: string, about?: string): FlagSpec => ({
  ...createSpec('bool', String(initial), short, about),
  bare: 'true',
});
export const int = (initial: number, short?: string, about?: string): FlagSpec => createSpec('int', String(initial), short, about);
export const list = (short?: string, about?: string): FlagSpec => createSpec('list', '', short, about);
export const array = (short?: string, about?: string): FlagSpec => createSpec('array', '', short, about);
export const duration = (initial = '0s', about?: string): FlagSpec => createSpec('duration', initial, undefined, about);
export const optional = (initial: string, bare: string, about?: string): FlagSpec => ({
  ...createSpec('optional', initial, undefined, about),
  bare,
});

function createSpec(kind: FlagKind, initial: string, short: string | undefined, about: string | undefined): FlagSpec {
  return { kind, initial, ...(short === undefined ? {} : { short }), ...(about === undefined ? {} : { about }) };
}

/** Parsed command-line arguments. */
export class Flags {
  readonly #specs: FlagSpecs;
  readonly #values = new Map<string, string[]>();
  /** Arguments that are no flags. */
  readonly words: string[] = [];
  /** The flags in the order of the command line. */
  readonly typed: { readonly name: string; readonly value: string }[] = [];
  /** Number of arguments before `--`; undefined without one. */
  argsBeforeDash: number | undefined;

  constructor(specs: FlagSpecs) {
    this.#specs = specs;
  }

  /** Only the flags of `specs`, without those that a command redefines. */
  subset(specs: FlagSpecs): Flags {
    const flags = new Flags(specs);
    for (const name of Object.keys(specs)) {
      const values = this.#specs[name] === specs[name] ? this.#values.get(name) : undefined;
      if (values) flags.#values.set(name, values);
    }
    return flags;
  }

  changed(name: string): boolean {
    return this.#values.has(name);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#specs, name);
  }

  text(name: string): string {
    return this.#values.get(name)?.at(-1) ?? this.#specs[name]?.initial ?? '';
  }

  bool(name: string): boolean {
    return parseBool(this.text(name)) ?? false;
  }

  int(name: string): number {
    return Number(this.text(name));
  }

  /** In milliseconds. */
  duration(name: string): number {
    return Number(parseDuration(this.text(name)) / 1_000_000n);
  }

  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  pairs(name: string): readonly (readonly [key: string, value: string])[] {
    return this.list(name).map((pair) => {
      const cut = pair.indexOf('=');
      return [pair.slice(0, cut), pair.slice(cut + 1)] as const;
    });
  }

  /** @throws KubectlError when the value is not valid for the flag's kind */
  set(name: string, value: string): void {
    const flag = this.#specs[name];
    if (!flag) return;
    const values = parseValues(name, flag, value);
    const repeats = flag.kind === 'list' || flag.kind === 'array' || flag.kind === 'pairs' || flag.kind === 'map';
    this.#values.set(name, repeats ? [...(this.#values.get(name) ?? []), ...values] : values);
    this.typed.push({ name, value });
  }
}

function parseValues(name: string, flag: FlagSpec, value: string): string[] {
  const fail = (why: string): never => {
    const shown = flag.short === undefined ? `--${name}` : `-${flag.short}, --${name}`;
    throw new KubectlError(`invalid argument ${JSON.stringify(value)} for "${shown}" flag: ${why}`);
  };
  switch (flag.kind) {
    case 'bool':
      if (parseBool(value) === undefined) fail(`strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`);
      return [value];
    case 'int':
      if (!/^[-+]?\d+$/.test(value)) fail(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
      if (Math.abs(Number(value)) > 2 ** 31) fail(`strconv.ParseInt: parsing ${JSON.stringify(value)}: value out of range`);
      return [value];
    case 'duration':
      try {
        parseDuration(value);
      } catch (error) {
        if (error instanceof DurationError) fail(error.message);
        throw error;
      }
      return [value];
    case 'list':
      return value === '' ? [] : parseCsvRecord(value);
    case 'pairs':
      return parseCsvRecord(value).map((pair) => (pair.includes('=') ? pair : fail(`${pair} must be formatted as key=value`)));
    case 'map':
      return value
        .split(',')
        .filter((pair) => pair !== '')
        .map((pair) => (pair.includes('=') ? pair : fail('malformed pair, expect string=string')));
    default:
      return [value];
  }
}

/** Parses one CSV record: an item in double quotes may contain commas. */
function parseCsvRecord(value: string): string[] {
  const items = value.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  const trimmed = items.map((item) => item.replace(/,$/, '').replace(/^"([\s\S]*)"$/, (_, inner: string) => inner.replaceAll('""', '"')));
  return value.endsWith(',') ? trimmed : trimmed.slice(0, -1);
}

export function parseBool(value: string): boolean | undefined {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(value)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(value) ? false : undefined;
}

/** Parses a command line like pflag. @throws KubectlError with pflag's message */
export function parseFlags(args: readonly string[], specs: FlagSpecs): Flags {
  const flags = new Flags(specs);
  const byShort = new Map(Object.entries(specs).map(([name, { short }]) => [short, name] as const));
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      flags.argsBeforeDash = flags.words.length;
      flags.words.push(...rest);
      break;
    }
    if (arg.startsWith('--')) parseLong(arg, rest, flags, specs);
    else if (arg.startsWith('-') && arg !== '-') parseShort(arg, rest, flags, { specs, byShort });
    else flags.words.push(arg);
  }
  return flags;
}

function parseLong(arg: string, rest: string[], flags: Flags, specs: FlagSpecs): void {
  const cut = arg.indexOf('=');
  const name = (cut < 0 ? arg.slice(2) : arg.slice(2, cut)).replaceAll('_', '-');
  if (name === '' || name.startsWith('-')) throw new KubectlError(`bad flag syntax: ${arg}`);
  const flag = Object.hasOwn(specs, name) ? specs[name] : undefined;
  if (!flag) throw new KubectlError(`unknown flag: --${name}`);
  if (cut >= 0) {
    flags.set(name, arg.slice(cut + 1));
    return;
  }
  const value = flag.bare ?? rest.shift();
  if (value === undefined) throw new KubectlError(`flag needs an argument: --${name}`);
  flags.set(name, value);
}

interface FlagLookup {
  readonly specs: FlagSpecs;
  readonly byShort: ReadonlyMap<string | undefined, string>;
}

/** `-n x`, `-nx`, `-n=x`, `-it`. */
function parseShort(arg: string, rest: string[], flags: Flags, { specs, byShort }: FlagLookup): void {
  let letters = arg.slice(1);
  while (letters !== '') {
    const letter = letters[0] ?? '';
    const name = byShort.get(letter);
    const flag = name === undefined ? undefined : specs[name];
    if (name === undefined || !flag) throw new KubectlError(`unknown shorthand flag: '${letter}' in -${letters}`);
    if (letters.length > 2 && letters[1] === '=') {
      flags.set(name, letters.slice(2));
      return;
    }
    if (flag.bare !== undefined) {
      flags.set(name, flag.bare);
      letters = letters.slice(1);
      continue;
    }
    const value = letters.length > 1 ? letters.slice(1) : rest.shift();
    if (value === undefined) throw new KubectlError(`flag needs an argument: '${letter}' in -${letters}`);
    flags.set(name, value);
    return;
  }
}
