import { isIP } from 'node:net';
import { DurationError, type Product, parseBool, parseDuration, parseQuantity, productByName, QuantityError } from '../../../meta/index.ts';
import { FlagError } from './flag-error.ts';
import type { FlagType } from './flag-rows.ts';
import { readPortRange } from './port-range.ts';

/** Typed access to parsed flags. Reading an undeclared flag is a bug, and throws. */
export interface FlagValues {
  /** Names of all declared flags. */
  readonly names: readonly string[];
  /** The value as pflag shows it. */
  shown(name: string): string;
  /** Whether the flag was given. */
  isGiven(name: string): boolean;
  text(name: string): string;
  truth(name: string): boolean;
  number(name: string): number;
  durationMs(name: string): number;
  /** The values of `strings` and `stringArray`, from all occurrences. */
  list(name: string): readonly string[];
  /** `settings`: `a=1,b` is a → '1', b → ''. `pairs` has one pair per occurrence: `a=1,2` is a → '1,2'. */
  pairs(name: string): ReadonlyMap<string, string>;
}

/** Validates a value; returns Go's error message, or undefined. */
export function validateFlagValue(type: FlagType, text: string): string | undefined {
  switch (type) {
    case 'bool':
      return parseBool(text) === undefined ? `strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax` : undefined;
    case 'certificatePair':
      // Host names may precede the files.
      return text.replace(/^[^:]*:/, '').split(',').length === 2 ? undefined : 'expected comma separated certificate and key file paths';
    case 'int':
      return integerProblem(text);
    case 'float':
      return Number.isNaN(Number(text)) || text.trim() !== text || text === ''
        ? `strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`
        : undefined;
    case 'duration':
      return parsingProblem(() => parseDuration(text));
    case 'quantity':
      return parsingProblem(() => parseQuantity(text));
    case 'ip':
      return isIP(text) === 0 ? `failed to parse IP: ${JSON.stringify(text)}` : undefined;
    case 'portRange': {
      const range = readPortRange(text);
      return typeof range === 'string' ? range : undefined;
    }
    case 'pairs':
      return text.includes('=') ? undefined : 'malformed pair, expect string=string';
    case 'stringToString':
      return stringToStringProblem(text);
    case 'verbosity':
      return verbosityProblem(text);
    case 'vmodule':
      return vmoduleProblem(text);
    case 'strings':
      return parseList(text) === undefined ? 'parse error on line 1, column 1: extraneous or missing " in quoted-field' : undefined;
    case 'string':
    case 'stringArray':
    case 'settings':
      return undefined;
  }
}

/** Go's integer syntax with a base prefix (strconv.ParseInt, base 0). */
const integer = /^[+-]?(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/;

function integerProblem(text: string): string | undefined {
  const quoted = JSON.stringify(text);
  if (!integer.test(text)) return `strconv.ParseInt: parsing ${quoted}: invalid syntax`;
  const value = parseInteger(text);
  return BigInt.asIntN(64, value) === value ? undefined : `strconv.ParseInt: parsing ${quoted}: value out of range`;
}

/** Cf. component-base logs/api/v1 VerbosityLevelPflag, which is limited to 31 bits. */
function verbosityProblem(text: string): string | undefined {
  const quoted = JSON.stringify(text);
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  return Number(text) < 2 ** 31 ? undefined : `strconv.ParseUint: parsing ${quoted}: value out of range`;
}

function vmoduleProblem(text: string): string | undefined {
  for (const item of text.split(',').filter((one) => one !== '')) {
    const [pattern = '', level = '', ...rest] = item.split('=');
    if (pattern === '' || level === '' || rest.length > 0) return `${JSON.stringify(item)} does not have the pattern=N format`;
    const problem = verbosityProblem(level);
    if (problem !== undefined) return `parsing verbosity in ${JSON.stringify(item)}: ${problem}`;
  }
  return undefined;
}

/** Cf. pflag's stringToString, which reads several pairs as one CSV line. */
function stringToStringProblem(text: string): string | undefined {
  const pairs = text.split('=').length > 2 ? (parseList(text) ?? []) : [text];
  const wrong = pairs.find((pair) => !pair.includes('='));
  return wrong === undefined ? undefined : `${wrong} must be formatted as key=value`;
}

function parseInteger(text: string): bigint {
  const digits = text.replace(/^[+-]/, '').replace(/^0(?=\d)/, '0o');
  return text.startsWith('-') ? -BigInt(digits) : BigInt(digits);
}

function parsingProblem(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof DurationError || error instanceof QuantityError) return error.message;
    throw error;
  }
}

/** Parses one CSV line; undefined when a quote is not closed. */
function parseList(text: string): readonly string[] | undefined {
  if (text === '') return [];
  const items: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const quoted = /^"((?:[^"]|"")*)"(?=,|$)/.exec(text.slice(at));
    if (!quoted && text[at] === '"') return undefined;
    const raw = quoted?.[0] ?? text.slice(at).split(',')[0] ?? '';
    items.push(quoted ? (quoted[1] ?? '').replaceAll('""', '"') : raw);
    at += raw.length + 1;
  }
  return items;
}

/** The declaration of a flag and its given values, in order. */
export interface FlagState {
  readonly type: FlagType;
  readonly initial: string;
  readonly written: readonly string[];
}

export function flagValues(states: ReadonlyMap<string, FlagState>): FlagValues {
  const stateOf = (name: string): FlagState => {
    const state = states.get(name);
    if (!state) throw new Error(`no row declares the flag --${name}`);
    return state;
  };
  const text = (name: string): string => {
    const { written, initial } = stateOf(name);
    return written.at(-1) ?? initial;
  };
  const list = (name: string): readonly string[] => {
    const { type, written, initial } = stateOf(name);
    const all = written.length > 0 ? written : initial === '' ? [] : [initial];
    return type === 'stringArray' ? all : all.flatMap((one) => parseList(one) ?? []);
  };
  return {
    names: [...states.keys()],
    shown(name) {
      const { type, written } = stateOf(name);
      if (type === 'strings' || type === 'stringArray') return `[${list(name).join(',')}]`;
      if (type === 'settings' || type === 'pairs') return written.join(',');
      return type === 'bool' ? String(parseBool(text(name)) === true) : text(name);
    },
    text,
    list,
    isGiven: (name) => stateOf(name).written.length > 0,
    truth: (name) => parseBool(text(name)) === true,
    number: (name) => (stateOf(name).type === 'int' ? Number(parseInteger(text(name))) : Number(text(name))),
    durationMs: (name) => Number(parseDuration(text(name)) / 1_000_000n),
    pairs(name) {
      const { type, written, initial } = stateOf(name);
      const given = written.length > 0 ? written : [initial];
      const pairs = (type === 'pairs' ? given : given.flatMap((one) => one.split(','))).filter((pair) => pair !== '');
      return new Map(pairs.map((pair) => parsePair(pair)));
    },
  };
}

function parsePair(pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
}

/** @throws FlagError */
export function oneOf<T extends string>(flags: FlagValues, name: string, allowed: readonly T[]): T {
  const value = flags.text(name);
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new FlagError(`invalid argument ${JSON.stringify(value)} for "--${name}": must be one of ${allowed.join(', ')}`);
  return found;
}

/** The product of `--names`: flags use its group names and media types. @throws FlagError */
export function productOf(flags: FlagValues): Product {
  return productByName(oneOf(flags, 'names', ['svc', 'kubernetes']));
}
